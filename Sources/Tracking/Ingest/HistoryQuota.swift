import Kernel
import Synchronization

/// The remaining capacity of accounts for positions. A count is reused for a while, so that not every position costs a
/// query.
final class HistoryQuota: Sendable {
    private struct Capacity {
        var left: Int
        let until: Instant
    }

    /// The maximum number of an account's positions in the table.
    let limit: Int
    private let capacities = Mutex<[PersonID: Capacity]>([:])

    init(limit: Int) { self.limit = limit }

    /// Takes capacity by the last count.
    /// - Returns: Whether there was capacity; `nil` when the positions must be counted again.
    func reserve(_ count: Int, of owner: PersonID, now: Instant) -> Bool? {
        capacities.withLock { capacities in
            guard let capacity = capacities[owner], now < capacity.until else { return nil }
            if capacity.left == 0 { return false }
            guard capacity.left >= count else { return nil }
            capacities[owner]?.left -= count
            return true
        }
    }

    /// Stores a new count and takes capacity. A message that starts below the limit is accepted as a whole: otherwise a
    /// message larger than the remaining capacity would be retried forever.
    /// - Returns: Whether there was capacity.
    func reserve(_ count: Int, of owner: PersonID, stored: Int, now: Instant) -> Bool {
        let left = max(0, limit - stored)
        capacities.withLock { capacities in
            if capacities.count >= Limits.ingestBuckets { capacities.removeAll(keepingCapacity: true) }
            capacities[owner] = Capacity(
                left: left == 0 ? 0 : max(0, min(left, Limits.historyRoomAtOnce) - count),
                until: now.adding(seconds: Limits.historyRoomSeconds)
            )
            // A used-up allowance isn't a full history, so the next message counts again.
            if left > 0, capacities[owner]?.left == 0 { capacities[owner] = nil }
        }
        return left > 0
    }
}
