package import Kernel
import Synchronization

/// A clock that stands still until a test sets it.
package final class TestClock: WallClock {
    private let instant: Mutex<Instant>

    /// Makes a clock at `instant`; by default 2026-03-01T12:00:00Z.
    package init(_ instant: Instant = Instant(millisecondsSince1970: 1_772_366_400_000)) {
        self.instant = Mutex(instant)
    }

    /// The instant it was set to.
    package var now: Instant { instant.withLock { $0 } }

    /// Sets the clock.
    package func set(_ new: Instant) { instant.withLock { $0 = new } }

    /// Sets the clock forward.
    package func advance(seconds: Int64) { instant.withLock { $0 = $0.adding(seconds: seconds) } }

    /// Sets the clock forward.
    package func advance(milliseconds: Int64) {
        instant.withLock { $0 = Instant(millisecondsSince1970: $0.millisecondsSince1970 + milliseconds) }
    }
}
