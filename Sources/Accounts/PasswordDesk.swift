import Kernel
import Synchronization

/// Lets few password checks run at once, and never two of the same key, so that each attempt sees what the one
/// before it has counted. Whoever comes when the queue is full is sent away.
final class PasswordDesk: Sendable {
    private struct Waiter {
        let key: String?
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var running = 0
        var busyKeys: Set<String> = []
        var waiting: [Waiter] = []
    }

    private let state = Mutex(State())
    private let places: Int
    private let queue: Int

    init(places: Int = Limits.passwordHashers, queue: Int = Limits.passwordQueue) {
        self.places = places
        self.queue = queue
    }

    /// Runs `work` when it is its turn.
    /// - Throws: ``AppError`` `unavailable` when the queue is full; what `work` throws.
    func run<Result: Sendable>(
        key: String? = nil, _ work: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await enter(key)
        defer { leave(key) }
        return try await work()
    }

    private func enter(_ key: String?) async throws {
        let isAdmitted = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let decision: Bool? = state.withLock { state in
                if canRun(key, state) {
                    begin(key, &state)
                    return true
                }
                guard state.waiting.count < queue else { return false }
                state.waiting.append(Waiter(key: key, continuation: continuation))
                return nil
            }
            if let decision { continuation.resume(returning: decision) }
        }
        guard isAdmitted else { throw AppError(.unavailable, .busy) }
    }

    private func leave(_ key: String?) {
        let next = state.withLock { state -> [Waiter] in
            state.running -= 1
            if let key { state.busyKeys.remove(key) }
            var next: [Waiter] = []
            while let index = state.waiting.firstIndex(where: { canRun($0.key, state) }) {
                let waiter = state.waiting.remove(at: index)
                begin(waiter.key, &state)
                next.append(waiter)
            }
            return next
        }
        for waiter in next { waiter.continuation.resume(returning: true) }
    }

    private func canRun(_ key: String?, _ state: State) -> Bool {
        state.running < places && !(key.map(state.busyKeys.contains) ?? false)
    }

    private func begin(_ key: String?, _ state: inout State) {
        state.running += 1
        if let key { state.busyKeys.insert(key) }
    }
}
