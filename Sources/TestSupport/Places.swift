import Synchronization

/// So many tests at once have a database; the others wait without holding a thread. All of them together would ask the
/// test server for more connections than it has, and make every wait of theirs long.
final class Places: Sendable {
    /// Set inside a test that has its place: a second database in the same test takes none.
    @TaskLocal static var isTaken = false

    static let databases = Places(12)

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Runs `work` once there is a place.
    func hold<T>(_ work: () async throws -> T) async throws -> T {
        guard !Self.isTaken else { return try await work() }
        await take()
        defer { leave() }
        return try await Self.$isTaken.withValue(true) { try await work() }
    }

    private func take() async {
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
