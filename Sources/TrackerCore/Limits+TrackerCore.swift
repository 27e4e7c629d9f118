package import Kernel

extension Limits {
    /// Seconds for which an unclaimed tracker polls for an owner at its faster rate. Later an owner rarely enters its
    /// code, and each poll costs data.
    package static let trackerWaitingSeconds: Int64 = 60 * 60
    /// The maximum number of seconds between two positions of a lost item; the owner can choose fewer.
    package static let trackerLostFixSeconds: Int64 = 2 * 60
    /// Seconds for which a separation raises the frequency of positions and the use of data. An owner who leaves an
    /// item behind on purpose, while their phone reports all day, doesn't pay for it all day.
    package static let trackerLostSeconds: Int64 = 3 * 60 * 60
    /// Seconds over which a tracker spreads its data budget: one billing month.
    package static let trackerBudgetSeconds: Int64 = 30 * 24 * 60 * 60
    /// The maximum number of seconds for which a tracker short of data stays silent, so that commands arrive.
    package static let trackerBudgetSilenceSeconds: Int64 = 6 * 60 * 60

    /// Undelivered fixes that a tracker stores; the oldest are dropped.
    package static let trackerSpool = 5_000
    /// Finished commands that a tracker remembers, so that it runs none twice.
    package static let trackerRememberedCommands = 64
    /// Seconds between a tracker's first attempts to reach the server, doubled up to ``trackerRetrySecondsMaximum``.
    package static let trackerRetrySeconds: Int64 = 2
    /// The maximum number of seconds between a tracker's attempts to reach the server.
    package static let trackerRetrySecondsMaximum: Int64 = 15 * 60
    /// Seconds for which the server must not recognise a bound tracker before the tracker resets itself to a new one.
    package static let trackerUnknownSeconds: Int64 = 24 * 60 * 60
}
