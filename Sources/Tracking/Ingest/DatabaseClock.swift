import Kernel
import Storage

/// The time of the database's clock, which all nodes share. On a node with a slow clock, current positions would
/// otherwise seem to come from the future.
struct DatabaseClock: Sendable {
    let database: Database
    let clock: any WallClock

    var now: Instant {
        Instant(millisecondsSince1970: clock.now.millisecondsSince1970 + database.status.correctionMilliseconds)
    }
}
