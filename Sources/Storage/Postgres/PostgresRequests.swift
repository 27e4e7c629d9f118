import CPostgres
import Foundation
import Kernel

/// The deadlines for PostgreSQL. A frozen server keeps its connections open, so only a deadline detects it.
struct PostgresDeadlines: Sendable {
    /// Milliseconds until the server cancels a statement.
    var statementMilliseconds = Limits.databaseStatementMilliseconds
    /// Milliseconds after that until a silent server counts as lost.
    var graceMilliseconds = Limits.databaseGraceMilliseconds

    var requestMilliseconds: Int { statementMilliseconds + graceMilliseconds }

    static let listening = PostgresDeadlines(statementMilliseconds: Limits.databaseListenMilliseconds)
    static let migrating = PostgresDeadlines(statementMilliseconds: Limits.databaseMigrationMilliseconds)
}

/// Sends requests on a non-blocking connection and waits for their results up to a deadline.
///
/// Requests of libpq's [pipeline mode](https://www.postgresql.org/docs/15/libpq-pipeline-mode.html) are sent together:
/// a round trip costs as much as a statement. Each wait ends with a synchronization point, after which the server is
/// ready for further requests even if one failed, and starts its timeout for idle transactions.
final class PostgresRequests {
    private enum Sent {
        case request(done: ((OpaquePointer) -> Void)?)
        case synchronization
    }

    private let connection: OpaquePointer
    private var sent: [Sent] = []
    var milliseconds: Int
    /// Whether another server has replaced this one, so that its responses are awaited in vain. It is called while one
    /// is awaited, every ``Limits/databaseReplacementMilliseconds``.
    var isServerReplaced: () -> Bool = { false }
    /// Why a request was given up; `nil` if none was. After that the connection can't be used again: the response may
    /// still arrive.
    private var surrender: String?
    /// Whether a request was given up, because it passed its deadline or its server was replaced.
    var isOverdue: Bool { surrender != nil }
    /// The number of waits that ended with results and no error.
    private(set) var responses = 0

    init(_ connection: OpaquePointer, milliseconds: Int) {
        self.connection = connection
        self.milliseconds = milliseconds
    }

    /// Performs requests of the simple protocol, without a pipeline, and waits for the last result, or for the first
    /// error.
    /// - Precondition: the pipeline is empty.
    /// - Returns: the result; the caller must clear it.
    /// - Throws: `PostgresFailure.lost` if the request can't be sent or its deadline passes.
    func resultWithoutPipeline(_ send: () -> Int32) throws -> OpaquePointer? {
        if PQpipelineStatus(connection) != PQ_PIPELINE_OFF, PQexitPipelineMode(connection) != 1 { throw lost }
        guard !isOverdue, send() == 1 else { throw lost }
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        try flush(until: deadline)
        var last: OpaquePointer?
        while true {
            do {
                try receive(until: deadline)
            } catch {
                PQclear(last)
                throw error
            }
            guard let next = PQgetResult(connection) else { return last }
            if last != nil, PQresultStatus(last) == PGRES_FATAL_ERROR {
                PQclear(next)
            } else {
                PQclear(last)
                last = next
            }
        }
    }

    /// Performs `COPY … FROM STDIN`.
    /// - Parameter write: calls its argument with bytes of rows.
    /// - Throws: the server's error; the error of `write`, after which the server copied nothing.
    func copy(_ send: () -> Int32, write: (@escaping ([UInt8]) throws -> Void) throws -> Void) throws {
        if PQpipelineStatus(connection) != PQ_PIPELINE_OFF, PQexitPipelineMode(connection) != 1 { throw lost }
        guard !isOverdue, send() == 1 else { throw lost }
        try flush(until: deadline)
        try receive(until: deadline)
        let start = PQgetResult(connection)
        guard PQresultStatus(start) == PGRES_COPY_IN else {
            defer { PQclear(start) }
            let failure = PostgresFailure(start, of: connection) ?? lost
            try drain()
            throw failure
        }
        PQclear(start)
        do {
            try write { [self] bytes in
                let result = bytes.withUnsafeBufferPointer { buffer in
                    buffer.withMemoryRebound(to: CChar.self) {
                        PQputCopyData(connection, $0.baseAddress, Int32(clamping: $0.count))
                    }
                }
                guard result == 1 else { throw lost }
                try flush(until: deadline)
            }
        } catch {
            _ = PQputCopyEnd(connection, "the rows can't be read")
            try flush(until: deadline)
            _ = try? drain()
            throw error
        }
        guard PQputCopyEnd(connection, nil) == 1 else { throw lost }
        try flush(until: deadline)
        try drain()
    }

    private var deadline: ContinuousClock.Instant { .now + .milliseconds(milliseconds) }

    /// Reads the results of a request to its end.
    /// - Throws: the first error.
    private func drain() throws {
        var failure: PostgresFailure?
        while true {
            try receive(until: deadline)
            guard let result = PQgetResult(connection) else { break }
            failure = failure ?? PostgresFailure(result, of: connection)
            PQclear(result)
        }
        if let failure { throw failure }
    }

    // MARK: Pipeline

    /// The number of requests whose results haven't been read.
    var waitingCount: Int { sent.count }

    /// Adds a request to the pipeline.
    /// - Parameter done: called with the result when the request is known to have succeeded. It must not keep it.
    /// - Throws: `PostgresFailure.lost` if the connection is broken.
    func add(_ send: () -> Int32, done: ((OpaquePointer) -> Void)? = nil) throws {
        if PQpipelineStatus(connection) == PQ_PIPELINE_OFF, PQenterPipelineMode(connection) != 1 { throw lost }
        guard !isOverdue, send() == 1 else { throw lost }
        sent.append(.request(done: done))
    }

    /// Sends the requests of the pipeline without waiting for their results.
    func sendAll() throws {
        guard !isOverdue, PQpipelineSync(connection) == 1 else { throw lost }
        sent.append(.synchronization)
        try flush(until: ContinuousClock.now + .milliseconds(milliseconds))
    }

    /// Sends the requests of the pipeline and waits for their results.
    /// - Returns: the last result; the caller must clear it.
    /// - Throws: the error of the first request that failed, after which the server performed no other up to the next
    ///   synchronization point; or `PostgresFailure.lost`, also if the results of all requests together don't arrive
    ///   within the deadline.
    func result() throws -> OpaquePointer? {
        try sendAll()
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        var last: OpaquePointer?
        var failure: PostgresFailure?
        var isReturned = false
        defer { if !isReturned { PQclear(last) } }
        let entries = sent
        sent.removeAll(keepingCapacity: true)
        for entry in entries {
            guard case .request(let done) = entry else {
                PQclear(try next(until: deadline))
                continue
            }
            let result = try next(until: deadline)
            PQclear(last)
            last = result
            try end(until: deadline)
            guard failure == nil else { continue }
            failure = PostgresFailure(result, of: connection)
            if failure == nil { done?(result) }
        }
        if let failure { throw failure }
        responses += 1
        isReturned = true
        return last
    }

    /// Returns the next result of the pipeline.
    private func next(until deadline: ContinuousClock.Instant) throws -> OpaquePointer {
        try receive(until: deadline)
        guard let result = PQgetResult(connection) else { throw lost }
        return result
    }

    /// Reads the end of a request's results.
    private func end(until deadline: ContinuousClock.Instant) throws {
        try receive(until: deadline)
        guard let further = PQgetResult(connection) else { return }
        PQclear(further)
        throw lost
    }

    private var lost: PostgresFailure {
        .lost(surrender ?? PostgresText.errorMessage(of: connection))
    }

    private func flush(until deadline: ContinuousClock.Instant) throws {
        // A negative result means a broken connection: the request's result contains the error.
        while PQflush(connection) > 0 {
            let ready = try wait(for: Int16(POLLIN | POLLOUT), until: deadline)
            // Read while writing: a server that sends at the same time would wait until this side reads its data.
            if ready & Int16(POLLIN) != 0, PQconsumeInput(connection) == 0 { return }
        }
    }

    private func receive(until deadline: ContinuousClock.Instant) throws {
        while PQisBusy(connection) == 1 {
            _ = try wait(for: Int16(POLLIN), until: deadline)
            guard PQconsumeInput(connection) == 1 else { return }
        }
    }

    private func wait(for events: Int16, until deadline: ContinuousClock.Instant) throws -> Int16 {
        var place = pollfd(fd: PQsocket(connection), events: events, revents: 0)
        guard place.fd >= 0 else { throw lost }
        while true {
            let rest = ContinuousClock.now.duration(to: deadline).components
            let left = rest.seconds * 1_000 + rest.attoseconds / 1_000_000_000_000_000
            let pause = min(left + 1, Limits.databaseReplacementMilliseconds)
            let ready = left < 0 ? 0 : poll(&place, 1, Int32(clamping: pause))
            if ready > 0 { return place.revents }
            if ready < 0 {
                guard errno == EINTR else { throw lost }
                continue
            }
            guard left <= pause || isServerReplaced() else { continue }
            surrender = left > pause ? "another server replaced this one" : "no response within \(milliseconds) ms"
            throw lost
        }
    }
}
