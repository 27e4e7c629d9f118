import Kernel
import Storage

/// The setting for unlocking by a passkey.
package struct TouchIDService: Sendable {
    let database: Database
    let signInMethods: SignInMethodReader
    let events: AccountEvents
    let clock: any WallClock

    /// Returns the actor's setting.
    package func setting(of actor: Actor) async throws -> TouchID {
        try await database.read { tx in try PasskeyStore.touchID(of: actor.person, in: tx) }
    }

    /// Returns the actor's setting, and the ways to prove that a passkey may be added.
    package func settingWithSignInMethods(
        of actor: Actor
    ) async throws -> (setting: TouchID, methods: SignInMethods) {
        let now = clock.now
        return try await database.read { tx in
            (
                try PasskeyStore.touchID(of: actor.person, in: tx),
                try signInMethods.methods(of: actor, for: .addPasskey, now: now, in: tx)
            )
        }
    }

    /// Sets whether passkeys unlock.
    /// - Throws: ``AppError`` `conflict` without a passcode, or to turn it on without a passkey; `forbidden` for a
    ///   child.
    package func set(_ isOn: Bool, by change: Change) async throws {
        try change.actor.requireAdult()
        let now = clock.now
        let person = change.actor.person
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: person.description) {
                let account = try AccountStore.requireLockedAccount(person, in: tx)
                guard try PasskeyStore.touchID(of: person, in: tx).isAvailable else {
                    throw AppError(.conflict, .passcodeFirst)
                }
                guard try !isOn || PasskeyStore.count(of: person, in: tx) > 0 else {
                    throw AppError(.conflict, .passkeyFirst)
                }
                try PasskeyStore.setTouchID(isOn, of: person, in: tx)
                try events.publishPasskeys(of: account, now: now, in: tx)
            }
        }
    }
}
