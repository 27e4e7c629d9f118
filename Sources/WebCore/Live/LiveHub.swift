import Accounts
import Kernel
import Logging
import NIOCore
import ServiceLifecycle
import Storage
import Synchronization

/// Reads the outbox once for all listeners and delivers each event to those it concerns.
///
/// A listener that lags behind by ``Limits/liveBuffer`` events is dropped: its browser reconnects and resumes where it
/// stopped. Run it as a service.
package final class LiveHub: Service, Sendable {
    private enum Signal {
        case changed
        case heartbeat
    }

    private static let kindsOfAccounts: Set<String> = ["account", "session"]

    fileprivate struct State {
        var listeners: [PersonID: [LiveListener]] = [:]
        /// Open streams of each network.
        var networks: [String: Int] = [:]
        var count = 0
        var nextID = 0
        var isOpen = true
        /// The position up to which the outbox was delivered: listeners get all events after it. `nil` without
        /// listeners, so that the outbox isn't read in vain.
        var position: Int64?
        /// The number of resets of the order of events so far; see ``DatabaseStatus/resets``.
        var resets = 0
    }

    private let state = Mutex(State())
    let database: Database
    private let sessions: any SessionAuthority
    private let logger: Logger
    private let signals: AsyncStream<Signal>
    private let signal: AsyncStream<Signal>.Continuation

    init(database: Database, sessions: any SessionAuthority, logger: Logger) {
        self.database = database
        self.sessions = sessions
        self.logger = logger
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(2))
    }

    /// The number of open streams.
    package var listenerCount: Int { state.withLock { $0.count } }

    /// Whether a listener has read the events that it missed, so that its stream is open.
    var hasOpenStream: Bool { state.withLock { $0.listeners.values.joined().contains(where: \.isOpen) } }

    /// Delivers events until the server stops; then all streams end.
    package func run() async throws {
        await withTaskGroup { group in
            group.addTask { await self.deliverChanges() }
            group.addTask { await self.sendTime() }
            await withGracefulShutdownHandler {
                for await signal in signals {
                    switch signal {
                    case .changed: break
                    case .heartbeat: await beat()
                    }
                    // A failed read is tried again with the next signal, at the latest with the next heartbeat.
                    await drain()
                }
            } onGracefulShutdown: {
                self.close()
            }
            close()
            group.cancelAll()
        }
    }

    private func deliverChanges() async {
        for await _ in database.changes() {
            if Task.isCancelled { return }
            signal.yield(.changed)
        }
    }

    private func sendTime() async {
        while (try? await Task.sleep(for: .seconds(Limits.liveHeartbeatSeconds))) != nil { signal.yield(.heartbeat) }
    }

    // MARK: Listeners

    /// Begins to collect a person's events.
    /// - Parameter network: the client's network; see `ClientNetwork`.
    /// - Throws: `AppError`: throttled with ``Limits/liveStreamsPerAccount`` open streams of the person, or
    ///   ``Limits/liveStreamsPerNetwork`` of the network; unavailable when the server is full or stops.
    func listen(
        person: PersonID, session: ID<Session>, network: String = "", isChild: Bool = false, channel: any Channel
    ) throws -> LiveListener {
        try state.withLock { state in
            guard state.isOpen, state.count < Limits.liveListeners else { throw AppError(.unavailable, "") }
            guard state.listeners[person, default: []].count < Limits.liveStreamsPerAccount,
                state.networks[network, default: 0] < Limits.liveStreamsPerNetwork
            else {
                throw AppError(.throttled, "", retryAfterSeconds: Limits.liveHeartbeatSeconds)
            }
            state.nextID += 1
            let listener = LiveListener(
                id: state.nextID, person: person, session: session, network: network, isChild: isChild,
                channel: channel, isOver: { [sessions] in await Self.isOver($0, sessions) })
            state.listeners[person, default: []].append(listener)
            state.networks[network, default: 0] += 1
            state.count += 1
            return listener
        }
    }

    /// Starts delivery from the outbox. Call it after `listen`: a listener that is added afterwards could miss the
    /// events in between.
    /// - Returns: the position after which a listener gets every event. Earlier events are in the outbox.
    func begin() async throws -> Int64 {
        while true {
            let (position, resets) = state.withLock { ($0.position, $0.resets) }
            if let position { return position }
            let last = try await database.read { try Outbox.lastSequence(in: $0) }
            let hasBegun = state.withLock { state in
                // A concurrent listener may have begun at a later position. This one has to start there, too: the
                // events in between aren't delivered to anyone.
                guard state.position == nil, state.resets == resets else { return false }
                if state.count > 0 { state.position = last }
                return true
            }
            guard hasBegun else { continue }
            signal.yield(.changed)
            return last
        }
    }

    /// Removes a listener.
    func leave(_ listener: LiveListener) {
        listener.finish()
        state.withLock { $0.remove(listener) }
    }

    private func close() {
        let all = state.withLock { state in
            state.isOpen = false
            return state.listeners.values.flatMap { $0 }
        }
        for listener in all { listener.finish() }
        signal.finish()
    }

    /// Sends a heartbeat to all listeners, which also detects closed connections.
    func beat() async {
        let all = state.withLock { $0.listeners.values.flatMap { $0 } }
        await onEventLoops(all, of: { $0 }, run: { $0.beat() })
    }

    /// Runs `work` for each element on the event loop of its listener. A loop gets the next elements when it has
    /// finished the previous ones: it runs all work that it has before it serves connections again.
    private func onEventLoops<Element: Sendable>(
        _ elements: [Element], of listener: (Element) -> LiveListener,
        run work: @escaping @Sendable (Element) -> Void
    ) async {
        let groups = Dictionary(grouping: elements) { ObjectIdentifier(listener($0).eventLoop) }
        let loops = groups.values.map { (loop: listener($0[0]).eventLoop, elements: $0) }
        await withDiscardingTaskGroup { group in
            for (loop, elements) in loops {
                group.addTask {
                    for start in stride(from: 0, to: elements.count, by: Limits.liveWritesAtOnce) {
                        let turn = elements[start..<min(start + Limits.liveWritesAtOnce, elements.count)]
                        try? await loop.submit { turn.forEach(work) }.get()
                    }
                }
            }
        }
    }

    // MARK: Delivery

    /// Reads the new entries of the outbox and delivers them.
    func drain() async {
        resetIfNeeded()
        while let position = state.withLock({ $0.position }) {
            let entries: [OutboxEntry]
            do {
                entries = try await database.read {
                    try Outbox.entries(after: position, limit: Limits.outboxBatch, in: $0)
                }
            } catch {
                logger.warning("The outbox could not be read", metadata: ["error": "\(error)"])
                return
            }
            guard let last = entries.last else { return }
            await deliver(entries, from: position, upTo: last.sequence)
            if entries.count < Limits.outboxBatch { return }
        }
    }

    /// Ends all streams when a failover of the database lost events: their browsers reconnect and reload everything,
    /// and streams that resume read the affected entries again.
    private func resetIfNeeded() {
        let resets = database.status.resets
        let all = state.withLock { state in
            guard state.resets != resets else { return [LiveListener]() }
            state.resets = resets
            let all = state.listeners.values.flatMap { $0 }
            for listener in all { state.remove(listener) }
            return all
        }
        guard !all.isEmpty else { return }
        for listener in all { listener.finish() }
        logger.notice("Open streams were ended, because the order of events began anew")
    }

    /// The events of one batch for a listener.
    fileprivate struct Delivery {
        let listener: LiveListener
        var events: [LiveEvent]
    }

    private func deliver(_ entries: [OutboxEntry], from position: Int64, upTo last: Int64) async {
        let events = LiveEvent.latest(of: entries)
        // Before the page gets the event and requests new data: the response must not come from the cache.
        for event in events where Self.kindsOfAccounts.contains(event.kind) { sessions.forget(event.audience) }
        let (deliveries, dropped) = state.withLock { state in
            var (deliveries, dropped) = (state.deliveries(of: events), [LiveListener]())
            deliveries.removeAll { delivery in
                guard delivery.listener.lagsBehind else { return false }
                dropped.append(delivery.listener)
                return true
            }
            // In the same critical section, so that a new listener finds the new position. If all listeners have left
            // and a new one has begun at another position, that position stays.
            if state.position == position { state.position = last }
            for listener in dropped { state.remove(listener) }
            return (deliveries, dropped)
        }
        for listener in dropped {
            listener.drop()
            logger.debug("A slow reader of the live stream was dropped")
        }
        // Waits, because what waits for an event loop must not look as if its client read slowly.
        await onEventLoops(deliveries, of: \.listener, run: { $0.listener.write($0.events) })
    }

    /// Whether the session of a stream has ended, as far as the store can be read.
    static func isOver(_ listener: LiveListener, _ sessions: any SessionAuthority) async -> Bool {
        (try? await sessions.isValid(listener.session, of: listener.person)) != true
    }
}

extension LiveHub.State {
    fileprivate func deliveries(of events: [LiveEvent]) -> [LiveHub.Delivery] {
        var deliveries: [LiveHub.Delivery] = []
        var places: [Int: Int] = [:]
        for event in events {
            for listener in audience(of: event) {
                if let place = places[listener.id] {
                    deliveries[place].events.append(event)
                } else {
                    places[listener.id] = deliveries.count
                    deliveries.append(LiveHub.Delivery(listener: listener, events: [event]))
                }
            }
        }
        return deliveries
    }

    private func audience(of event: LiveEvent) -> [LiveListener] {
        guard event.audience == ChangeEvent.everyone else { return listeners[event.audience] ?? [] }
        return listeners.values.flatMap { $0 }.filter { !$0.isChild }
    }

    fileprivate mutating func remove(_ listener: LiveListener) {
        guard var those = listeners[listener.person], let index = those.firstIndex(where: { $0.id == listener.id })
        else {
            return
        }
        those.remove(at: index)
        listeners[listener.person] = those.isEmpty ? nil : those
        let left = networks[listener.network, default: 1] - 1
        networks[listener.network] = left > 0 ? left : nil
        count -= 1
        if count == 0 { position = nil }
    }
}
