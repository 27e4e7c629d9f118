import Synchronization

/// The generation of a node's connections to PostgreSQL. A new one begins when the server was silent for too long or
/// was replaced: then idle connections of earlier generations aren't used any more, because each of them would cost a
/// request the same deadline again.
final class PostgresGeneration: Sendable {
    private let number = Atomic(0)
    private let server = Mutex<String?>(nil)

    var present: Int { number.load(ordering: .acquiring) }

    /// Begins a new generation, unless one has begun since `present` was `generation`.
    func end(_ generation: Int) {
        _ = number.compareExchange(expected: generation, desired: generation + 1, ordering: .acquiringAndReleasing)
    }

    /// Records the server that the listener has connected to; see ``PostgresConnection/server``.
    func found(_ server: String) { self.server.withLock { $0 = server } }

    /// Whether the listener has found another server, so that this one's responses are awaited in vain.
    func isReplaced(_ server: String) -> Bool { self.server.withLock { $0 != nil && $0 != server } }
}
