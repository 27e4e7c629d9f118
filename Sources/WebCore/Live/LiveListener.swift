import Accounts
import Kernel
import Synchronization

/// One open stream: a bounded buffer between the hub and the connection's writer.
final class LiveListener: Sendable {
    enum Message: Sendable {
        case event(LiveEvent)
        case heartbeat
    }

    let id: Int
    let person: PersonID
    let session: ID<Session>
    let network: String
    /// Events for everyone aren't sent to children.
    let isChild: Bool
    let messages: AsyncStream<Message>
    private let continuation: AsyncStream<Message>.Continuation
    private let cut: @Sendable () -> Void
    private let opened = Atomic(false)

    init(
        id: Int, person: PersonID, session: ID<Session>, network: String, isChild: Bool,
        cut: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.person = person
        self.session = session
        self.network = network
        self.isChild = isChild
        self.cut = cut
        (messages, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Limits.liveBuffer))
    }

    /// Whether the missed events were read, so that only new events remain to be sent.
    var isOpen: Bool { opened.load(ordering: .relaxed) }

    func open() { opened.store(true, ordering: .relaxed) }

    /// - Returns: false when the buffer is full.
    func enqueue(_ event: LiveEvent) -> Bool {
        if case .dropped = continuation.yield(.event(event)) { return false }
        return true
    }

    func beat() { continuation.yield(.heartbeat) }

    /// Ends the stream after the buffered messages.
    func finish() { continuation.finish() }

    /// Ends the stream at once, even during a blocked write.
    func drop() {
        continuation.finish()
        cut()
    }
}
