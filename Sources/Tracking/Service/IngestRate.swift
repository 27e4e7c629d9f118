import Kernel
import Synchronization
import TrackerProtocol

/// How fast each device and each account may send: a bucket of positions for each, which fills up at a steady rate. An
/// account's bucket is shared by its devices, because a new device starts with a full one.
///
/// A message may take its buckets below zero: one that holds more than a bucket does gets through, and the next one
/// waits. Each node counts for itself and in memory, so that a position costs no write for this.
final class IngestRate: Sendable {
    enum Device: Hashable {
        case source(ID<Source>)
        case tracker(TrackerID)
        /// Repeated messages of a tracker. An attacker who replays them must not use up the tracker's own bucket.
        case repeated(TrackerID)
        /// A device at Hologram, whether or not a tracker vouches for what it sends.
        case hologram(Int64)
        /// All devices of an account.
        case account(PersonID)

        fileprivate var burst: Double {
            if case .account = self { return Double(Limits.accountIngestBurst) }
            return Double(Limits.ingestBurst)
        }

        fileprivate var perSecond: Double {
            if case .account = self { return Double(Limits.accountIngestPerSecond) }
            return Double(Limits.ingestPerSecond)
        }
    }

    private struct Bucket {
        var level: Double
        var at: Instant
    }

    /// The buckets in two generations, so that no request pays for the removal of old ones. A bucket in use is always
    /// in the recent generation.
    private struct Buckets {
        private var recent: [Device: Bucket] = [:]
        private var older: [Device: Bucket] = [:]

        /// The level of a device's bucket, which is full where none is kept.
        func level(of device: Device, at now: Instant) -> Double {
            guard let bucket = recent[device] ?? older[device] else { return device.burst }
            let filled = max(0, now.seconds(since: bucket.at)) * device.perSecond
            return min(device.burst, bucket.level + filled)
        }

        mutating func take(_ positions: Int, from device: Device, at now: Instant) {
            let left = level(of: device, at: now) - Double(positions)
            if recent[device] == nil, recent.count >= Limits.ingestBuckets / 2 {
                older = recent
                recent = [:]
            }
            recent[device] = Bucket(level: left, at: now)
        }
    }

    private let buckets = Mutex(Buckets())

    /// Refuses early what ``charge(_:of:positions:now:)`` would refuse.
    /// - Throws: ``AppError`` `throttled`.
    func check(_ device: Device, now: Instant) throws {
        try buckets.withLock { buckets in try refuse([device], at: now, in: buckets) }
    }

    /// Takes a message's positions out of the buckets of its device and its account. Only for messages whose sender is
    /// proved: other senders must not use up a device's bucket.
    /// - Parameter owner: the account of the device; `nil` for a device without one.
    /// - Throws: ``AppError`` `throttled`; nothing is taken then.
    func charge(_ device: Device, of owner: PersonID?, positions: Int = 1, now: Instant) throws {
        let devices = [device] + (owner.map { [.account($0)] } ?? [])
        try buckets.withLock { buckets in
            try refuse(devices, at: now, in: buckets)
            for device in devices { buckets.take(max(1, positions), from: device, at: now) }
        }
    }

    private func refuse(_ devices: [Device], at now: Instant, in buckets: Buckets) throws {
        let waits = devices.compactMap { device -> Double? in
            let level = buckets.level(of: device, at: now)
            return level > 0 ? nil : (1 - level) / device.perSecond
        }
        guard let longest = waits.max() else { return }
        let seconds = max(1, Int(longest.rounded(.up)))
        throw AppError(.throttled, TrackingMessage.tooFast.rawValue, retryAfterSeconds: seconds)
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
