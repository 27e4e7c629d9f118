import Accounts
import Kernel
import NIOCore
import NIOHTTPTypes
import Synchronization

/// One open stream. Its events are written to its connection directly, on the connection's event loop: a task for each
/// stream that waits for events would need as much memory as the connection (docs/decisions/0048).
final class LiveListener: Sendable {
    private struct State {
        var isOpen = false
        var isFinished = false
        /// Whether the stream waits for the answer whether its session is over.
        var isChecking = false
        /// Events that can't be sent yet.
        var waiting: [LiveEvent] = []
        var connection: StreamConnectionHandler?
    }

    private static let heartbeat = ByteBuffer(string: ": \n\n")

    let id: Int
    let person: PersonID
    let session: ID<Session>
    let network: String
    /// Events for everyone aren't sent to children.
    let isChild: Bool
    private let channel: any Channel
    private let isOver: @Sendable (LiveListener) async -> Bool
    private let state: NIOLoopBoundBox<State>
    private let ended: EventLoopPromise<Void>
    private let opened = Atomic(false)
    private let unsentCount = Atomic(0)

    /// - Parameter isOver: whether the stream's session has ended. It is called after each event about the session:
    ///   such an event reports the session's beginning or its end.
    init(
        id: Int, person: PersonID, session: ID<Session>, network: String, isChild: Bool, channel: any Channel,
        isOver: @escaping @Sendable (LiveListener) async -> Bool
    ) {
        self.id = id
        self.person = person
        self.session = session
        self.network = network
        self.isChild = isChild
        self.channel = channel
        self.isOver = isOver
        state = .makeBoxSendingValue(State(), eventLoop: channel.eventLoop)
        ended = channel.eventLoop.makePromise()
    }

    deinit { ended.succeed() }

    var eventLoop: any EventLoop { channel.eventLoop }

    /// Whether the missed events were read, so that only new events remain to be sent.
    var isOpen: Bool { opened.load(ordering: .relaxed) }

    /// Whether the system hasn't taken more than ``Limits/liveBuffer`` events: the client reads too slowly.
    var lagsBehind: Bool { unsentCount.load(ordering: .relaxed) > Limits.liveBuffer }

    // MARK: Events

    /// Writes events, or keeps them until the stream is open. Call it on the event loop.
    func write(_ events: [LiveEvent]) {
        guard !state.value.isFinished else { return }
        unsentCount.add(events.count, ordering: .relaxed)
        state.value.waiting += events
        sendWaiting()
    }

    private func sendWaiting() {
        guard state.value.isOpen, !state.value.isFinished else { return }
        var sent = 0
        while !state.value.isChecking, sent < state.value.waiting.count {
            let event = state.value.waiting[sent]
            send(event)
            sent += 1
            if event.isAbout(session) { check() }
        }
        state.value.waiting.removeFirst(sent)
        channel.flush()
    }

    private func send(_ event: LiveEvent) {
        let written = eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { [self] _ in unsentCount.subtract(1, ordering: .relaxed) }
        channel.write(HTTPResponsePart.body(event.bytes), promise: written)
    }

    /// Ends the stream if its session is over. Until that is known, no further event is sent.
    private func check() {
        state.value.isChecking = true
        Task {
            if await isOver(self) { return finish() }
            eventLoop.execute { [self] in
                state.value.isChecking = false
                sendWaiting()
            }
        }
    }

    /// Detects a closed connection. Call it on the event loop.
    func beat() {
        // A stream that lags behind is being written to anyway.
        guard state.value.isOpen, !state.value.isFinished, unsentCount.load(ordering: .relaxed) == 0 else { return }
        channel.writeAndFlush(HTTPResponsePart.body(Self.heartbeat), promise: nil)
    }

    // MARK: Beginning and end

    /// Ends the stream when the client closes its side of the connection, which doesn't close the channel.
    /// - Returns: whether the connection is closed after the stream.
    func watchInput() async throws -> Bool {
        try await eventLoop.submit { [self] in
            guard !state.value.isFinished else { return false }
            let connection = try StreamConnectionHandler.add(to: channel) { [weak self] in self?.finish() }
            state.value.connection = connection
            return connection.canOutliveTask
        }.get()
    }

    /// Begins to send events: those with a later sequence than `start` that have come in, and later ones at once. Call
    /// it when the response's head and the missed events are written.
    /// - Returns: whether the connection outlives its task from now on, so that the task can end. Otherwise the task
    ///   must wait for the end of the stream.
    func open(after start: Int64) async throws -> Bool {
        let outlivesTask = try await eventLoop.submit { [self] in
            let known = state.value.waiting.count
            state.value.waiting.removeAll { $0.sequence <= start }
            unsentCount.subtract(known - state.value.waiting.count, ordering: .relaxed)
            state.value.isOpen = true
            sendWaiting()
            // A stream that has ended has no handler.
            guard let connection = state.value.connection, connection.canOutliveTask else { return false }
            connection.outlivesTask = true
            return true
        }.get()
        opened.store(true, ordering: .relaxed)
        return outlivesTask
    }

    /// Waits until the stream ends.
    func end() async throws { try await ended.futureResult.get() }

    /// Ends the stream after the events that were sent.
    func finish() {
        eventLoop.execute { [self] in finishNow() }
    }

    private func finishNow() {
        guard !state.value.isFinished else { return }
        state.value.isFinished = true
        state.value.waiting = []
        if let connection = state.value.connection {
            if connection.outlivesTask { close(connection) }
            channel.pipeline.syncOperations.removeHandler(connection, promise: nil)
        }
        state.value.connection = nil
        ended.succeed()
    }

    /// Ends the response and closes the connection, whose task has ended.
    private func close(_ connection: StreamConnectionHandler) {
        connection.outlivesTask = false
        channel.writeAndFlush(HTTPResponsePart.end(nil)).whenComplete { [channel] _ in channel.close(promise: nil) }
    }

    /// Ends the stream at once, even during a blocked write.
    func drop() {
        eventLoop.execute { [self] in
            finishNow()
            channel.close(promise: nil)
        }
    }
}
