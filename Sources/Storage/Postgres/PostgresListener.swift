import Foundation
import Kernel
import Logging
import Synchronization

/// Hears of commits anywhere that published something, wakes the followers of the outbox, and tells other nodes of
/// ours. A NOTIFY inside each transaction would have their commits wait for one another, so that one NOTIFY here
/// stands for all that were committed meanwhile. One that gets lost is made up for by a look every second.
final class PostgresListener: Sendable {
    private static let idleMilliseconds = 1_000
    private static let heldBackMilliseconds = 20
    private static let channel = "homeward_outbox"

    private struct State {
        var isStopped = false
        var hasNews = false
    }

    /// What a look at the outbox finds.
    private struct Look {
        /// The newest entry that followers can read.
        var readable: Int64 = 0
        /// Whether newer ones wait for an older transaction to end; its end doesn't notify when it published nothing.
        var isHeldBack = false
    }

    let horizon = PostgresHorizon()
    private let uri: String
    private let signal: ChangeSignal
    private let logger: Logger
    private let state = Mutex(State())
    private let wakeUp: (read: Int32, write: Int32)

    init(uri: String, signal: ChangeSignal, logger: Logger) throws {
        self.uri = uri
        self.signal = signal
        self.logger = logger
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw StorageError.cannotOpen("too many open files") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wakeUp = (ends[0], ends[1])
    }

    deinit {
        Foundation.close(wakeUp.read)
        Foundation.close(wakeUp.write)
    }

    /// Has other nodes told that something was published here.
    func announce() {
        let isFirst = state.withLock { state in
            defer { state.hasNews = true }
            return !state.hasNews
        }
        if isFirst { wake() }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        wake()
    }

    /// Works until it is stopped.
    func run() {
        var isReachable = true
        while !isStopped {
            do {
                let connection = try PostgresConnection(uri: uri)
                try connection.run("LISTEN \(Self.channel)")
                isReachable = true
                try listen(on: connection)
            } catch {
                if isReachable {
                    logger.warning("PostgreSQL doesn't answer the listener", metadata: ["reason": "\(error)"])
                }
                isReachable = false
                wait(orSocket: nil, milliseconds: Limits.databasePollMilliseconds)
            }
        }
    }

    private func listen(on connection: PostgresConnection) throws {
        // What was committed while nobody listened.
        signal.tick()
        var readable: Int64 = 0
        while !isStopped {
            try tellOthers(on: connection)
            try connection.dropNotifications()
            let look = try look(connection)
            if look.readable != readable { signal.tick() }
            readable = look.readable
            wait(
                orSocket: connection.socket,
                milliseconds: look.isHeldBack ? Self.heldBackMilliseconds : Self.idleMilliseconds
            )
        }
    }

    private func look(_ connection: PostgresConnection) throws -> Look {
        let newest: SQL = """
            SELECT \(sql: PostgresHorizon.present) AS horizon, (SELECT MAX(sequence) FROM outbox) AS newest
            """
        guard let row = try connection.rows(newest, limit: 1).first else { return Look() }
        let known = horizon.raise(to: try row.get("horizon"))
        guard let sequence = try row.get("newest", as: Int64?.self) else { return Look() }
        guard sequence >= known else { return Look(readable: sequence) }
        let below: SQL = "SELECT MAX(sequence) AS readable FROM outbox WHERE sequence < \(known)"
        let readable = try connection.rows(below, limit: 1).first?.get("readable", as: Int64?.self)
        return Look(readable: (readable ?? nil) ?? 0, isHeldBack: true)
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func tellOthers(on connection: PostgresConnection) throws {
        // Taken before it is told: what is announced meanwhile needs a notification of its own.
        let hasNews = state.withLock { state in
            defer { state.hasNews = false }
            return state.hasNews
        }
        guard hasNews else { return }
        do {
            try connection.run("NOTIFY \(Self.channel)")
        } catch {
            state.withLock { $0.hasNews = true }
            throw error
        }
    }

    private func wake() {
        var byte: UInt8 = 0
        _ = Foundation.write(wakeUp.write, &byte, 1)
    }

    private func wait(orSocket socket: Int32?, milliseconds: Int) {
        var waits = [pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0)]
        if let socket { waits.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
        _ = poll(&waits, nfds_t(waits.count), Int32(milliseconds))
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = Foundation.read(wakeUp.read, &bytes, bytes.count)
    }
}
