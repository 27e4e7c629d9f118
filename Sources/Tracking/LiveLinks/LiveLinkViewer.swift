import Kernel

/// One open page of a live link. Its events are complete positions, so that a slow reader can miss all but the last.
package final class LiveLinkViewer: Sendable {
    private static let bufferedEvents = 4

    let id: String
    let link: ID<LiveLink>
    /// The client's network; see `ClientNetwork`.
    let network: String
    /// The bytes of the events.
    package let events: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation

    init(id: String, link: ID<LiveLink>, network: String) {
        self.id = id
        self.link = link
        self.network = network
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.bufferedEvents))
    }

    func send(_ position: SharedPosition?) {
        let data = position.map { JSONText($0).bytes } ?? Array("null".utf8)
        continuation.yield(Array("event: position\ndata: ".utf8) + data + Array("\n\n".utf8))
    }

    func beat() { continuation.yield(Array(": \n\n".utf8)) }

    /// Tells the page that the link has ended, and ends the stream.
    func end() {
        continuation.yield(Array("event: end\ndata: {}\n\n".utf8))
        continuation.finish()
    }

    /// Ends the stream; the page connects again.
    func finish() { continuation.finish() }
}
