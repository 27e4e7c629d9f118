import Kernel
import Storage

/// Limits wrong passwords by account and by the client's network.
struct SignInThrottle: Sendable {
    private let emails = Throttle(
        scope: "sign-in-email", limit: Limits.signInFailuresPerEmail, windowSeconds: Limits.throttleSeconds
    )
    private let addresses = Throttle(
        scope: "sign-in-address", limit: Limits.signInFailuresPerAddress, windowSeconds: Limits.throttleSeconds
    )

    /// Refuses an attempt early, without counting it.
    func check(_ attempt: PasswordAttempt, now: Instant, in tx: Transaction) throws {
        try emails.check(attempt.accountKey, now: now, in: tx)
        if let address = attempt.address { try addresses.check(address, now: now, in: tx) }
    }

    /// Counts an attempt whose outcome is not known yet.
    func reserve(_ attempt: PasswordAttempt, now: Instant, in tx: Transaction) throws {
        if let address = attempt.address { try addresses.reserve(address, now: now, in: tx) }
        try emails.reserve(attempt.accountKey, now: now, in: tx)
    }

    /// Removes the reserved attempt, because the server failed to verify it.
    func release(_ attempt: PasswordAttempt, reservedAt: Instant, now: Instant, in tx: Transaction) throws {
        if let address = attempt.address {
            try addresses.release(address, reservedAt: reservedAt, now: now, in: tx)
        }
        try emails.release(attempt.accountKey, reservedAt: reservedAt, now: now, in: tx)
    }

    /// Records the reserved attempt as a failure.
    func settle(_ attempt: PasswordAttempt, reservedAt: Instant, now: Instant, in tx: Transaction) throws {
        if let address = attempt.address {
            try addresses.settle(address, reservedAt: reservedAt, now: now, in: tx)
        }
        try emails.settle(attempt.accountKey, reservedAt: reservedAt, now: now, in: tx)
    }

    /// Handles a success: releases the reserved attempt and resets the account's failures.
    func resetAfterSuccess(_ attempt: PasswordAttempt, reservedAt: Instant, now: Instant, in tx: Transaction) throws {
        if let address = attempt.address {
            try addresses.release(address, reservedAt: reservedAt, now: now, in: tx)
        }
        try emails.reset(attempt.accountKey, in: tx)
    }

    /// Resets the failures of an email.
    func reset(emailKey: String, in tx: Transaction) throws { try emails.reset(emailKey, in: tx) }
}
