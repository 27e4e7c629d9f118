import Kernel
import Storage

/// Verifies passwords, with the limits of ``SignInThrottle`` and ``WorkLimiter``.
struct PasswordVerifier: Sendable {
    /// A password that was verified.
    struct Match: Sendable {
        /// The credential that the password was verified against.
        let credential: AccountStore.Credential
        /// The hash to store from now on: the current one, or a new one if its parameters are outdated.
        let fresh: String
        fileprivate let attempt: PasswordAttempt
        fileprivate let reservedAt: Instant
    }

    let database: Database
    let throttle: SignInThrottle
    let hasher: any PasswordHasher
    let hashLimiter: WorkLimiter
    let clock: any WallClock

    /// Verifies `password` and runs `work` with the match, before the next attempt with the same keys. `work` calls
    /// ``accept(_:now:in:)`` in its transaction.
    /// - Throws: `wrong` when the password is wrong or no account has the email; ``AppError`` `throttled` after too
    ///   many failures; `unavailable` when too many requests wait for a password hash; errors of `work`.
    func verify<Result: Sendable>(
        _ password: Password, _ attempt: PasswordAttempt, orThrow wrong: AppError,
        then work: @Sendable (Match) async throws -> Result
    ) async throws -> Result {
        let now = clock.now
        try await database.read { tx in try throttle.check(attempt, now: now, in: tx) }
        return try await hashLimiter.run(keys: attempt.keys) {
            let (credential, reservedAt) = try await reserve(attempt)
            let fresh = try await verify(password, against: credential, attempt: attempt, reservedAt: reservedAt)
            guard let credential, let fresh else { throw wrong }
            return try await work(
                Match(credential: credential, fresh: fresh, attempt: attempt, reservedAt: reservedAt))
        }
    }

    /// Stores a renewed hash, and resets the failures. The caller has checked that the credential is unchanged.
    func accept(_ match: Match, now: Instant, in tx: Transaction) throws {
        if match.fresh != match.credential.password {
            try AccountStore.setPassword(match.fresh, of: match.credential.person, in: tx)
        }
        try throttle.resetAfterSuccess(match.attempt, reservedAt: match.reservedAt, now: now, in: tx)
    }

    /// Counts the attempt and returns the credential that the password must match.
    private func reserve(_ attempt: PasswordAttempt) async throws -> (AccountStore.Credential?, Instant) {
        let now = clock.now
        let credential = try await database.write { tx in
            try throttle.reserve(attempt, now: now, in: tx)
            return try AccountStore.credential(emailKey: attempt.emailKey, in: tx)
        }
        return (credential, now)
    }

    /// Returns the hash to store from now on; `nil` when the password is wrong.
    private func verify(
        _ password: Password, against credential: AccountStore.Credential?, attempt: PasswordAttempt,
        reservedAt: Instant
    ) async throws -> String? {
        do {
            let isRight = try await hasher.verify(password.bytes, against: credential?.password)
            guard isRight, let stored = credential?.password else {
                try await settle(attempt, reservedAt: reservedAt)
                return nil
            }
            return hasher.isOutdated(stored) ? try await hasher.hash(password.bytes) : stored
        } catch {
            // This is a failure of the server, not a wrong guess.
            try await release(attempt, reservedAt: reservedAt)
            throw error
        }
    }

    private func release(_ attempt: PasswordAttempt, reservedAt: Instant) async throws {
        let now = clock.now
        try await database.write { tx in try throttle.release(attempt, reservedAt: reservedAt, now: now, in: tx) }
    }

    private func settle(_ attempt: PasswordAttempt, reservedAt: Instant) async throws {
        let now = clock.now
        try await database.write { tx in try throttle.settle(attempt, reservedAt: reservedAt, now: now, in: tx) }
    }
}
