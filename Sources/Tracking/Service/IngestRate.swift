import Kernel
import Synchronization
import TrackerProtocol

/// How fast each device may send: a bucket of positions for each device, which fills up at a steady rate.
///
/// A message may take its bucket below zero: one that holds more than a bucket does gets through, and the next one
/// waits. Each node counts for itself and in memory, so that a position costs no write for this.
final class IngestRate: Sendable {
    enum Device: Hashable {
        case source(ID<Source>)
        case tracker(TrackerID)
        /// Repeated messages of a tracker. An attacker who replays them must not use up the tracker's own bucket.
        case repeated(TrackerID)
        /// A device at Hologram, whether or not a tracker vouches for what it sends.
        case hologram(Int64)
    }

    private struct Bucket {
        var level: Double
        var at: Instant

        func level(at now: Instant) -> Double {
            let filled = max(0, now.seconds(since: at)) * Double(Limits.ingestPerSecond)
            return min(Double(Limits.ingestBurst), level + filled)
        }
    }

    private let buckets = Mutex<[Device: Bucket]>([:])

    /// Refuses early what ``charge(_:positions:now:)`` would refuse.
    /// - Throws: ``AppError`` `throttled`.
    func check(_ device: Device, now: Instant) throws {
        let level = buckets.withLock { $0[device]?.level(at: now) }
        if let level { try refuse(below: level) }
    }

    /// Takes a message's positions out of its device's bucket. Only for messages whose sender is proved: other senders
    /// must not use up a device's bucket.
    /// - Throws: ``AppError`` `throttled`; nothing is taken then.
    func charge(_ device: Device, positions: Int = 1, now: Instant) throws {
        let refused: Double? = buckets.withLock { buckets in
            if buckets.count >= Limits.ingestBuckets, buckets[device] == nil {
                // A full bucket is as good as none.
                buckets = buckets.filter { $0.value.level(at: now) < Double(Limits.ingestBurst) }
                if buckets.count >= Limits.ingestBuckets { buckets.removeAll(keepingCapacity: true) }
            }
            let level = buckets[device]?.level(at: now) ?? Double(Limits.ingestBurst)
            guard level > 0 else { return level }
            buckets[device] = Bucket(level: level - Double(max(1, positions)), at: now)
            return nil
        }
        if let refused { try refuse(below: refused) }
    }

    private func refuse(below level: Double) throws {
        guard level <= 0 else { return }
        let seconds = Int(((1 - level) / Double(Limits.ingestPerSecond)).rounded(.up))
        throw AppError(.throttled, TrackingMessage.tooFast.rawValue, retryAfterSeconds: max(1, seconds))
    }
}

/// How many more positions accounts may store. What was counted is used for a while: not each position is worth a
/// query.
final class HistoryRoom: Sendable {
    private struct Room {
        var left: Int
        let until: Instant
    }

    /// Positions that an account may have in the table.
    let limit: Int
    private let rooms = Mutex<[PersonID: Room]>([:])

    init(limit: Int) { self.limit = limit }

    /// Takes room that is known of.
    /// - Returns: whether there was some; `nil` when it has to be counted.
    func take(_ count: Int, of owner: PersonID, now: Instant) -> Bool? {
        rooms.withLock { rooms in
            guard let room = rooms[owner], now < room.until else { return nil }
            if room.left == 0 { return false }
            guard room.left >= count else { return nil }
            rooms[owner]?.left -= count
            return true
        }
    }

    /// Notes how many positions an account has, and takes room for some more. A message that begins below the limit is
    /// taken whole: else one that holds more than there is room for would come again for ever.
    /// - Returns: whether there was some.
    func take(_ count: Int, of owner: PersonID, stored: Int, now: Instant) -> Bool {
        let left = max(0, limit - stored)
        rooms.withLock { rooms in
            if rooms.count >= Limits.ingestBuckets { rooms.removeAll(keepingCapacity: true) }
            rooms[owner] = Room(
                left: left == 0 ? 0 : max(0, min(left, Limits.historyRoomAtOnce) - count),
                until: now.adding(seconds: Limits.historyRoomSeconds)
            )
            // All of it taken is not the same as none left: the next one counts again.
            if left > 0, rooms[owner]?.left == 0 { rooms[owner] = nil }
        }
        return left > 0
    }
}
