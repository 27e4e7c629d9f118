package import Kernel
package import Storage

/// Locking and unlocking one session.
package struct SessionLockService: Sendable {
    let database: Database
    let passcodes: PasscodeVerifier
    let events: AccountEvents
    let clock: any WallClock

    /// Unlocks the actor's session, if `typed` is the account's passcode.
    /// - Throws: ``AppError`` `invalid` with `fields.passcode` for a malformed passcode (not counted as a try) and for
    ///   a wrong one; `throttled` with the seconds to wait, from the ``Limits/passcodeAttempts``th wrong one in a row
    ///   on; `conflict` without a passcode; `unavailable` when too many requests wait for a check.
    package func unlock(_ actor: Actor, passcode typed: String?) async throws {
        guard let passcode = Passcode(typed ?? "") else {
            throw AppError(.invalid, LockMessage.passcodeMalformed, field: "passcode")
        }
        let checked = try await passcodes.check(passcode, field: "passcode", of: actor.person)
        let now = clock.now
        try await database.write { tx in
            try passcodes.confirm(checked, field: "passcode", of: actor.person, in: tx)
            try unlockVerified(actor, now: now, in: tx)
        }
    }

    /// Unlocks the session of an actor who proved their identity by passcode or passkey, and resets the wrong tries.
    package func unlockVerified(_ actor: Actor, now: Instant, in tx: Transaction) throws {
        try LockStore.write(PasscodeCounter(), of: actor.person, in: tx)
        if try LockStore.unlock(actor.session, of: actor.person, now: now, in: tx) {
            try events.publish(sessions: [actor.session], of: actor.person, now: now, in: tx)
        }
    }

    /// Locks the actor's session and closes its live stream.
    /// - Throws: ``AppError`` `conflict` without a passcode.
    package func lock(_ actor: Actor) async throws {
        let now = clock.now
        try await database.write { tx in
            guard try LockStore.lockForUpdate(of: actor.person, in: tx) != nil else {
                throw AppError(.conflict, LockMessage.noPasscode)
            }
            try lock(actor.session, of: actor.person, now: now, in: tx)
        }
    }

    /// Records the activity of an open session. Locks the session if the activity comes too late, or if the browser was
    /// restarted.
    /// - Parameters:
    ///   - isLaunch: whether the browser was closed since the session was last unlocked or signed in.
    ///   - isActivity: whether this request postpones the lock. Requests of the lock itself and the live stream don't.
    /// - Returns: the session after the call.
    package func touch(_ session: Session, isLaunch: Bool, isActivity: Bool) async throws -> Session {
        guard session.locksAutomatically else { return session }
        let now = clock.now
        if isLaunch || session.lock.isOverdue(now: now) {
            return try await database.write { tx in
                try lockUnlessUsed(session, isLaunch: isLaunch, now: now, in: tx) ?? session
            }
        }
        if isActivity, now.seconds(since: session.lock.activeAt) >= Double(Limits.lockActivitySeconds) {
            try await database.write { tx in try LockStore.touch(session.id, now: now, in: tx) }
        }
        return session
    }

    /// Locks the browser sessions that were inactive for too long, which also closes their live streams.
    package func lockOverdue() async throws {
        var isMore = true
        while isMore {
            let now = clock.now
            let found = try await database.read { tx in
                try LockStore.overdue(now: now, limit: Limits.lockSweepBatch, in: tx)
            }
            guard !found.isEmpty else { return }
            try await database.write { tx in
                for (id, person) in found {
                    guard let session = try SessionStore.session(id, of: person, in: tx) else { continue }
                    _ = try lockUnlessUsed(session, isLaunch: false, now: now, in: tx)
                }
            }
            isMore = found.count == Limits.lockSweepBatch
        }
    }

    /// Reads the session again: it may have been used, or the passcode removed. Returns `nil` when the session is gone.
    private func lockUnlessUsed(
        _ session: Session, isLaunch: Bool, now: Instant, in tx: Transaction
    ) throws -> Session? {
        _ = try LockStore.lockForUpdate(of: session.person, in: tx)
        guard let present = try SessionStore.session(session.id, of: session.person, in: tx) else { return nil }
        guard present.locksAutomatically, isLaunch || present.lock.isOverdue(now: now) else { return present }
        try lock(session.id, of: session.person, now: now, in: tx)
        return try SessionStore.session(session.id, of: session.person, in: tx)
    }

    private func lock(_ session: ID<Session>, of person: PersonID, now: Instant, in tx: Transaction) throws {
        if try LockStore.lock(session, of: person, now: now, in: tx) {
            try events.publish(sessions: [session], of: person, now: now, in: tx)
        }
    }
}
