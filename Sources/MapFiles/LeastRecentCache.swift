/// A cache of limited weight, from which the least recently used values are removed.
struct LeastRecentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let value: Value
        let weight: Int
        var usedAt: UInt64
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0
    private(set) var weight = 0

    init(limit: Int) { self.limit = limit }

    mutating func value(for key: Key) -> Value? {
        guard let entry = entries[key] else { return nil }
        uses += 1
        entries[key]?.usedAt = uses
        return entry.value
    }

    /// Inserts a value, unless it is heavier than the cache.
    mutating func insert(_ value: Value, for key: Key, weight: Int) {
        guard weight <= limit else { return }
        if let old = entries.removeValue(forKey: key) { self.weight -= old.weight }
        uses += 1
        entries[key] = Entry(value: value, weight: weight, usedAt: uses)
        self.weight += weight
        if self.weight > limit { removeOldest() }
    }

    /// Removes a quarter of the weight at once, because finding the oldest values looks at all of them.
    private mutating func removeOldest() {
        for (key, entry) in entries.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            guard weight > limit - limit / 4, entries.count > 1 else { return }
            entries[key] = nil
            weight -= entry.weight
        }
    }
}
