import CPostgres
import Foundation
import Kernel

/// Connects to the server of a URI that accepts writes.
///
/// libpq tries the servers of a URI in turn, so one that is frozen or cut off costs each connection
/// ``Limits/databaseConnectSeconds``. Here they are tried at the same time. While one is silent, the others are tried
/// again, because one of them may be promoted.
struct PostgresConnector {
    /// A server to connect to.
    struct Place: Hashable {
        /// The host as the URI names it: TLS and the password file need this name.
        let host: String
        /// A numeric address of the host; `nil` if it has none or is a folder with a socket.
        var address: String?
        let port: String

        fileprivate var parameters: [(String, String)] {
            [("host", host), ("port", port)] + (address.map { [("hostaddr", $0)] } ?? [])
        }

        fileprivate var description: String { "\(host):\(port)\(address.map { " (\($0))" } ?? "")" }
    }

    /// An attempt to connect to one server.
    private final class Attempt {
        let place: Place
        var connection: OpaquePointer?
        var events = Int16(POLLOUT)
        var nextAt = ContinuousClock.now
        var failure: String?

        init(_ place: Place) { self.place = place }

        deinit { PQfinish(connection) }

        /// Whether the last attempt failed.
        var hasFailed: Bool { connection == nil && failure != nil }
    }

    private let settings: [(String, String)]
    private let attempts: [Attempt]

    /// Looks up the addresses of the URI's hosts, which blocks until the system knows them.
    /// - Parameter settings: connection parameters of libpq, among them `dbname` with the URI.
    init(_ settings: [(String, String)], uri: String) {
        self.settings = settings
        // A name can have an address without a route. libpq's own attempts at one address after the other end only by
        // the deadline of all.
        attempts = Self.servers(of: uri).flatMap { server -> [Place] in
            let addresses = HostAddresses.now(of: server.host).prefix(Limits.databaseAddresses)
            return addresses.isEmpty
                ? [server] : addresses.map { Place(host: server.host, address: $0, port: server.port) }
        }.map(Attempt.init)
    }

    /// The servers of a URI that names several of them. Empty if it names one, or if libpq must find them itself: in
    /// its default folder for sockets, or by the addresses in `hostaddr`.
    static func servers(of uri: String) -> [Place] {
        let values = parameters(of: PQconninfoParse(uri, nil))
        func list(_ name: String) -> [String] {
            values[name].map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
        }
        let hosts = list("host")
        let ports = list("port")
        guard hosts.count > 1, !hosts.contains(""), values["hostaddr"] == nil,
            [0, 1, hosts.count].contains(ports.count)
        else { return [] }
        // libpq ignores an empty parameter, and would use the URI's list of ports instead.
        let standard = parameters(of: PQconndefaults())["port"] ?? "5432"
        return hosts.enumerated().map { index, host in
            let port = ports.count == hosts.count ? ports[index] : ports.first ?? ""
            return Place(host: host, port: port.isEmpty ? standard : port)
        }
    }

    private static func parameters(of options: UnsafeMutablePointer<PQconninfoOption>?) -> [String: String] {
        guard let options else { return [:] }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values
    }

    /// - Returns: an open connection, which the caller must close.
    /// - Throws: `PostgresFailure.lost` if no server accepts writes, or the deadline passes.
    func connect() throws -> OpaquePointer {
        guard !attempts.isEmpty else {
            return try connected(PostgresText.withArrays(settings) { PQconnectdbParams($0, $1, 1) })
        }
        let deadline = ContinuousClock.now + .seconds(Limits.databaseConnectSeconds)
        while ContinuousClock.now < deadline {
            for attempt in attempts where attempt.connection == nil && attempt.nextAt <= .now { begin(attempt) }
            if attempts.allSatisfy(\.hasFailed) { break }
            if let connection = progress(until: deadline) { return connection }
        }
        throw PostgresFailure.lost(
            attempts.map { attempt in
                let failure = attempt.failure ?? "no response within \(Limits.databaseConnectSeconds) s"
                return "\(attempt.place.description): \(failure)"
            }.joined(separator: "; "))
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
        let parameters = settings + attempt.place.parameters
        attempt.connection = PostgresText.withArrays(parameters) { PQconnectStartParams($0, $1, 1) }
        // libpq: begin as if PQconnectPoll had returned PGRES_POLLING_WRITING.
        attempt.events = Int16(POLLOUT)
        if PQstatus(attempt.connection) == CONNECTION_BAD { fail(attempt) }
    }

    private func fail(_ attempt: Attempt) {
        attempt.failure = attempt.connection.map(PostgresText.errorMessage(of:)) ?? "out of memory"
        PQfinish(attempt.connection)
        attempt.connection = nil
        attempt.nextAt = .now + .milliseconds(Limits.databaseConnectRetryMilliseconds)
    }

    /// Waits for the next response of a server.
    /// - Returns: a connection if one is open now.
    private func progress(until deadline: ContinuousClock.Instant) -> OpaquePointer? {
        let pending = attempts.filter { $0.connection != nil }
        var descriptors = pending.map { pollfd(fd: PQsocket($0.connection), events: $0.events, revents: 0) }
        let end = attempts.filter { $0.connection == nil }.map(\.nextAt).min().map { min($0, deadline) } ?? deadline
        let remaining = ContinuousClock.now.duration(to: end) / .milliseconds(1)
        poll(&descriptors, nfds_t(descriptors.count), Int32(max(0, remaining)) + 1)
        for (attempt, descriptor) in zip(pending, descriptors) where descriptor.revents != 0 {
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
