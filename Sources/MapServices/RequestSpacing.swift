import Kernel
import Synchronization

/// Lets one request start at a time, at most one in each interval. Each node counts separately.
final class RequestSpacing: Sendable {
    private let interval: Duration
    private let next = Mutex(ContinuousClock.now)

    init(_ interval: Duration) { self.interval = interval }

    /// Waits until the next request may start.
    /// - Parameter longest: `nil` to wait as long as necessary.
    /// - Throws: ``MapServiceBusy`` if that takes longer; then it doesn't count.
    func wait(atMost longest: Duration?) async throws {
        let start = try next.withLock { next in
            let now = ContinuousClock.now
            let start = max(now, next)
            if let longest, start - now > longest { throw MapServiceBusy() }
            next = start + interval
            return start
        }
        try await ContinuousClock().sleep(until: start)
    }
}
