import Synchronization

/// The generation of a node's connections to PostgreSQL. A new one begins when the server was silent for too long or
/// was replaced: then idle connections of earlier generations aren't used any more, because each of them would cost a
/// request the same deadline again.
final class PostgresGeneration: Sendable {
    private let number = Atomic(0)
    private let found = Mutex(Found())

    /// The server that the listener has connected to.
    private struct Found {
        /// See ``PostgresConnection/serverStart``.
        var serverStart: String?
        /// The number of servers so far.
        var count = 0
    }

    var present: Int { number.load(ordering: .acquiring) }

    /// Begins a new generation, unless one has begun since `present` was `generation`.
    func end(_ generation: Int) {
        _ = number.compareExchange(expected: generation, desired: generation + 1, ordering: .acquiringAndReleasing)
    }

    /// Records the server that the listener has connected to.
    func recordServer(_ serverStart: String) {
        found.withLock { found in
            guard found.serverStart != serverStart else { return }
            found = Found(serverStart: serverStart, count: found.count + 1)
        }
    }

    /// The number of servers that the listener has connected to, one after the other.
    var serverCount: Int { found.withLock(\.count) }

    /// Whether the listener has found another server since ``serverCount`` was `count`, so that this one's responses
    /// are awaited in vain. Without `count`, a server that a writer finds before the listener does would count as
    /// replaced.
    func isReplaced(_ serverStart: String, since count: Int) -> Bool {
        found.withLock { $0.count > count && $0.serverStart != serverStart }
    }
}
