package import Kernel

extension Database {
    private static let shortestPauseMilliseconds = 250

    /// Does work at once, then whenever the outbox may have grown, by this process or another, and when the work itself
    /// said that more is due. Changes of a moment melt into one reason. Returns when its task is cancelled, and not
    /// before the work that is under way.
    /// - Parameters:
    ///   - seconds: no pause is longer, whatever the work says.
    ///   - clock: what the times that the work names are of.
    ///   - work: does what is due, and returns when it is next, or nil when only a change can bring more.
    ///   - failed: is told what the work threw, but for its cancellation; it is tried again after the longest pause.
    package func workWhenDue(
        atLeastEvery seconds: Int64, clock: any WallClock, work: @Sendable () async throws -> Instant?,
        failed: @Sendable (any Error) -> Void
    ) async {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let changes = Task { [changes = changes()] in
            for await _ in changes { wake.yield() }
        }
        var timer: Task<Void, Never>?
        defer {
            changes.cancel()
            timer?.cancel()
            wake.finish()
        }
        wake.yield()
        for await _ in wakes {
            var pause = Double(seconds)
            do {
                if let next = try await work() { pause = min(pause, max(0, next.seconds(since: clock.now))) }
            } catch is CancellationError {
            } catch {
                failed(error)
            }
            timer?.cancel()
            timer = Task { [pause] in
                guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
                wake.yield()
            }
            try? await Task.sleep(for: .milliseconds(Self.shortestPauseMilliseconds))
        }
    }
}
