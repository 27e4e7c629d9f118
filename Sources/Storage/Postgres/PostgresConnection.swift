import CPostgres
import Foundation
import Kernel

/// A PostgreSQL connection with its prepared statements. One thread uses it at a time.
final class PostgresConnection: SQLConnection {
    private struct Key: Hashable {
        let text: String
        // The types of the values. A statement with a NULL in another position is prepared again, because PostgreSQL
        // infers a NULL's type from its position.
        let types: [Oid]
    }

    private struct Prepared {
        let name: String
        var columns: RowColumns?
    }

    let connection: OpaquePointer
    private var statements: [Key: Prepared] = [:]
    /// The statements, by their names, whose preparation isn't known to have succeeded.
    private var unconfirmed: [String: Key] = [:]
    /// Whether the transaction has a statement whose result hasn't been read.
    private var hasUnread = false
    /// Whether one of these statements has rows that are used later.
    private var hasLaterRows = false
    /// The rows that were read and not used yet, in the order of their statements.
    private var laterRows: [(rows: [Row], use: ([Row]) throws -> Void)] = []
    private var preparedCount = 0
    /// The transaction's events that aren't inserted yet.
    private var events: [ChangeEvent] = []
    private var insertedEventCount = 0
    private var responsesBefore = 0

    let dialect = Dialect.postgres
    /// Whether the present transaction is read-only. Then a rejected write is the closure's error, not a sign that the
    /// server became a standby.
    var isReading = false
    /// The known outbox watermark at the beginning of the present transaction.
    var knownWatermark: Int64 = 0

    let requests: PostgresRequests
    /// When the server started, as text. It identifies the server.
    private(set) var serverStart = ""

    init(uri: String, deadlines: PostgresDeadlines = PostgresDeadlines()) throws {
        connection = try Self.connect(uri)
        requests = PostgresRequests(connection, milliseconds: deadlines.requestMilliseconds)
        // From here on `deinit` closes the connection, also if this initializer throws.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        guard PQsetnonblocking(connection, 1) == 0 else { throw PostgresFailure.lost("no asynchronous connection") }
        // The server's timeouts end before this side's, so that a connection is closed only if the server is silent.
        // The server also ends sessions of nodes that froze in a transaction, and detects nodes that disappeared.
        // PostgreSQL's default costs are those of a magnetic disk. With them, it scans a small table instead of reading
        // one row by the index. It would also compile long queries, which takes longer than to run them.
        serverStart = try value(
            of:
                """
                SET synchronous_commit = on; SET client_min_messages = warning; SET timezone = 'UTC';
                SET standard_conforming_strings = on; SET extra_float_digits = 1; SET bytea_output = 'hex';
                SET default_transaction_isolation = 'read committed'; SET random_page_cost = 1.1; SET jit = off;
                SET lock_timeout = '\(Limits.databaseLockSeconds)s';
                SET statement_timeout = '\(deadlines.statementMilliseconds)ms';
                SET idle_in_transaction_session_timeout = '\(Limits.databaseIdleTransactionSeconds)s';
                SET tcp_keepalives_idle = \(Limits.databaseKeepaliveIdleSeconds);
                SET tcp_keepalives_interval = \(Limits.databaseKeepaliveIntervalSeconds);
                SET tcp_keepalives_count = \(Limits.databaseKeepaliveCount);
                SET tcp_user_timeout = '\(Limits.databaseUserTimeoutMilliseconds)ms';
                SELECT pg_postmaster_start_time()
                """
        )
    }

    private static func connect(_ uri: String) throws -> OpaquePointer {
        let settings: [(String, String)] = [
            ("connect_timeout", "\(Limits.databaseConnectSeconds)"),
            ("keepalives_idle", "\(Limits.databaseKeepaliveIdleSeconds)"),
            ("keepalives_interval", "\(Limits.databaseKeepaliveIntervalSeconds)"),
            ("keepalives_count", "\(Limits.databaseKeepaliveCount)"),
            ("tcp_user_timeout", "\(Limits.databaseUserTimeoutMilliseconds)"),
            ("fallback_application_name", "homeward"),
            // The URI can override every setting above this line, and none below it.
            ("dbname", uri),
            ("target_session_attrs", "read-write"),
            ("client_encoding", "UTF8"),
        ]
        return try PostgresConnector(settings, uri: uri).connect()
    }

    deinit { PQfinish(connection) }

    /// Whether the server is unreachable or was silent for too long.
    var isLost: Bool { requests.isOverdue || PQstatus(connection) != CONNECTION_OK }

    /// Sets the deadlines of later statements on both sides.
    func setDeadlines(_ deadlines: PostgresDeadlines) throws {
        requests.milliseconds = deadlines.requestMilliseconds
        try run("SET statement_timeout = '\(deadlines.statementMilliseconds)ms'")
    }

    /// The file descriptor of the socket, for `poll`.
    var socket: Int32 { PQsocket(connection) }

    /// Runs statements without values in one round trip.
    /// - Returns: the command tag of the last one, for example `COMMIT`.
    @discardableResult
    func run(_ text: String) throws -> String {
        if requests.waitingCount > 0 { PQclear(try self.result()) }
        let result = try requests.resultWithoutPipeline { PQsendQuery(connection, text) }
        defer { PQclear(result) }
        if let failure = PostgresFailure(result, of: connection) { throw failure }
        return PQcmdStatus(result).map { String(cString: $0) } ?? ""
    }

    /// The id of the server's process that performs the statements. Behind a pooler it isn't the one of the handshake.
    func serverProcess() throws -> String { try value(of: "SELECT pg_backend_pid()") }

    /// Runs statements without values, the last of which returns one value.
    private func value(of statements: String) throws -> String {
        let result = try requests.resultWithoutPipeline { PQsendQuery(connection, statements) }
        defer { PQclear(result) }
        if let failure = PostgresFailure(result, of: connection) { throw failure }
        return PQgetvalue(result, 0, 0).map { String(cString: $0) } ?? ""
    }

    // MARK: Transactions

    /// Adds the statements that begin a transaction to the pipeline.
    func begin(_ statements: [SQL]) throws {
        responsesBefore = requests.responses
        hasUnread = false
        hasLaterRows = false
        laterRows.removeAll()
        events.removeAll(keepingCapacity: true)
        insertedEventCount = 0
        for statement in statements { _ = try add(statement) }
    }

    /// Whether a statement of the present transaction is known to have succeeded.
    var hasResponded: Bool { requests.responses > responsesBefore }

    /// Whether the server was silent for too long. It may still be performing what it was sent.
    var isOverdue: Bool { requests.isOverdue }

    /// Waits for the server if it hasn't responded in the present transaction.
    func awaitFirstResponse() throws {
        if !hasResponded { PQclear(try result()) }
    }

    /// Calls the closures of ``rowsLater(_:_:use:)`` that weren't called yet, and those that these add.
    func useLaterRows() throws {
        while hasLaterRows { PQclear(try result()) }
    }

    /// Commits a transaction that writes.
    /// - Returns: the command tag, which isn't `COMMIT` if the transaction had failed.
    func commit() throws -> String {
        try insertEvents()
        _ = try add("COMMIT")
        let result = try result()
        defer { PQclear(result) }
        return PQcmdStatus(result).map { String(cString: $0) } ?? ""
    }

    /// Ends a transaction that only reads. Doesn't wait for the server, which has already returned every result.
    func endReading() throws {
        while hasUnread { PQclear(try result()) }
        _ = try add("COMMIT")
        try requests.sendAll()
    }

    /// Ends a failed transaction. Closures of ``rowsLater(_:_:use:)`` aren't called any more: their statements would be
    /// performed outside a transaction. ``begin(_:)`` drops them.
    func rollBack() throws {
        do {
            _ = try add("ROLLBACK")
            PQclear(try resultWithoutUse())
        } catch let failure as PostgresFailure where !failure.invalidatesConnection {
            // An earlier statement failed, so the server skipped the ROLLBACK.
            _ = try add("ROLLBACK")
            PQclear(try resultWithoutUse())
        }
    }

    // MARK: Statements

    func execute(_ sql: SQL) throws {
        _ = try add(sql)
        hasUnread = true
        try waitIfFull()
    }

    private func waitIfFull() throws {
        if requests.waitingCount >= Limits.pipelinedRequests { PQclear(try result()) }
    }

    func executeCounting(_ sql: SQL) throws -> Int {
        _ = try add(sql)
        let result = try result()
        defer { PQclear(result) }
        return PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    func rows(_ sql: SQL, limit: Int) throws -> [Row] {
        let key = try add(sql)
        guard let result = try result() else { return [] }
        defer { PQclear(result) }
        return rows(of: result, key, limit: limit)
    }

    func rowsLater(_ statement: FixedSQL, _ values: [SQLValue], use: @escaping ([Row]) throws -> Void) throws {
        try add(SQL(statement, values)) { [unowned self] key, result in
            laterRows.append((rows(of: result, key, limit: .max), use))
        }
        hasLaterRows = true
        hasUnread = true
        try waitIfFull()
    }

    private func rows(of result: OpaquePointer, _ key: Key, limit: Int) -> [Row] {
        let columns = columns(of: result, key)
        let types = (0..<Int32(columns.names.count)).map { PQftype(result, $0) }
        return (0..<min(PQntuples(result), Int32(clamping: limit))).map { row in
            let values = types.enumerated().map { column, type in
                PostgresValue.read(result, row: row, column: Int32(column), type: type)
            }
            return Row(columns: columns, values: values)
        }
    }

    func execute(_ statement: FixedSQL, _ values: [SQLValue]) throws { try execute(SQL(statement, values)) }

    func executeCounting(_ statement: FixedSQL, _ values: [SQLValue]) throws -> Int {
        try executeCounting(SQL(statement, values))
    }

    func rows(_ statement: FixedSQL, _ values: [SQLValue], limit: Int) throws -> [Row] {
        try rows(SQL(statement, values), limit: limit)
    }

    /// Collects events and inserts them together, at the latest with the commit: one statement costs much less than one
    /// for each event.
    func insert(_ event: ChangeEvent) throws {
        guard !isReading else {
            throw PostgresFailure.refused(
                code: "25006", message: "a reading transaction has no events", constraint: nil)
        }
        events.append(event)
        if events.count == Limits.eventsPerStatement { try insertEvents() }
    }

    private func insertEvents() throws {
        guard !events.isEmpty else { return }
        let rows: [SQL] = events.enumerated().map { offset, event in
            """
            (\(insertedEventCount + offset)::bigint, \(event.audience)::text, \(event.kind)::text, \(event.resource)::text, \
            \(event.version)::bigint, \(event.at)::bigint)
            """
        }
        insertedEventCount += events.count
        events.removeAll(keepingCapacity: true)
        try execute(
            """
            INSERT INTO outbox (sequence, audience, kind, resource, version, at)
            SELECT ((pg_current_xact_id()::text::bigint + base) << 16) + number,
                audience, kind, resource, version, at
            FROM outbox_base, (VALUES \(sql: rows.joined(separator: ", ")))
                AS event (number, audience, kind, resource, version, at)
            """
        )
    }

    var outboxWatermark: SQL? { "GREATEST(\(knownWatermark), \(sql: OutboxWatermark.present))" }

    func mapped(_ error: any Error) -> any Error {
        guard let failure = error as? PostgresFailure else { return error }
        if isReading, case .refused("25006", let message, _) = failure {
            return StorageError.statement(code: "25006", message: message)
        }
        return failure.answer
    }

    /// Consumes pending notifications, so that the socket becomes readable only for new ones.
    func dropNotifications() throws {
        guard PQconsumeInput(connection) == 1 else {
            throw PostgresFailure.lost(PostgresText.errorMessage(of: connection))
        }
        while let notification = PQnotifies(connection) { PQfreemem(notification) }
    }

    /// Adds a statement to the pipeline.
    /// - Parameter done: called with the result when the statement is known to have succeeded. It must not keep it.
    @discardableResult
    private func add(_ sql: SQL, done: ((Key, OpaquePointer) -> Void)? = nil) throws -> Key {
        let parameters = try PostgresParameters(sql.values)
        let key = Key(text: sql.text, types: parameters.types)
        let name = try prepare(key)
        let read = done.map { done in { done(key, $0) } }
        try requests.add(
            {
                parameters.withPointers { values, lengths, formats in
                    PQsendQueryPrepared(connection, name, Int32(parameters.types.count), values, lengths, formats, 0)
                }
            }, done: read)
        return key
    }

    private func prepare(_ key: Key) throws -> String {
        if let known = statements[key] { return known.name }
        if statements.count >= Limits.preparedStatements {
            try requests.add { PQsendQueryParams(connection, "DEALLOCATE ALL", 0, nil, nil, nil, nil, 0) }
            // Ends the implicit transaction, in which a BEGIN could no longer set the isolation level.
            try requests.sendAll()
            statements.removeAll(keepingCapacity: true)
        }
        preparedCount += 1
        let name = "s\(preparedCount)"
        try requests.add {
            PQsendPrepare(connection, name, PostgresText.numbered(key.text), Int32(key.types.count), key.types)
        } done: { [weak self] _ in
            self?.unconfirmed[name] = nil
        }
        statements[key] = Prepared(name: name)
        unconfirmed[name] = key
        return name
    }

    /// Waits for the results of the pipeline, and calls the closures of ``rowsLater(_:_:use:)``.
    /// - Returns: the last result, which the caller must clear.
    private func result() throws -> OpaquePointer? {
        let last = try resultWithoutUse()
        // The closures may add statements, and wait for their results.
        let uses = laterRows
        laterRows.removeAll()
        do {
            for (rows, use) in uses { try use(rows) }
        } catch {
            PQclear(last)
            throw error
        }
        return last
    }

    private func resultWithoutUse() throws -> OpaquePointer? {
        hasUnread = false
        hasLaterRows = false
        do {
            return try requests.result()
        } catch {
            // The server skipped what followed the failed request.
            for (name, key) in unconfirmed where statements[key]?.name == name { statements[key] = nil }
            unconfirmed.removeAll()
            throw error
        }
    }

    private func columns(of result: OpaquePointer, _ key: Key) -> RowColumns {
        if let known = statements[key]?.columns, known.names.count == Int(PQnfields(result)) { return known }
        let names = (0..<PQnfields(result)).map { PQfname(result, $0).map { String(cString: $0) } ?? "" }
        let columns = RowColumns(names: names)
        statements[key]?.columns = columns
        return columns
    }
}
