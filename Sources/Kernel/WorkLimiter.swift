import Synchronization

/// Limits how many expensive calls run at once, such as password hashes and the decoding of pictures. Calls that share
/// a key (an email, a client's address, a person) run one after another, so that each attempt sees the count of the
/// previous one, and one key can't use all places. The keys take turns: when a call ends, the queued calls that share a
/// key with it go behind the others. A call is refused when the queue is full, or when too many queued calls share one
/// of its keys.
package final class WorkLimiter: Sendable {
    private struct Waiter {
        let ticket: UInt64
        let keys: Set<String>
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var running = 0
        var busyKeys: Set<String> = []
        var waiting: [Waiter] = []
        var lastTicket: UInt64 = 0

        func waiters(sharing keys: Set<String>) -> Int {
            keys.map { key in waiting.count { $0.keys.contains(key) } }.max() ?? 0
        }

        mutating func issueTicket() -> UInt64 {
            lastTicket += 1
            return lastTicket
        }

        /// Moves the queued calls that share one of `keys` behind the others. Their own order stays.
        mutating func moveBehind(_ keys: Set<String>) {
            guard !keys.isEmpty else { return }
            let others = waiting.filter { $0.keys.isDisjoint(with: keys) }
            waiting = others + waiting.filter { !$0.keys.isDisjoint(with: keys) }
        }
    }

    private let state = Mutex(State())
    private let places: Int
    private let queue: Int
    private let queuePerKey: Int
    private let busy: any Error

    /// - Parameters:
    ///   - places: the calls that run at once.
    ///   - queue: the calls that wait.
    ///   - queuePerKey: the calls of one key that wait.
    ///   - busy: the error of a call that finds the queue, or the key's share of it, full.
    package init(places: Int, queue: Int, queuePerKey: Int, busy: any Error) {
        self.places = places
        self.queue = queue
        self.queuePerKey = queuePerKey
        self.busy = busy
    }

    /// The number of queued calls.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Runs `work` when a place is free and no other call with one of `keys` runs.
    /// - Throws: the limiter's `busy` if the queue, or a key's share of it, is full; `CancellationError` if the task is
    ///   cancelled before `work` starts; errors of `work`.
    package func run<Value: Sendable>(
        keys: Set<String> = [], _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await enter(keys)
        defer { leave(keys) }
        return try await work()
    }

    private func enter(_ keys: Set<String>) async throws {
        let ticket = state.withLock { $0.issueTicket() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let decision = state.withLock { state -> Result<Void, any Error>? in
                    // Checked under the lock: a later cancellation finds the call in the queue.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if canRun(keys, state) {
                        begin(keys, &state)
                        return .success(())
                    }
                    guard state.waiting.count < queue, state.waiters(sharing: keys) < queuePerKey else {
                        return .failure(busy)
                    }
                    state.waiting.append(Waiter(ticket: ticket, keys: keys, continuation: continuation))
                    return nil
                }
                if let decision { continuation.resume(with: decision) }
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    /// Removes a call from the queue, unless it runs already.
    private func cancel(_ ticket: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiting.remove(at: index)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    private func leave(_ keys: Set<String>) {
        let next = state.withLock { state -> [Waiter] in
            state.running -= 1
            state.busyKeys.subtract(keys)
            state.moveBehind(keys)
            var next: [Waiter] = []
            while let index = state.waiting.firstIndex(where: { canRun($0.keys, state) }) {
                let waiter = state.waiting.remove(at: index)
                begin(waiter.keys, &state)
                next.append(waiter)
            }
            return next
        }
        for waiter in next { waiter.continuation.resume() }
    }

    private func canRun(_ keys: Set<String>, _ state: State) -> Bool {
        state.running < places && state.busyKeys.isDisjoint(with: keys)
    }

    private func begin(_ keys: Set<String>, _ state: inout State) {
        state.running += 1
        state.busyKeys.formUnion(keys)
    }
}
