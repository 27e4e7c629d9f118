import Kernel
import Logging

/// Commits writes in groups: what waits is run in one transaction, each closure in a savepoint of its own, so that one
/// trip to the disk answers them all. Lives on the writer's thread.
final class SQLiteWriter {
    private static let begin: SQL = "BEGIN IMMEDIATE"
    private static let commit: SQL = "COMMIT"
    private static let rollback: SQL = "ROLLBACK"
    private static let savepoint: SQL = "SAVEPOINT closure"
    private static let release: SQL = "RELEASE closure"
    private static let rollbackToSavepoint: SQL = "ROLLBACK TO closure"

    private let session: SQLiteSession
    private let signal: ChangeSignal
    private let logger: Logger

    init(session: SQLiteSession, signal: ChangeSignal, logger: Logger) {
        self.session = session
        self.signal = signal
        self.logger = logger
    }

    /// Works until the queue is closed and empty.
    func serve(_ queue: BlockingQueue<any Job>) {
        while let batch = queue.take(most: Limits.writeBatch) { commit(batch) }
    }

    private func commit(_ batch: ArraySlice<any Job>) {
        var done: [(job: any Job, transaction: Transaction)] = []
        done.reserveCapacity(batch.count)
        var position = batch.startIndex
        do {
            _ = try session.execute(Self.begin)
            while position < batch.endIndex {
                let job = batch[position]
                position += 1
                let transaction = Transaction(session)
                do {
                    try run(job, in: transaction)
                    done.append((job, transaction))
                } catch {
                    if let failure = transaction.failure as? SQLiteUnavailable { log(failure) }
                    job.fail(session.answer(to: error))
                    // SQLite has rolled all of it back if the disk failed it.
                    guard session.isInTransaction else { throw error }
                }
            }
            _ = try session.execute(Self.commit)
        } catch {
            if session.isInTransaction { _ = try? session.execute(Self.rollback) }
            log(error)
            for (job, _) in done { job.fail(AppError.storeUnavailable) }
            for job in batch[position...] { job.fail(AppError.storeUnavailable) }
            return
        }
        finish(done)
    }

    private func run(_ job: any Job, in transaction: Transaction) throws {
        _ = try session.execute(Self.savepoint)
        do {
            try job.run(in: transaction)
        } catch {
            if session.isInTransaction {
                _ = try session.execute(Self.rollbackToSavepoint)
                _ = try session.execute(Self.release)
            }
            throw error
        }
        _ = try session.execute(Self.release)
    }

    private func finish(_ done: [(job: any Job, transaction: Transaction)]) {
        var hasPublished = false
        for (job, transaction) in done {
            for hook in transaction.hooks { hook() }
            if transaction.eventCount > 0 { hasPublished = true }
            job.succeed()
        }
        if hasPublished { signal.tick() }
    }

    private func log(_ error: any Error) {
        logger.error("SQLite can't be written to", metadata: ["reason": "\(error)"])
    }
}
