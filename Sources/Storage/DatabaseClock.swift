package import Kernel

/// The time of the database's clock, which all nodes share. With the time of a node whose clock is slow, current
/// positions would seem to come from the future; with that of one whose clock is fast, jobs would seem to be due.
package struct DatabaseClock: WallClock {
    private let database: Database
    private let clock: any WallClock

    /// - Parameter clock: this computer's clock, from which the database's is calculated.
    package init(database: Database, clock: any WallClock) {
        self.database = database
        self.clock = clock
    }

    package var now: Instant {
        Instant(millisecondsSince1970: clock.now.millisecondsSince1970 + database.status.correctionMilliseconds)
    }
}
