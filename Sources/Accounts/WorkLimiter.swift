import Kernel
import Synchronization

/// Limits how many expensive calls run at once, such as password hashes. Calls that share a key (an email, a client's
/// address) run one after another, so that each attempt sees the count of the previous one, and one key can't use all
/// slots. A call is refused when the queue is full, or when too many queued calls share one of its keys.
final class WorkLimiter: Sendable {
    private struct Waiter {
        let keys: Set<String>
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var running = 0
        var busyKeys: Set<String> = []
        var waiting: [Waiter] = []

        func waiters(sharing keys: Set<String>) -> Int {
            keys.map { key in waiting.count { $0.keys.contains(key) } }.max() ?? 0
        }
    }

    private let state = Mutex(State())
    private let places: Int
    private let queue: Int
    private let queuePerKey: Int

    init(places: Int, queue: Int, queuePerKey: Int) {
        self.places = places
        self.queue = queue
        self.queuePerKey = queuePerKey
    }

    /// The number of queued calls.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Runs `work` when a slot is free.
    /// - Throws: ``AppError`` `unavailable` when the queue, or the keys' share of it, is full; errors of `work`.
    func run<Result: Sendable>(
        keys: Set<String> = [], _ work: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await enter(keys)
        defer { leave(keys) }
        return try await work()
    }

    private func enter(_ keys: Set<String>) async throws {
        let isAdmitted = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let decision: Bool? = state.withLock { state in
                if canRun(keys, state) {
                    begin(keys, &state)
                    return true
                }
                guard state.waiting.count < queue, state.waiters(sharing: keys) < queuePerKey else { return false }
                state.waiting.append(Waiter(keys: keys, continuation: continuation))
                return nil
            }
            if let decision { continuation.resume(returning: decision) }
        }
        guard isAdmitted else { throw AppError(.unavailable, .busy) }
    }

    private func leave(_ keys: Set<String>) {
        let next = state.withLock { state -> [Waiter] in
            state.running -= 1
            state.busyKeys.subtract(keys)
            var next: [Waiter] = []
            while let index = state.waiting.firstIndex(where: { canRun($0.keys, state) }) {
                let waiter = state.waiting.remove(at: index)
                begin(waiter.keys, &state)
                next.append(waiter)
            }
            return next
        }
        for waiter in next { waiter.continuation.resume(returning: true) }
    }

    private func canRun(_ keys: Set<String>, _ state: State) -> Bool {
        state.running < places && state.busyKeys.isDisjoint(with: keys)
    }

    private func begin(_ keys: Set<String>, _ state: inout State) {
        state.running += 1
        state.busyKeys.formUnion(keys)
    }
}
