package import Kernel

extension Database {
    private static let shortestPauseMilliseconds = 250

    /// Runs `work` at once, then whenever the outbox may have grown in any process, and at the time that `work`
    /// returned. Changes at short intervals are merged into one run. While this computer's clock is wrong, nothing
    /// runs, because the work would use the wrong time. Returns when its task is cancelled, but not before the current
    /// run ends.
    /// - Parameters:
    ///   - seconds: the longest pause, whatever `work` returns.
    ///   - clock: the clock of the times that `work` returns.
    ///   - signals: further reasons for a run, which leave no event in the outbox. It has no other reader.
    ///   - work: does the work that is due. Returns the time of its next run, or `nil` if only a change can make more
    ///     work due.
    ///   - failed: gets each error of `work` except cancellation. `work` runs again after the longest pause.
    package func workWhenDue(
        atLeastEvery seconds: Int64, clock: any WallClock, signals: AsyncStream<Void>? = nil,
        work: @Sendable () async throws -> Instant?, failed: @Sendable (any Error) -> Void
    ) async {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let changes = Task { [changes = changes()] in
            for await _ in changes { wake.yield() }
        }
        let signalling = signals.map { signals in
            Task { for await _ in signals { wake.yield() } }
        }
        var timer: Task<Void, Never>?
        defer {
            changes.cancel()
            signalling?.cancel()
            timer?.cancel()
            wake.finish()
        }
        wake.yield()
        for await _ in wakes {
            var pause = Double(seconds)
            do {
                if status.isClockRight, let next = try await work() {
                    pause = min(pause, max(0, next.seconds(since: clock.now)))
                }
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
