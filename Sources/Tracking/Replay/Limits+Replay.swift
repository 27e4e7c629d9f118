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
    /// Evaluations kept of one item for one person; the oldest go first.
    static let evaluationsPerItem = 200_000
    /// Rows with fewer evaluations than this can't exceed ``evaluationsPerItem`` in ``replayDays`` days.
    static let evaluationsOfRareRows = Int(
        Int64(evaluationsPerItem) * separationHistorySeconds / (replayDays * 24 * 60 * 60))
    /// Items of people whose evaluations wait in memory; further ones aren't kept.
    static let waitingSeparationHistories = 20_000
    /// Rows of evaluations read at once.
    static let separationHistoryPage = 100
}
