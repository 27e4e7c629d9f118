import Kernel
import Synchronization

/// The remaining capacity of accounts for positions. A count is reused for a while, so that not every position costs a
/// query.
final class HistoryCapacity: Sendable {
    private struct Capacity {
        /// 0 for a full history.
        let left: Int
        let until: Instant
    }

    private let capacities = Mutex<[PersonID: Capacity]>([:])

    /// Takes capacity by the last count.
    /// - Returns: Whether there was capacity; `nil` when the positions must be counted again.
    func reserve(_ count: Int, of owner: PersonID, now: Instant) -> Bool? {
        capacities.withLock { capacities in
            guard let capacity = capacities[owner], now < capacity.until else { return nil }
            if capacity.left == 0 { return false }
            guard capacity.left >= count else { return nil }
            store(capacity.left - count, until: capacity.until, of: owner, in: &capacities)
            return true
        }
    }

    /// Stores a new count and takes capacity. A message that starts below the limit is accepted as a whole: otherwise a
    /// message larger than the remaining capacity would be retried forever.
    /// - Returns: Whether there was capacity.
    func reserve(_ count: Int, of owner: PersonID, _ stored: StoredFixes, now: Instant) -> Bool {
        let left = max(0, stored.limit - stored.count)
        let until = now.adding(seconds: Limits.historyRoomSeconds)
        capacities.withLock { capacities in
            if capacities.count >= Limits.ingestBuckets { capacities.removeAll(keepingCapacity: true) }
            if left == 0 {
                capacities[owner] = Capacity(left: 0, until: until)
            } else {
                store(min(left, Limits.historyRoomAtOnce) - count, until: until, of: owner, in: &capacities)
            }
        }
        return left > 0
    }

    /// Stores the rest of a count. A rest of 0 isn't a full history: the next message counts again.
    private func store(
        _ left: Int, until: Instant, of owner: PersonID, in capacities: inout [PersonID: Capacity]
    ) {
        capacities[owner] = left > 0 ? Capacity(left: left, until: until) : nil
    }
}
