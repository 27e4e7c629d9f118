import Foundation
import Kernel
import Logging
import Synchronization

/// Detects commits of all nodes that published events, wakes the readers of the outbox, and notifies other nodes of
/// this node's events. A NOTIFY inside each transaction would serialize their commits; one NOTIFY here covers all
/// commits since the last one. A check every second finds events whose notification was lost.
final class PostgresListener: Sendable {
    private static let idleMilliseconds = 1_000
    private static let heldBackMilliseconds = 20
    /// The time between the starts of two checks, as a multiple of the time that the first one took, and its range. A
    /// check costs the server as much as a change; one check covers all commits since the previous one. Under load,
    /// checks take longer and become rarer.
    private static let checkIntervalFactor = 20
    private static let checkIntervals: ClosedRange<Duration> = .milliseconds(10)...(.milliseconds(50))
    private static let channel = "homeward_outbox"

    private struct State {
        var isStopped = false
        var hasNews = false
    }

    /// The result of a check of the outbox.
    private struct Readable {
        /// The newest entry that readers may read.
        var newest: Int64 = 0
        /// The transaction that newer entries wait for. Its end causes no notification if it published nothing.
        var holder: Int64?
    }

    private struct ClockState {
        var milliseconds: Int64 = 0
        var wasRight = true
    }

    /// The state of events that wait for a transaction to end.
    private struct Waiting {
        var holder: Int64?
        var since: ContinuousClock.Instant?
        var isLogged = false
    }

    let watermark = OutboxWatermark()
    let generation = PostgresGeneration()
    private let uri: String
    private let deadlines: PostgresDeadlines
    private let signal: ChangeSignal
    private let machineClock: any WallClock
    private let logger: Logger
    private let clock = Mutex(ClockState())
    private let waiting = Mutex(Waiting())
    private let state = Mutex(State())
    private let wakeUp: (read: Int32, write: Int32)

    init(
        uri: String, deadlines: PostgresDeadlines, signal: ChangeSignal, machineClock: any WallClock, logger: Logger
    ) throws {
        self.uri = uri
        self.deadlines = deadlines
        self.signal = signal
        self.machineClock = machineClock
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

    /// Marks that this node published events, so that other nodes are notified.
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

    /// Runs until ``stop()``.
    func run() {
        var isReachable = true
        while !isStopped {
            let present = generation.present
            var opened: PostgresConnection?
            do {
                let connection = try PostgresConnection(uri: uri, deadlines: deadlines)
                opened = connection
                generation.recordServer(connection.serverStart)
                try connection.run("LISTEN \(Self.channel)")
                try checkTimeline(connection)
                isReachable = true
                try listen(on: connection)
            } catch {
                if opened?.isOverdue ?? false { generation.end(present) }
                if isReachable {
                    logger.warning("PostgreSQL doesn't answer the listener", metadata: ["reason": "\(error)"])
                }
                isReachable = false
                wait(orSocket: nil, milliseconds: Limits.databasePollMilliseconds)
            }
        }
    }

    private func listen(on connection: PostgresConnection) throws {
        // For events that were committed without a connection that listened.
        signal.tick()
        var newest: Int64 = 0
        while !isStopped {
            try notifyOtherNodes(on: connection)
            try connection.dropNotifications()
            let checkedAt = ContinuousClock.now
            let readable = try check(connection)
            let interval = min(
                max(checkedAt.duration(to: .now) * Self.checkIntervalFactor, Self.checkIntervals.lowerBound),
                Self.checkIntervals.upperBound)
            if readable.newest != newest { signal.tick() }
            newest = readable.newest
            try recordWaiting(for: readable.holder, connection)
            wait(
                orSocket: connection.socket,
                milliseconds: readable.holder == nil ? Self.idleMilliseconds : Self.heldBackMilliseconds
            )
            let rest = ContinuousClock.now.duration(to: checkedAt + interval)
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
        }
    }

    private func check(_ connection: PostgresConnection) throws -> Readable {
        let begin = machineClock.now
        guard let row = try connection.rows(OutboxWatermark.check, limit: 1).first else { return Readable() }
        let result = try OutboxWatermark.Check(row)
        recordClock(result.at, between: begin, and: machineClock.now)
        let (known, holder) = watermark.raise(by: result)
        guard let newest = result.newest else { return Readable() }
        guard newest >= known else { return Readable(newest: newest) }
        let below: SQL = "SELECT MAX(sequence) AS readable FROM outbox WHERE sequence < \(known)"
        let readable = try connection.rows(below, limit: 1).first?.get("readable", as: Int64?.self)
        // Without such a transaction the entry is newer than the check's snapshot: the next check finds it.
        return Readable(newest: (readable ?? nil) ?? 0, holder: holder ?? 0)
    }

    // MARK: After a failover

    /// Compares the server's timeline with the stored one; see ``PostgresTimeline``.
    private func checkTimeline(_ connection: PostgresConnection) throws {
        let transaction = Transaction(connection)
        let timeline = PostgresTimeline(known: watermark.known)
        if try timeline.isCurrent(in: transaction) {
            watermark.begin(lifted: try PostgresTimeline.lifted(in: transaction))
            return
        }
        generation.end(generation.present)
        // No writer can continue while this waits for the lock and until its commit. The commit waits for no standby:
        // if a failover loses it, the next server repeats it.
        try connection.run(
            """
            BEGIN; SET LOCAL synchronous_commit = local;
            SET LOCAL lock_timeout = '\(Limits.outboxLiftLockMilliseconds)ms'
            """
        )
        let lifted = try timeline.lift(in: transaction)
        try connection.run("COMMIT")
        logger.notice("The database server changed; open streams begin anew", metadata: ["from": "\(lifted)"])
        watermark.begin(lifted: lifted)
    }

    // MARK: Status

    var status: DatabaseStatus {
        let held = waiting.withLock { waiting in
            waiting.since.map { Int($0.duration(to: .now).components.seconds) } ?? 0
        }
        return DatabaseStatus(
            clockMilliseconds: clock.withLock(\.milliseconds), heldSeconds: held, resets: watermark.resets)
    }

    /// Measures the difference between this computer's clock and the database's.
    func compareClocks(_ connection: PostgresConnection) throws {
        let begin = machineClock.now
        let row = try connection.rows(
            "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint AS at", limit: 1
        ).first
        if let at = try row?.get("at", as: Instant.self) { recordClock(at, between: begin, and: machineClock.now) }
    }

    private func recordClock(_ at: Instant, between begin: Instant, and end: Instant) {
        let roundTrip = end.millisecondsSince1970 - begin.millisecondsSince1970
        guard (0...Limits.databaseClockRoundTripMilliseconds).contains(roundTrip) else { return }
        let ahead = at.millisecondsSince1970 - begin.millisecondsSince1970 - roundTrip / 2
        let isRight = ahead.magnitude <= UInt64(Limits.databaseClockMilliseconds)
        let hasChanged = clock.withLock { clock in
            defer { clock = ClockState(milliseconds: ahead, wasRight: isRight) }
            return clock.wasRight != isRight
        }
        guard hasChanged else { return }
        if isRight {
            logger.notice("This computer's clock agrees with the database's again")
        } else {
            logger.error(
                "This computer's clock differs from the database's: not ready until it is set",
                metadata: ["millisecondsBehind": "\(ahead)"])
        }
    }

    /// Measures for how long events have waited for one transaction, and logs it once.
    private func recordWaiting(for holder: Int64?, _ connection: PostgresConnection) throws {
        let isLong = waiting.withLock { waiting in
            guard let holder else {
                waiting = Waiting()
                return false
            }
            if waiting.holder != holder { waiting = Waiting(holder: holder, since: .now) }
            let seconds = waiting.since.map { $0.duration(to: .now).components.seconds } ?? 0
            guard !waiting.isLogged, seconds >= Int64(Limits.outboxHeldSeconds) else { return false }
            waiting.isLogged = true
            return true
        }
        guard isLong, let holder else { return }
        let session = try connection.rows(
            "SELECT pid, application_name FROM pg_stat_activity WHERE backend_xid::text::bigint = \(holder & 0xffff_ffff)",
            limit: 1
        ).first
        logger.warning(
            "Live events wait for a transaction that is still open",
            metadata: [
                "transaction": "\(holder)", "pid": "\((try? session?.get("pid", as: Int64.self)) ?? 0)",
                "application": "\((try? session?.get("application_name", as: String.self)) ?? "")",
            ])
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func notifyOtherNodes(on connection: PostgresConnection) throws {
        // Cleared before the NOTIFY: events announced after this need a notification of their own.
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
