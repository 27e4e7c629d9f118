import Synchronization

/// Limits how many tests have a database at once; the others wait without blocking a thread. Without the limit, they
/// would exceed the test server's connections and slow down each other's waits.
final class Places: Sendable {
    /// Set inside a test that holds a place, so that a second database in the same test needs none.
    @TaskLocal static var isTaken = false

    static let databases = Places(12)

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Runs `work` once a place is free.
    func hold<T>(_ work: () async throws -> T) async throws -> T {
        guard !Self.isTaken else { return try await work() }
        await acquire()
        defer { leave() }
        return try await Self.$isTaken.withValue(true) { try await work() }
    }

    private func acquire() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
