import Kernel

/// Runs closures in transactions of one connection. It connects when it is first needed, and again after the connection
/// is lost. One thread uses it at a time.
final class PostgresRunner {
    /// The statements that begin a transaction.
    struct Beginning {
        let statements: [SQL]
        let isReading: Bool

        static let reading = Beginning(statements: ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"], isReading: true)

        // A writer holds this lock on the outbox before it has a transaction id, which distinguishes it from
        // transactions that can't publish (docs/decisions/0030).
        static let writing = Beginning(
            statements: ["BEGIN", "LOCK TABLE outbox IN ROW EXCLUSIVE MODE"], isReading: false)
    }

    /// Why a transaction failed.
    struct Problem: Error {
        /// The error for the caller.
        let answer: any Error
        /// PostgreSQL's own error if there was one.
        var failure: PostgresFailure?
        /// Whether a connection that had been idle failed before its first response in this transaction, so that
        /// nothing was committed.
        var mayRunAgain = false
        /// Whether the server was silent for too long.
        var isOverdue = false
    }

    private let uri: String
    private let deadlines: PostgresDeadlines
    private let listener: PostgresListener
    private let signal: ChangeSignal
    private var connection: PostgresConnection?
    /// The generation of `connection`.
    private var generation = 0

    init(uri: String, deadlines: PostgresDeadlines, listener: PostgresListener, signal: ChangeSignal) {
        self.uri = uri
        self.deadlines = deadlines
        self.listener = listener
        self.signal = signal
    }

    /// Wakes the readers of the outbox after a transaction that published events.
    func announceEvents() {
        signal.tick()
        listener.announce()
    }

    /// Runs `body` in a transaction and commits it.
    /// - Throws: ``Problem``; then nothing is committed, or its answer is ``StorageError/outcomeUnknown``.
    func run(_ beginning: Beginning, _ body: (Transaction) throws -> Void) throws(Problem) -> Transaction {
        do {
            return try attempt(beginning, body)
        } catch {
            if error.failure?.invalidatesConnection ?? false { connection = nil }
            if error.isOverdue { listener.generation.end(generation) }
            throw error
        }
    }

    private func attempt(
        _ beginning: Beginning, _ body: (Transaction) throws -> Void
    ) throws(Problem) -> Transaction {
        let before = connection
        let connection = try connected()
        let isFresh = connection !== before
        connection.isReading = beginning.isReading
        connection.knownWatermark = listener.watermark.known
        let transaction = Transaction(connection)
        do {
            try connection.begin(beginning.statements)
            try body(transaction)
            try connection.useLaterRows()
        } catch {
            let failure = (transaction.failure ?? error) as? PostgresFailure
            throw problem(failure, answer: connection.mapped(error), on: connection, wasIdle: !isFresh)
        }
        do {
            if beginning.isReading {
                try connection.endReading()
                return transaction
            }
            // A connection that was lost while it was idle is detected here and not by the COMMIT: the outcome of a
            // lost COMMIT is unknown.
            try connection.awaitFirstResponse()
        } catch {
            throw problem(
                error as? PostgresFailure, answer: connection.mapped(error), on: connection, wasIdle: !isFresh)
        }
        try commit(connection)
        return transaction
    }

    /// Rolls back a failed transaction and returns its problem.
    private func problem(
        _ failure: PostgresFailure?, answer: any Error, on connection: PostgresConnection, wasIdle: Bool
    ) -> Problem {
        let mayRunAgain =
            wasIdle && !connection.hasResponded && !connection.isOverdue && failure?.invalidatesConnection ?? false
        let isOverdue = connection.isOverdue
        rollBack(connection)
        return Problem(answer: answer, failure: failure, mayRunAgain: mayRunAgain, isOverdue: isOverdue)
    }

    private func connected() throws(Problem) -> PostgresConnection {
        let present = listener.generation.present
        if let connection, generation == present { return connection }
        connection = nil
        generation = present
        do {
            let fresh = try PostgresConnection(uri: uri, deadlines: deadlines)
            let (serverStart, generation) = (fresh.serverStart, listener.generation)
            let serverCount = generation.serverCount
            fresh.requests.isServerReplaced = { generation.isReplaced(serverStart, since: serverCount) }
            connection = fresh
            return fresh
        } catch {
            let failure = error as? PostgresFailure
            throw Problem(answer: failure?.answer ?? error, failure: failure)
        }
    }

    private func commit(_ connection: PostgresConnection) throws(Problem) {
        do {
            guard try connection.commit() == "COMMIT" else { throw StorageError.transactionFailed }
        } catch {
            let failure = error as? PostgresFailure
            // Only a repeated request can find out.
            guard failure?.leavesOutcomeUnknown != true else {
                throw Problem(
                    answer: StorageError.outcomeUnknown, failure: failure, isOverdue: connection.isOverdue)
            }
            rollBack(connection)
            throw Problem(answer: failure?.answer ?? error, failure: failure)
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
}
