import Kernel
import Storage

/// The passcode settings of an account.
package struct AppLockService: Sendable {
    let database: Database
    let permits: PasscodePermits
    let events: AccountEvents
    let hasher: any PasswordHasher
    let hashLimiter: WorkLimiter
    let clock: any WallClock

    /// Returns the state of the lock for the actor's session.
    package func status(_ actor: Actor) async throws -> LockStatus {
        let now = clock.now
        return try await database.read { tx in
            let lock = try LockStore.lock(of: actor.person, in: tx)
            let session = try LockStore.facts(of: actor.session, person: actor.person, in: tx)
            return LockStatus(
                isLocked: session?.lockedAt != nil, isPasscodeSet: lock != nil, touchID: lock?.touchID,
                retryAfterSeconds: lock?.counter.waitSeconds(now: now) ?? 0,
                lockAfterMinutes: lock?.lockAfterMinutes ?? Limits.usualLockAfterMinutes,
                mayReset: lock.flatMap { session?.isFresh(for: $0) } ?? false
            )
        }
    }

    /// Sets the passcode, or replaces it.
    /// - Parameters:
    ///   - typed: six digits.
    ///   - repeated: the same six digits, typed again.
    ///   - current: the current passcode. Not needed when there is none, or after a fresh sign-in by password.
    /// - Throws: ``AppError`` `invalid` with `fields.passcode`, `fields.repeat` or `fields.current`; `throttled` as
    ///   ``SessionLockService/unlock(_:passcode:)``; `forbidden` for a child; `conflict` when another device has set a
    ///   passcode since.
    package func setPasscode(_ typed: String?, repeated: String?, current: String?, by actor: Actor) async throws {
        try requireAdult(actor)
        guard let passcode = Passcode(typed ?? "") else {
            throw AppError(.invalid, LockMessage.passcodeMalformed, field: "passcode")
        }
        guard repeated == passcode.digits else {
            throw AppError(.invalid, LockMessage.repeatDiffers, field: "repeat")
        }
        let permit = try await permits.permit(actor, current: current)
        let hash = try await hashLimiter.run { try await hasher.hash(passcode.bytes) }
        let now = clock.now
        try await database.write { tx in
            switch permit {
            case .none:
                guard try LockStore.insert(hash, of: actor.person, now: now, in: tx) else {
                    throw AppError(.conflict, LockMessage.passcodeSetElsewhere)
                }
                try LockStore.startTime(of: actor.person, now: now, in: tx)
            case .some(let permit):
                try permits.use(permit, by: actor, in: tx)
                try LockStore.replace(hash, of: actor.person, now: now, in: tx)
            }
            try publishChange(of: actor, now: now, in: tx)
        }
    }

    /// Removes the passcode and Touch ID, and unlocks every locked session.
    /// - Throws: ``AppError`` `notFound` without a passcode; `invalid` with `fields.current`; `throttled` as
    ///   ``SessionLockService/unlock(_:passcode:)``.
    package func removePasscode(current: String?, by actor: Actor) async throws {
        guard let permit = try await permits.permit(actor, current: current) else { throw AppError.notFound }
        let now = clock.now
        try await database.write { tx in
            try permits.use(permit, by: actor, in: tx)
            try LockStore.delete(of: actor.person, in: tx)
            // A person who turned the lock off isn't offered a passcode again.
            try LockStore.decline(actor.person, now: now, in: tx)
            let opened = try LockStore.unlockAll(of: actor.person, in: tx)
            try events.publish(sessions: opened, of: actor.person, now: now, in: tx)
            try publishChange(of: actor, now: now, in: tx)
        }
    }

    /// Sets the minutes without a request after which browsers are locked.
    /// - Parameter minutes: one of ``Limits/lockAfterMinutes``.
    /// - Throws: ``AppError`` `invalid` with `fields.lockAfterMinutes`; `conflict` without a passcode.
    package func setLockAfter(minutes: Int64?, by actor: Actor) async throws {
        guard let minutes = minutes.flatMap({ Int(exactly: $0) }), Limits.lockAfterMinutes.contains(minutes) else {
            throw AppError(.invalid, LockMessage.lockAfterUnknown, field: "lockAfterMinutes")
        }
        let now = clock.now
        try await database.write { tx in
            guard try LockStore.setLockAfter(minutes, of: actor.person, in: tx) else {
                throw AppError(.conflict, LockMessage.noPasscode)
            }
            try publishChange(of: actor, now: now, in: tx)
        }
    }

    /// Records that the person declined a passcode, so that none is offered again.
    package func decline(_ actor: Actor) async throws {
        let now = clock.now
        try await database.write { tx in try LockStore.decline(actor.person, now: now, in: tx) }
    }

    private func requireAdult(_ actor: Actor) throws {
        guard actor.role == .adult else { throw AppError(.forbidden, LockMessage.adultsOnly) }
    }

    /// Notifies pages that show the lock's settings, and drops the person's cached sessions.
    private func publishChange(of actor: Actor, now: Instant, in tx: Transaction) throws {
        guard let account = try AccountStore.account(actor.person, in: tx) else { return }
        try events.publish(account, now: now, in: tx)
    }
}
