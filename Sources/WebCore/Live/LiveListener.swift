import Accounts
import Kernel
import NIOCore
import NIOHTTPTypes
import Synchronization

/// One open stream. Its events are written to its connection directly, on the connection's event loop: a task for each
/// stream that waits for events would cost several times as much for each event, and as much memory as the connection.
final class LiveListener: Sendable {
    private struct State {
        /// Events from before the stream was opened; `nil` afterwards.
        var waiting: [LiveEvent]? = []
        var isFinished = false
        var closing: ClosedInputHandler?
    }

    private static let heartbeat = ByteBuffer(string: ": \n\n")

    let id: Int
    let person: PersonID
    let session: ID<Session>
    let network: String
    /// Events for everyone aren't sent to children.
    let isChild: Bool
    private let channel: any Channel
    private let state: NIOLoopBoundBox<State>
    private let ended: EventLoopPromise<Void>
    private let opened = Atomic(false)
    /// The number of events that the system hasn't taken yet.
    private let unsentCount = Atomic(0)

    init(
        id: Int, person: PersonID, session: ID<Session>, network: String, isChild: Bool, channel: any Channel
    ) {
        self.id = id
        self.person = person
        self.session = session
        self.network = network
        self.isChild = isChild
        self.channel = channel
        state = .makeBoxSendingValue(State(), eventLoop: channel.eventLoop)
        ended = channel.eventLoop.makePromise()
    }

    deinit { ended.succeed() }

    var eventLoop: any EventLoop { channel.eventLoop }

    /// Whether the missed events were read, so that only new events remain to be sent.
    var isOpen: Bool { opened.load(ordering: .relaxed) }

    // MARK: Events

    /// Counts an event that ``write(_:)`` will get.
    /// - Returns: false if the stream lags behind by more than ``Limits/liveBuffer`` events.
    func reserve() -> Bool {
        guard unsentCount.add(1, ordering: .relaxed).newValue > Limits.liveBuffer else { return true }
        unsentCount.subtract(1, ordering: .relaxed)
        return false
    }

    /// Writes an event for which ``reserve()`` was called. Call it on the event loop.
    func write(_ event: LiveEvent) {
        guard state.value.waiting == nil else {
            state.value.waiting?.append(event)
            return
        }
        if !state.value.isFinished { send(event) }
    }

    private func send(_ event: LiveEvent) {
        let written = eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { [self] _ in unsentCount.subtract(1, ordering: .relaxed) }
        channel.writeAndFlush(HTTPResponsePart.body(event.bytes), promise: written)
    }

    /// Detects a closed connection. Call it on the event loop.
    func beat() {
        // A stream that lags behind is being written to anyway.
        guard state.value.waiting == nil, !state.value.isFinished, unsentCount.load(ordering: .relaxed) == 0 else {
            return
        }
        channel.writeAndFlush(HTTPResponsePart.body(Self.heartbeat), promise: nil)
    }

    // MARK: Beginning and end

    /// Begins to write events: those with a later sequence than `start` that have come in, and later ones at once. Call
    /// it when the response's head and the missed events are written.
    func open(after start: Int64) async throws {
        try await eventLoop.submit { [self] in
            for event in state.value.waiting ?? [] {
                if event.sequence > start { send(event) } else { unsentCount.subtract(1, ordering: .relaxed) }
            }
            state.value.waiting = nil
            guard !state.value.isFinished else { return }
            let handler = ClosedInputHandler { [weak self] in self?.finish() }
            try channel.pipeline.syncOperations.addHandler(handler, position: .first)
            state.value.closing = handler
        }.get()
        opened.store(true, ordering: .relaxed)
    }

    /// Waits until the stream ends.
    func end() async throws { try await ended.futureResult.get() }

    /// Ends the stream after the events that were written.
    func finish() {
        eventLoop.execute { [self] in
            guard !state.value.isFinished else { return }
            state.value.isFinished = true
            if let handler = state.value.closing {
                channel.pipeline.syncOperations.removeHandler(handler, promise: nil)
            }
            state.value.closing = nil
            ended.succeed()
        }
    }

    /// Ends the stream at once, even during a blocked write.
    func drop() {
        finish()
        channel.close(promise: nil)
    }
}

/// Detects that a client closed its side of the connection, which doesn't close the channel.
private final class ClosedInputHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let closed: () -> Void

    init(closed: @escaping () -> Void) { self.closed = closed }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { closed() }
        context.fireUserInboundEventTriggered(event)
    }
}
