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
final class PostgresRequests {
    private let connection: OpaquePointer
    var milliseconds: Int
    /// Whether a request passed its deadline. The connection can't be used again: its response may still arrive.
    private(set) var isOverdue = false

    init(_ connection: OpaquePointer, milliseconds: Int) {
        self.connection = connection
        self.milliseconds = milliseconds
    }

    /// Sends one request and waits for its last result, or for its first error.
    /// - Returns: the result; the caller must clear it.
    /// - Throws: `PostgresFailure.lost` if the request can't be sent or its deadline passes.
    func result(_ send: () -> Int32) throws -> OpaquePointer? {
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

    private var lost: PostgresFailure {
        .lost(isOverdue ? "no answer within \(milliseconds) ms" : PostgresText.errorMessage(of: connection))
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
            let ready = left < 0 ? 0 : poll(&place, 1, Int32(clamping: left + 1))
            if ready > 0 { return place.revents }
            if ready < 0, errno == EINTR { continue }
            isOverdue = true
            throw lost
        }
    }
}
