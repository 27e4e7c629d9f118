package import Kernel

/// How a session stands to its account's lock.
package struct SessionLock: Sendable, Equatable {
    /// When it was locked; `nil` while it is open.
    package let lockedAt: Instant?
    /// Minutes without a request after which it is to be locked; `nil` without a passcode.
    package let lockAfterMinutes: Int?
    /// When it last asked for something, to within ``Limits/lockActivitySeconds``. Only kept up while there is a passcode.
    package let activeAt: Instant

    /// Whether it was left alone for too long by `now`.
    func isOverdue(now: Instant) -> Bool {
        guard let lockAfterMinutes else { return false }
        return now >= activeAt.adding(seconds: Int64(lockAfterMinutes) * 60)
    }
}

extension Session {
    /// Whether it is served nothing but the lock.
    package var isLocked: Bool { lock.lockedAt != nil }

    /// Whether the account has a passcode.
    package var hasPasscode: Bool { lock.lockAfterMinutes != nil }

    /// Whether it is locked by being left alone or by a new launch; programs only lock when told to.
    package var locksByItself: Bool { hasPasscode && kind == .cookie && !isLocked }
}

/// What is known of a person's lock.
package struct LockStatus: Sendable, Equatable {
    /// Whether the session that asks is locked.
    package let isLocked: Bool
    /// Whether there is a passcode.
    package let isPasscodeSet: Bool
    /// Whether Touch ID opens the lock, too; `nil` while nobody decided.
    package let touchID: Bool?
    /// Seconds until a passcode may be tried again; 0 when there is nothing to wait for.
    package let retryAfterSeconds: Int
    /// Minutes without a request after which browsers are locked; what is usual without a passcode.
    package let lockAfterMinutes: Int
    /// Whether the session that asks may reset the passcode without the present one: it signed in by password after
    /// that was set, and was not locked since.
    package let mayReset: Bool
    /// Whether a passcode is still to be offered: there is none, and nobody said "Not now".
    package let isToBeOffered: Bool
}
