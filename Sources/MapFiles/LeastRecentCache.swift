/// A cache of limited weight, from which the least recently used values are removed.
///
/// The entries are a linked list in an array, from the most to the least recently used: each operation takes the same
/// time, however many there are, because requests wait while one of them uses the cache.
struct LeastRecentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let key: Key
        let value: Value
        let weight: Int
        var newer: Int?
        var older: Int?
    }

    private let limit: Int
    private var entries: [Entry?] = []
    private var unused: [Int] = []
    private var indices: [Key: Int] = [:]
    private var newest: Int?
    private var oldest: Int?
    private(set) var weight = 0

    var count: Int { indices.count }

    init(limit: Int) { self.limit = limit }

    mutating func value(for key: Key) -> Value? {
        guard let index = indices[key], let entry = entries[index] else { return nil }
        guard index != newest else { return entry.value }
        unlink(entry)
        link(index)
        return entry.value
    }

    /// Inserts a value, unless it is heavier than the cache.
    /// - Parameter weight: at least 1. Values without weight would be kept without a limit.
    mutating func insert(_ value: Value, for key: Key, weight: Int) {
        precondition(weight > 0)
        guard weight <= limit else { return }
        if let old = indices[key] { remove(old) }
        while self.weight > limit - weight, let oldest { remove(oldest) }
        let entry = Entry(key: key, value: value, weight: weight)
        let index = unused.popLast() ?? entries.count
        if index == entries.count { entries.append(entry) } else { entries[index] = entry }
        indices[key] = index
        self.weight += weight
        link(index)
    }

    private mutating func remove(_ index: Int) {
        guard let entry = entries[index] else { return }
        unlink(entry)
        entries[index] = nil
        unused.append(index)
        indices[entry.key] = nil
        weight -= entry.weight
    }

    /// Makes an entry that isn't in the list the most recently used one.
    private mutating func link(_ index: Int) {
        entries[index]?.newer = nil
        entries[index]?.older = newest
        if let newest { entries[newest]?.newer = index }
        newest = index
        oldest = oldest ?? index
    }

    private mutating func unlink(_ entry: Entry) {
        if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
        if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
    }
}
