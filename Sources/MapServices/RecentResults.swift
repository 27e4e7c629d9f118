import Synchronization

/// The results of the latest requests, in memory, so that a map service isn't asked twice for the same.
package final class RecentResults<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Two generations, so that no request pays for the removal of old results.
    private struct Generations {
        var recent: [Key: Value] = [:]
        var older: [Key: Value] = [:]
    }

    private let capacity: Int
    private let generations = Mutex(Generations())

    /// - Parameter capacity: the most results to keep.
    package init(capacity: Int) { self.capacity = capacity }

    package subscript(key: Key) -> Value? {
        generations.withLock { $0.recent[key] ?? $0.older[key] }
    }

    /// Keeps a result. Once the capacity is reached, the oldest ones are dropped.
    package func insert(_ value: Value, for key: Key) {
        generations.withLock { generations in
            if generations.recent.count >= capacity / 2 {
                generations.older = generations.recent
                generations.recent = [:]
            }
            generations.recent[key] = value
        }
    }
}
