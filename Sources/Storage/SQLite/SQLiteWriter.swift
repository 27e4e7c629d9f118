import Kernel
import Logging

/// Commits writes in groups: it runs all waiting closures in one transaction, so that they share one disk flush. Runs
/// on the writer's thread.
final class SQLiteWriter {
    private static let begin = FixedSQL("BEGIN IMMEDIATE")
    private static let commit = FixedSQL("COMMIT")
    private static let rollback = FixedSQL("ROLLBACK")
    private static let savepoint = FixedSQL("SAVEPOINT closure")
    private static let release = FixedSQL("RELEASE closure")
    private static let rollbackToSavepoint = FixedSQL("ROLLBACK TO closure")

    private let session: SQLiteSession
    private let signal: ChangeSignal
    private let logger: Logger

    private struct Outcome {
        var made: [any Job] = []
        var refused: [(job: any Job, error: any Error)] = []
        var hooks: [@Sendable () -> Void] = []
        var hasPublished = false
    }

    init(session: SQLiteSession, signal: ChangeSignal, logger: Logger) {
        self.session = session
        self.signal = signal
        self.logger = logger
    }

    /// Runs jobs until the queue is closed and empty.
    func serve(_ queue: BlockingQueue<any Job>) {
        var batch: [any Job] = []
        while queue.dequeue(most: Limits.writeBatch, into: &batch) { commit(batch) }
    }

    private func commit(_ batch: [any Job]) {
        do {
            // A savepoint for each closure costs a third of the throughput and is rarely needed: most closures succeed,
            // and most others throw before they change anything.
            let outcome = try attempt(batch, withSavepoints: false) ?? attempt(batch, withSavepoints: true)
            resume(outcome ?? Outcome())
        } catch {
            if session.isInTransaction { try? session.execute(Self.rollback, []) }
            log(error)
            for job in batch { job.fail(AppError.storeUnavailable) }
        }
    }

    /// Runs and commits a batch of jobs.
    /// - Returns: `nil` if nothing was committed, because a closure failed with changes that only a savepoint can undo.
    /// - Throws: if the transaction as a whole failed.
    private func attempt(_ batch: [any Job], withSavepoints: Bool) throws -> Outcome? {
        var outcome = Outcome()
        outcome.made.reserveCapacity(batch.count)
        try session.execute(Self.begin, [])
        let transaction = Transaction(session)
        for job in batch {
            transaction.restart()
            let changesBefore = session.changeCount
            if withSavepoints { try session.execute(Self.savepoint, []) }
            do {
                try job.run(in: transaction)
                outcome.made.append(job)
                if !transaction.hooks.isEmpty { outcome.hooks += transaction.hooks }
                if transaction.eventCount > 0 { outcome.hasPublished = true }
            } catch {
                if let failure = transaction.failure as? SQLiteUnavailable { log(failure) }
                // SQLite may roll back everything on its own when the disk fails.
                guard session.isInTransaction else { throw error }
                outcome.refused.append((job, error))
                if withSavepoints {
                    try session.execute(Self.rollbackToSavepoint, [])
                } else if session.changeCount != changesBefore {
                    try session.execute(Self.rollback, [])
                    return batch.count == 1 ? outcome : nil
                }
            }
            if withSavepoints { try session.execute(Self.release, []) }
        }
        try session.execute(Self.commit, [])
        return outcome
    }

    private func resume(_ outcome: Outcome) {
        for hook in outcome.hooks { hook() }
        for job in outcome.made { job.succeed() }
        for (job, error) in outcome.refused { job.fail(error) }
        if outcome.hasPublished { signal.tick() }
    }

    private func log(_ error: any Error) {
        logger.error("SQLite can't be written to", metadata: ["reason": "\(error)"])
    }
}
