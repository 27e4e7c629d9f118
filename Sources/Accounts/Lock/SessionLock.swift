package import Kernel

/// The state of the account's lock for one session.
package struct SessionLock: Sendable, Equatable {
    /// When the session was locked. `nil` while it is unlocked.
    package let lockedAt: Instant?
    /// Minutes without a request after which the session is locked. `nil` without a passcode.
    package let lockAfterMinutes: Int?
    /// When the session last sent a request, to within ``Limits/lockActivitySeconds``. Recorded only while there is a
    /// passcode.
    package let activeAt: Instant

    /// Returns whether the session was inactive for too long by `now`.
    func isOverdue(now: Instant) -> Bool {
        guard let lockAfterMinutes else { return false }
        return now >= activeAt.adding(seconds: Int64(lockAfterMinutes) * 60)
    }
}

extension Session {
    /// Whether the session can access only the lock.
    package var isLocked: Bool { lock.lockedAt != nil }

    package var hasPasscode: Bool { lock.lockAfterMinutes != nil }

    /// Whether inactivity or a new launch locks the session. Sessions of programs are locked only on request.
    package var locksAutomatically: Bool { hasPasscode && kind == .cookie && !isLocked }
}

/// The state of a person's lock.
package struct LockStatus: Sendable, Equatable {
    /// Whether the actor's session is locked.
    package let isLocked: Bool
    package let isPasscodeSet: Bool
    /// Whether Touch ID also unlocks. `nil` until the person decides.
    package let touchID: Bool?
    /// Seconds until the next passcode may be tried; 0 when there is no wait.
    package let retryAfterSeconds: Int
    /// Minutes without a request after which browsers are locked. The default without a passcode.
    package let lockAfterMinutes: Int
    /// Whether the actor's session may replace the passcode without the current one: it signed in by password after the
    /// passcode was set, and was never locked.
    package let mayReset: Bool
}
