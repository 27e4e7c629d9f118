import Foundation
import Kernel
import Logging

/// A closure and whether it writes.
struct PostgresTask: Sendable {
    let job: any Job
    let isWrite: Bool
}

/// A connection and the jobs of its thread. It connects when it is first needed, and again after the connection is
/// lost.
final class PostgresWorker {
    private static let pauseMicroseconds: UInt64 = 2_000

    // A writer holds this lock on the outbox before it has a transaction id, which distinguishes it from
    // transactions that can't publish (docs/decisions/0030).
    static let beginWriting: [SQL] = ["BEGIN", "LOCK TABLE outbox IN ROW EXCLUSIVE MODE"]
    private static let beginReading: [SQL] = ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"]

    private let uri: String
    private let deadlines: PostgresDeadlines
    private let signal: ChangeSignal
    private let listener: PostgresListener
    private let logger: Logger
    private let random = SystemRandom()
    private var connection: PostgresConnection?

    init(
        uri: String, deadlines: PostgresDeadlines, signal: ChangeSignal, listener: PostgresListener, logger: Logger
    ) {
        self.uri = uri
        self.deadlines = deadlines
        self.signal = signal
        self.listener = listener
        self.logger = logger
    }

    /// Runs jobs until the queue is closed and empty.
    func serve(_ queue: BlockingQueue<PostgresTask>) {
        while let task = queue.dequeue() { perform(task) }
    }

    private func perform(_ task: PostgresTask) {
        var tries = 0
        while true {
            tries += 1
            do {
                let transaction = try attempt(task)
                for hook in transaction.hooks { hook() }
                task.job.succeed()
                if transaction.eventCount > 0 {
                    signal.tick()
                    listener.announce()
                }
                return
            } catch let problem as Problem {
                if let failure = problem.failure {
                    if failure.invalidatesConnection { connection = nil }
                    if problem.mayRunAgain { continue }
                    if failure.isRetryable, tries < Limits.transactionAttempts {
                        pause(after: tries)
                        continue
                    }
                    logger.error("PostgreSQL refused a transaction", metadata: ["reason": "\(failure)"])
                }
                task.job.fail(problem.answer)
                return
            } catch {
                task.job.fail(error)
                return
            }
        }
    }

    /// The error of an attempt for the caller, and PostgreSQL's own error if there was one.
    private struct Problem: Error {
        let answer: any Error
        var failure: PostgresFailure?
        /// Whether a connection that had been idle failed before its first response in this transaction, so that
        /// nothing was committed.
        var mayRunAgain = false
    }

    private func attempt(_ task: PostgresTask) throws -> Transaction {
        let isFresh = connection == nil
        do {
            let connection = try connected()
            connection.isReading = !task.isWrite
            connection.knownWatermark = listener.watermark.known
            let transaction = Transaction(connection)
            try connection.begin(task.isWrite ? Self.beginWriting : Self.beginReading)
            do {
                try task.job.run(in: transaction)
            } catch {
                let failure = (transaction.failure ?? error) as? PostgresFailure
                throw problem(failure, answer: connection.mapped(error), on: connection, wasIdle: !isFresh)
            }
            if task.isWrite { try commit(connection) } else { try connection.endReading() }
            return transaction
        } catch let failure as PostgresFailure {
            guard let connection else { throw Problem(answer: failure.answer, failure: failure) }
            throw problem(failure, answer: connection.mapped(failure), on: connection, wasIdle: !isFresh)
        }
    }

    /// Rolls back a failed transaction and returns its problem.
    private func problem(
        _ failure: PostgresFailure?, answer: any Error, on connection: PostgresConnection, wasIdle: Bool
    ) -> Problem {
        let mayRunAgain =
            wasIdle && !connection.hasResponded && !connection.isOverdue && failure?.invalidatesConnection ?? false
        rollBack(connection)
        return Problem(answer: answer, failure: failure, mayRunAgain: mayRunAgain)
    }

    private func connected() throws -> PostgresConnection {
        if let connection { return connection }
        let fresh = try PostgresConnection(uri: uri, deadlines: deadlines)
        connection = fresh
        return fresh
    }

    private func commit(_ connection: PostgresConnection) throws {
        // A connection that was lost while it was idle is detected here and not by the COMMIT: the outcome of a lost
        // COMMIT is unknown.
        try connection.awaitFirstResponse()
        do {
            let outcome = try connection.commit()
            guard outcome == "COMMIT" else { throw Problem(answer: StorageError.transactionFailed) }
        } catch let failure as PostgresFailure {
            // Only a repeated request can find out.
            guard !failure.leavesOutcomeUnknown else {
                throw Problem(answer: StorageError.outcomeUnknown, failure: failure)
            }
            rollBack(connection)
            throw Problem(answer: failure.answer, failure: failure)
        }
    }

    private func rollBack(_ connection: PostgresConnection) {
        guard !connection.isLost else {
            self.connection = nil
            return
        }
        do {
            try connection.rollBack()
        } catch {
            self.connection = nil
        }
    }

    private func pause(after tries: Int) {
        let most = Self.pauseMicroseconds * UInt64(tries * tries)
        usleep(UInt32(truncatingIfNeeded: 500 + random.uint64() % most))
    }
}
