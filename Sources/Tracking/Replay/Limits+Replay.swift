package import Kernel

extension Limits {
    /// Days that a replay covers.
    package static let replayDays: Int64 = 30
    /// Positions that a replay evaluates, up to a page more.
    package static let replayedFixes = 50_000
    /// Evaluations of separations that a replay repeats, up to a page more.
    package static let replayedEvaluations = 300_000
    /// Alerts that a replay lists.
    package static let replayedAlerts = 100
    /// Parkings of one item that a replay repeats; the newest ones.
    static let replayedParkings = 1_000
    /// Seconds for which evaluations of separations are collected in memory before they are stored together.
    package static let separationHistorySeconds: Int64 = 5 * 60
    /// Evaluations that are stored earlier, because there are so many.
    static let evaluationsPerRow = 60
    /// Evaluations kept of one item for one person; housekeeping deletes the oldest of more.
    static let evaluationsPerItem = 200_000
    /// Items of people whose evaluations one run of housekeeping counts; the next run continues.
    static let countedSeparationHistories = 20
    /// Rows of evaluations of one person and item that wait in memory while they can't be stored; the newest.
    static let waitingRunsPerSubject = 50
    /// The largest difference, in milliseconds, between the clocks of two nodes for which a replay corrects the order
    /// of evaluations.
    static let evaluationOrderMilliseconds: Int64 = 2_000
    /// Items of people whose evaluations wait in memory; further ones aren't kept.
    static let waitingSeparationHistories = 20_000
    /// Rows of evaluations read at once.
    static let separationHistoryPage = 100
}
