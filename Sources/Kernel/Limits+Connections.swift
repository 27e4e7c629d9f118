extension Limits {
    /// Seconds between two checks for replaced certificate files.
    package static let certificatePollSeconds = 30
    /// Open connections; further ones wait in the system's queue.
    package static let connections = 20_000
    /// Open connections of one network, a tenth of ``connections``; trusted proxies have no limit.
    package static let connectionsPerNetwork = 2_000
    /// Seconds between two warnings about networks that have reached ``connectionsPerNetwork``.
    package static let connectionWarningSeconds: Double = 60
    /// Seconds in which a client sends a request or reads a response, plus the time for its size at
    /// ``connectionBytesPerSecond``.
    package static let connectionGraceSeconds: Int64 = 60
    /// The lowest average rate of a request or a response, in bytes per second: 43 minutes for a photo of 10 MiB.
    package static let connectionBytesPerSecond: Int64 = 4_096
}
