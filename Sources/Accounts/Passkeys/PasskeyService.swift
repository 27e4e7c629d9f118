package import Kernel
import Storage

/// The registered passkeys of an account.
package struct PasskeyService: Sendable {
    let database: Database
    let providers: ProviderCatalog
    let signInMethods: SignInMethodReader
    let events: AccountEvents
    let clock: any WallClock

    /// Returns the actor's passkeys, oldest first.
    package func list(_ actor: Actor) async throws -> [Passkey] {
        try await database.read { tx in try PasskeyStore.passkeys(of: actor.person, in: tx) }
    }

    /// Returns the actor's passkeys, oldest first, and the ways to prove that another may be added.
    package func listWithSignInMethods(
        _ actor: Actor
    ) async throws -> (passkeys: [Passkey], methods: SignInMethods) {
        let now = clock.now
        return try await database.read { tx in
            (
                try PasskeyStore.passkeys(of: actor.person, in: tx),
                try signInMethods.methods(of: actor, for: .addPasskey, now: now, in: tx)
            )
        }
    }

    /// Deletes a passkey. The other ways to sign in stay.
    /// - Throws: ``AppError``: `notFound` when it isn't the person's; `conflict` when it is the last way to sign in;
    ///   `forbidden` for a child.
    package func delete(_ id: ID<Passkey>, by change: Change) async throws {
        try change.actor.requireAdult()
        let now = clock.now
        let person = change.actor.person
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let account = try AccountStore.requireLockedAccount(person, in: tx)
                guard try PasskeyStore.delete(id, of: person, in: tx) else { throw AppError.notFound }
                let isLast = try PasskeyStore.count(of: person, in: tx) == 0
                try SignInMethodRule.requireOne(of: account, usableProviders: providers.names, in: tx)
                if isLast, try PasskeyStore.touchID(of: person, in: tx).isAvailable {
                    try PasskeyStore.setTouchID(false, of: person, in: tx)
                }
                try events.publishPasskeys(of: account, now: now, in: tx)
            }
        }
    }
}
