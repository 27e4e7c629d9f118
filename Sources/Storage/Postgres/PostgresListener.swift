import Foundation
import Kernel
import Logging

/// Hears of commits anywhere that published something, and wakes the followers of the outbox.
final class PostgresListener: Sendable {
    private static let idleMilliseconds = 10_000
    private static let heldBackMilliseconds = 20

    private let uri: String
    private let signal: ChangeSignal
    private let logger: Logger
    private let stopPipe: (read: Int32, write: Int32)

    init(uri: String, signal: ChangeSignal, logger: Logger) throws {
        self.uri = uri
        self.signal = signal
        self.logger = logger
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw StorageError.cannotOpen("too many open files") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopPipe = (ends[0], ends[1])
    }

    deinit {
        Foundation.close(stopPipe.read)
        Foundation.close(stopPipe.write)
    }

    func stop() {
        var byte: UInt8 = 0
        _ = Foundation.write(stopPipe.write, &byte, 1)
    }

    /// Works until it is stopped.
    func run() {
        var isReachable = true
        repeat {
            do {
                let connection = try PostgresConnection(uri: uri)
                try connection.run("LISTEN \(PostgresWorker.channel)")
                isReachable = true
                try listen(on: connection)
                return
            } catch {
                if isReachable {
                    logger.warning("PostgreSQL doesn't answer the listener", metadata: ["reason": "\(error)"])
                }
                isReachable = false
            }
        } while !waitForStop(orSocket: nil, milliseconds: Limits.databasePollMilliseconds)
    }

    private func listen(on connection: PostgresConnection) throws {
        // What was committed while nobody listened.
        var isHeldBack = true
        repeat {
            let isNotified = try connection.takeNotifications()
            if isNotified || isHeldBack {
                // Looked up before the tick: what was there by then, the followers will find; what comes later notifies.
                isHeldBack = try Self.isHeldBack(connection)
                signal.tick()
            } else {
                try connection.run("SELECT 1")
            }
        } while !waitForStop(
            orSocket: connection.socket, milliseconds: isHeldBack ? Self.heldBackMilliseconds : Self.idleMilliseconds
        )
    }

    /// Whether entries wait for an older transaction to end; its end doesn't notify when it published nothing.
    private static func isHeldBack(_ connection: PostgresConnection) throws -> Bool {
        let row = try connection.rows(
            "SELECT EXISTS (SELECT 1 FROM outbox WHERE sequence >= \(sql: Outbox.postgresHorizon)) AS held", limit: 1
        ).first
        return try row?.get("held") ?? false
    }

    private func waitForStop(orSocket socket: Int32?, milliseconds: Int) -> Bool {
        var waits = [pollfd(fd: stopPipe.read, events: Int16(POLLIN), revents: 0)]
        if let socket { waits.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
        _ = poll(&waits, nfds_t(waits.count), Int32(milliseconds))
        return waits[0].revents != 0
    }
}
