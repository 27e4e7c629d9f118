import NIOCore

extension Channel {
    /// Whether this is a stream of an HTTP/2 connection. The parent of an HTTP/1.1 connection is the listening channel,
    /// which has none.
    var isHTTP2Stream: Bool { parent?.parent != nil }
}
