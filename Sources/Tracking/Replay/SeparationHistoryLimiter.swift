import Kernel
import Storage
import Synchronization

/// Deletes the oldest evaluations of separations of items with more than `Limits.evaluationsPerItem`. Several nodes
/// store evaluations of the same item, and storing must not count all of them each time.
final class SeparationHistoryLimiter: Sendable {
    private let database: Database
    private let subjectsPerRun: Int
    /// The last person and item of the previous run; the next one continues after it.
    private let last = Mutex<SeparationHistory.Subject?>(nil)

    /// - Parameter subjectsPerRun: The maximum number of people's items that one run counts.
    init(database: Database, subjectsPerRun: Int = Limits.countedSeparationHistories) {
        self.database = database
        self.subjectsPerRun = subjectsPerRun
    }

    func run() async throws {
        let after = last.withLock { $0 }
        let counts = try await database.read { [subjectsPerRun] tx in
            try SeparationHistoryStore.counts(after: after, limit: subjectsPerRun, in: tx)
        }
        for count in counts where count.evaluations > Limits.evaluationsPerItem {
            try await database.write { tx in try SeparationHistoryStore.trim(count.subject, in: tx) }
        }
        last.withLock { $0 = counts.count < subjectsPerRun ? nil : counts.last?.subject }
    }
}
