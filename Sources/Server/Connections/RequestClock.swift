import NIOCore

/// The time and the bytes since a client began to send a request.
struct RequestClock {
    private let since: NIODeadline
    private var bytes = 0

    init(since: NIODeadline) { self.since = since }

    mutating func receive(_ bytes: Int) { self.bytes += bytes }

    func isTooSlow(at now: NIODeadline, _ limits: ConnectionLimits) -> Bool {
        now - since > limits.allowance(for: bytes)
    }
}
