import CPostgres
import Foundation
import Kernel

/// Connects to the server of a URI that accepts writes.
///
/// libpq tries the servers of a URI in turn, so one that is frozen or cut off costs each connection
/// ``Limits/databaseConnectSeconds``. Here they are tried at the same time. While one is silent, the others are tried
/// again, because one of them may be promoted.
struct PostgresConnector {
    private static let pauseMilliseconds: Int64 = 250

    /// An attempt to connect to one server.
    private final class Attempt {
        let host: String
        let port: String
        var connection: OpaquePointer?
        var events = Int16(POLLOUT)
        var nextAt = ContinuousClock.now
        var failure: String?

        init(host: String, port: String) {
            self.host = host
            self.port = port
        }

        deinit { PQfinish(connection) }

        /// Whether the server has responded, and doesn't accept writes.
        var isRefused: Bool { connection == nil && failure != nil }
    }

    private let settings: [(String, String)]
    private let attempts: [Attempt]

    /// - Parameter settings: connection parameters of libpq, among them `dbname` with the URI.
    init(_ settings: [(String, String)], uri: String) {
        self.settings = settings
        attempts = Self.servers(of: uri).map { Attempt(host: $0.host, port: $0.port) }
    }

    /// The servers of a URI with several of them; none if there is one, or if they are given by numeric address.
    private static func servers(of uri: String) -> [(host: String, port: String)] {
        guard let options = PQconninfoParse(uri, nil) else { return [] }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        func list(_ name: String) -> [String] {
            values[name].map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
        }
        let hosts = list("host")
        let ports = list("port")
        guard hosts.count > 1, values["hostaddr"] == nil, [0, 1, hosts.count].contains(ports.count) else { return [] }
        return hosts.enumerated().map { index, host in
            (host: host, port: ports.count == hosts.count ? ports[index] : ports.first ?? "")
        }
    }

    /// - Returns: an open connection, which the caller must close.
    /// - Throws: `PostgresFailure.lost` if no server accepts writes, or the time is over.
    func connect() throws -> OpaquePointer {
        guard !attempts.isEmpty else {
            return try connected(PostgresText.withArrays(settings) { PQconnectdbParams($0, $1, 1) })
        }
        let deadline = ContinuousClock.now + .seconds(Limits.databaseConnectSeconds)
        while ContinuousClock.now < deadline {
            for attempt in attempts where attempt.connection == nil && attempt.nextAt <= .now { begin(attempt) }
            if attempts.allSatisfy(\.isRefused) { break }
            if let connection = progress(until: deadline) { return connection }
        }
        throw PostgresFailure.lost(
            attempts.map { "\($0.host): \($0.failure ?? "no answer within \(Limits.databaseConnectSeconds) s")" }
                .joined(separator: "; "))
    }

    private func connected(_ connection: OpaquePointer?) throws -> OpaquePointer {
        guard let connection else { throw PostgresFailure.lost("out of memory") }
        guard PQstatus(connection) == CONNECTION_OK else {
            defer { PQfinish(connection) }
            throw PostgresFailure.lost(PostgresText.errorMessage(of: connection))
        }
        return connection
    }

    private func begin(_ attempt: Attempt) {
        let own = settings + [("host", attempt.host), ("port", attempt.port)]
        attempt.connection = PostgresText.withArrays(own) { PQconnectStartParams($0, $1, 1) }
        // As after a call of PQconnectPoll that returned PGRES_POLLING_WRITING.
        attempt.events = Int16(POLLOUT)
        if PQstatus(attempt.connection) == CONNECTION_BAD { fail(attempt) }
    }

    private func fail(_ attempt: Attempt) {
        attempt.failure = attempt.connection.map(PostgresText.errorMessage(of:)) ?? "out of memory"
        PQfinish(attempt.connection)
        attempt.connection = nil
        attempt.nextAt = .now + .milliseconds(Self.pauseMilliseconds)
    }

    /// Waits for the next response of a server.
    /// - Returns: a connection if one is open now.
    private func progress(until deadline: ContinuousClock.Instant) -> OpaquePointer? {
        let pending = attempts.filter { $0.connection != nil }
        var places = pending.map { pollfd(fd: PQsocket($0.connection), events: $0.events, revents: 0) }
        let end = attempts.filter { $0.connection == nil }.map(\.nextAt).min().map { min($0, deadline) } ?? deadline
        let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
        poll(&places, nfds_t(places.count), Int32(max(0, rest)) + 1)
        for (attempt, place) in zip(pending, places) where place.revents != 0 {
            switch PQconnectPoll(attempt.connection) {
            case PGRES_POLLING_OK:
                defer { attempt.connection = nil }
                return attempt.connection
            case PGRES_POLLING_READING: attempt.events = Int16(POLLIN)
            case PGRES_POLLING_WRITING: attempt.events = Int16(POLLOUT)
            default: fail(attempt)
            }
        }
        return nil
    }
}
