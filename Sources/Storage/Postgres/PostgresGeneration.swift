import Synchronization

/// The generation of a node's connections to PostgreSQL. A new one begins when the server was silent for too long or
/// was replaced: then idle connections of earlier generations aren't used any more, because each of them would cost a
/// request the same deadline again.
final class PostgresGeneration: Sendable {
    private let number = Atomic(0)

    var present: Int { number.load(ordering: .acquiring) }

    /// Begins a new generation, unless one has begun since `present` was `generation`.
    func end(_ generation: Int) {
        _ = number.compareExchange(expected: generation, desired: generation + 1, ordering: .acquiringAndReleasing)
    }
}
