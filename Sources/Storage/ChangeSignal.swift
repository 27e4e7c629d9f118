import Synchronization

/// Wakes the readers of the outbox. Several ticks are merged into one until a reader takes it.
final class ChangeSignal: Sendable {
    private struct State {
        var followers: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextKey = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Returns a stream that ticks once at the start, so that a reader misses no event from before it.
    func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let key: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            defer { state.nextKey += 1 }
            state.followers[state.nextKey] = continuation
            return state.nextKey
        }
        guard let key else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.followers.removeValue(forKey: key) }
        }
        return stream
    }

    func tick() {
        let followers = state.withLock { Array($0.followers.values) }
        for follower in followers { follower.yield() }
    }

    func finish() {
        let followers = state.withLock { state in
            state.isFinished = true
            return Array(state.followers.values)
        }
        for follower in followers { follower.finish() }
    }
}
