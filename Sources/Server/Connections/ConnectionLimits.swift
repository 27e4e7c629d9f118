import Kernel
package import NIOCore

/// The limits of slow and idle clients, and of open connections and HTTP/2 streams.
package struct ConnectionLimits: Sendable {
    /// The time that a TLS handshake may last, and that a request or a response may last in addition to
    /// ``bytesPerSecond``.
    package let grace: TimeAmount
    /// The rate at which a client must send a request and read a response, on average.
    package let bytesPerSecond: Int64
    /// The maximum number of open connections of one network, and of its open HTTP/2 streams.
    package let perNetwork: Int
    /// The maximum number of open HTTP/2 streams of all networks together.
    package let streamsInAll: Int
    /// The time after which a connection without a request is closed.
    package let idle: TimeAmount
    /// The time that a client has to close an HTTP/2 connection without streams after the server's GOAWAY.
    package let closing: TimeAmount

    package init(
        grace: TimeAmount = .seconds(Limits.connectionGraceSeconds),
        bytesPerSecond: Int64 = Limits.connectionBytesPerSecond, perNetwork: Int = Limits.connectionsPerNetwork,
        streamsInAll: Int = Limits.http2StreamsInAll, idle: TimeAmount = .seconds(Limits.connectionIdleSeconds),
        closing: TimeAmount = .seconds(Limits.http2CloseSeconds)
    ) {
        self.grace = grace
        self.bytesPerSecond = bytesPerSecond
        self.perNetwork = perNetwork
        self.streamsInAll = streamsInAll
        self.idle = idle
        self.closing = closing
    }

    /// The time that a client may take for a request or response of `bytes`.
    func allowance(for bytes: Int) -> TimeAmount {
        grace + .nanoseconds(Int64(bytes) * 1_000_000_000 / max(1, bytesPerSecond))
    }
}
