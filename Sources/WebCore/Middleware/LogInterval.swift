package import Kernel
import Synchronization

/// Limits how often an error is logged that each public request can cause.
package final class LogInterval: Sendable {
    private let seconds: Int64
    private let last = Mutex<Instant?>(nil)

    package init(seconds: Int64) { self.seconds = seconds }

    /// Returns whether the error is to be logged, which is recorded. A clock that was set back doesn't end the log.
    package func isDue(at now: Instant) -> Bool {
        last.withLock { last in
            if let last, last <= now, now < last.adding(seconds: seconds) { return false }
            last = now
            return true
        }
    }
}
