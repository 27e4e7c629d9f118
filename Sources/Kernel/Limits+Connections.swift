extension Limits {
    /// Seconds between two looks whether the certificate files were replaced.
    package static let certificateLookSeconds = 30
    /// Connections at once; further ones wait in the system's queue.
    package static let connections = 20_000
    /// Connections from one network at once, a tenth of ``connections``; trusted proxies have no limit.
    package static let connectionsPerNetwork = 2_000
    /// Seconds between two warnings about a network that has reached ``connectionsPerNetwork``.
    package static let connectionWarningSeconds: Double = 60
    /// Seconds that a client may take to send a request, or to read an answer, beside what its size takes at
    /// ``connectionBytesPerSecond``.
    package static let connectionGraceSeconds: Int64 = 60
    /// Bytes per second that a client must send or read on average: a photo of 10 MiB has 43 minutes.
    package static let connectionBytesPerSecond: Int64 = 4_096
}
