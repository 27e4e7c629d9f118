package import Kernel
import Synchronization

/// A clock that only changes when a test sets it.
package final class TestClock: WallClock {
    private let instant: Mutex<Instant>

    /// - Parameter instant: the initial time; by default 2026-03-01T12:00:00Z.
    package init(_ instant: Instant = Instant(millisecondsSince1970: 1_772_366_400_000)) {
        self.instant = Mutex(instant)
    }

    package var now: Instant { instant.withLock { $0 } }

    /// Sets the clock to an instant.
    package func set(_ new: Instant) { instant.withLock { $0 = new } }

    /// Advances the clock by a number of seconds.
    package func advance(seconds: Int64) { instant.withLock { $0 = $0.adding(seconds: seconds) } }

    /// Advances the clock by a number of milliseconds.
    package func advance(milliseconds: Int64) {
        instant.withLock { $0 = Instant(millisecondsSince1970: $0.millisecondsSince1970 + milliseconds) }
    }
}
