import Kernel
import Storage

/// The permission to change the passcode.
struct PasscodePermits: Sendable {
    enum Permit: Sendable {
        /// The current passcode was entered correctly.
        case passcode(PasscodeVerifier.VerifiedPasscode)
        /// The session began with a sign-in by password after this passcode was set.
        case freshSignIn(passcode: String)
    }

    let database: Database
    let passcodes: PasscodeVerifier

    /// Returns the permission; `nil` when there is no passcode yet.
    func permit(_ actor: Actor, current: String?) async throws -> Permit? {
        let (lock, session) = try await database.read { tx in
            (
                try LockStore.lock(of: actor.person, in: tx),
                try LockStore.facts(of: actor.session, person: actor.person, in: tx)
            )
        }
        guard let lock else { return nil }
        if let current, !current.isEmpty {
            guard let typed = Passcode(current) else {
                throw AppError(.invalid, LockMessage.passcodeMalformed, field: "current")
            }
            return .passcode(try await passcodes.check(typed, field: "current", of: actor.person))
        }
        guard let session, session.isFresh(for: lock) else {
            throw AppError(.invalid, LockMessage.currentMissing, field: "current")
        }
        return .freshSignIn(passcode: lock.passcode)
    }

    /// Checks the permission again: the passcode or the session may have changed.
    func use(_ permit: Permit, by actor: Actor, in tx: Transaction) throws {
        switch permit {
        case .passcode(let checked):
            try passcodes.confirm(checked, field: "current", of: actor.person, in: tx)
        case .freshSignIn(let passcode):
            guard let lock = try LockStore.lockForUpdate(of: actor.person, in: tx), lock.passcode == passcode,
                let session = try LockStore.facts(of: actor.session, person: actor.person, in: tx),
                session.isFresh(for: lock)
            else { throw AppError(.invalid, LockMessage.currentMissing, field: "current") }
        }
    }
}
