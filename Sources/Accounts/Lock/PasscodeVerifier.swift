import Kernel
import Storage

/// Verification of a passcode.
struct PasscodeVerifier: Sendable {
    /// A passcode that was verified.
    struct VerifiedPasscode: Sendable {
        /// The hash that it was verified against.
        let stored: String
    }

    let database: Database
    let hasher: any PasswordHasher
    let hashLimiter: WorkLimiter
    let clock: any WallClock

    /// Counts the try in the database, then verifies the passcode.
    func check(_ passcode: Passcode, field: String, of person: PersonID) async throws -> VerifiedPasscode {
        try await refuseWaiting(person)
        let (stored, triesLeft) = try await reserve(of: person)
        let isRight: Bool
        do {
            isRight = try await hashLimiter.run { try await hasher.verify(passcode.bytes, against: stored) }
        } catch let error where error is CancellationError || (error as? AppError)?.code == .unavailable {
            // The call left the queue before the passcode was verified.
            try await release(of: person)
            throw error
        }
        // Any other failure counts as a wrong try.
        guard isRight else {
            guard triesLeft > 0 else { throw waiting(Int(Limits.passcodeWaitSeconds)) }
            throw AppError(.invalid, .passcodeWrong(triesLeft: triesLeft), field: field)
        }
        return VerifiedPasscode(stored: stored)
    }

    /// Requires that the passcode is still the one that was verified, in the transaction that relies on it.
    func confirm(
        _ checked: VerifiedPasscode, field: String, of person: PersonID, in tx: Transaction
    ) throws {
        guard let lock = try LockStore.lockForUpdate(of: person, in: tx) else {
            throw AppError(.conflict, LockMessage.noPasscode)
        }
        guard lock.passcode == checked.stored else { throw wrong(field) }
        try LockStore.write(PasscodeCounter(), of: person, in: tx)
    }

    /// Refuses most of many concurrent tries without the database's writer.
    private func refuseWaiting(_ person: PersonID) async throws {
        let now = clock.now
        try await database.read { tx in
            guard let lock = try LockStore.lock(of: person, in: tx) else {
                throw AppError(.conflict, LockMessage.noPasscode)
            }
            let seconds = lock.counter.waitSeconds(now: now)
            if seconds > 0 { throw waiting(seconds) }
        }
    }

    private func reserve(of person: PersonID) async throws -> (stored: String, triesLeft: Int) {
        let now = clock.now
        return try await database.write { tx in
            guard var lock = try LockStore.lockForUpdate(of: person, in: tx) else {
                throw AppError(.conflict, LockMessage.noPasscode)
            }
            let triesLeft: Int
            do throws(PasscodeCounter.Wait) {
                triesLeft = try lock.counter.reserve(now: now)
            } catch {
                throw waiting(error.seconds)
            }
            try LockStore.write(lock.counter, of: person, in: tx)
            return (lock.passcode, triesLeft)
        }
    }

    private func release(of person: PersonID) async throws {
        try await database.write { tx in
            guard var lock = try LockStore.lockForUpdate(of: person, in: tx) else { return }
            lock.counter.release()
            try LockStore.write(lock.counter, of: person, in: tx)
        }
    }

    private func wrong(_ field: String) -> AppError {
        AppError(.invalid, LockMessage.passcodeWrong, field: field)
    }

    private func waiting(_ seconds: Int) -> AppError {
        AppError(.throttled, LockMessage.waiting, retryAfterSeconds: seconds)
    }
}
