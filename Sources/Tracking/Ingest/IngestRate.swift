import Kernel
import Synchronization
import TrackerProtocol

/// The ingest rate limit: a token bucket for each device and each account, counted in positions. An account's devices
/// share its bucket, because a new device starts with a full one.
///
/// A message may take its buckets below zero: a message larger than a bucket is accepted, and the next one waits. Each
/// node counts separately and in memory, so that a position costs no database write.
final class IngestRate: Sendable {
    enum Device: Hashable {
        case source(ID<Source>)
        case tracker(TrackerID)
        /// Repeated messages of a tracker. An attacker who replays them must not use up the tracker's own bucket.
        case repeated(TrackerID)
        /// A device at Hologram, whether or not a tracker authenticates its messages.
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

        /// The level of a device's bucket; a device without one has a full bucket.
        func level(of device: Device, at now: Instant) -> Double {
            guard let bucket = recent[device] ?? older[device] else { return device.burst }
            let filled = max(0, now.seconds(since: bucket.at)) * device.perSecond
            return min(device.burst, bucket.level + filled)
        }

        mutating func charge(_ positions: Int, from device: Device, at now: Instant) {
            let left = level(of: device, at: now) - Double(positions)
            if recent[device] == nil, recent.count >= Limits.ingestBuckets / 2 {
                older = recent
                recent = [:]
            }
            recent[device] = Bucket(level: left, at: now)
        }
    }

    private let buckets = Mutex(Buckets())

    /// Rejects a device early when ``charge(_:of:positions:now:)`` would reject it.
    /// - Throws: ``AppError`` `throttled`.
    func check(_ device: Device, now: Instant) throws {
        try buckets.withLock { buckets in try refuse([device], at: now, in: buckets) }
    }

    /// Takes a message's positions out of the buckets of its device and its account. Only for messages from a proved
    /// sender: other senders must not use up a device's bucket.
    /// - Parameter owner: The account of the device; `nil` for a device without one.
    /// - Throws: ``AppError`` `throttled`; nothing is taken then.
    func charge(_ device: Device, of owner: PersonID?, positions: Int = 1, now: Instant) throws {
        let devices = [device] + (owner.map { [.account($0)] } ?? [])
        try buckets.withLock { buckets in
            try refuse(devices, at: now, in: buckets)
            for device in devices { buckets.charge(max(1, positions), from: device, at: now) }
        }
    }

    private func refuse(_ devices: [Device], at now: Instant, in buckets: Buckets) throws {
        let waits = devices.compactMap { device -> Double? in
            let level = buckets.level(of: device, at: now)
            return level > 0 ? nil : (1 - level) / device.perSecond
        }
        guard let longest = waits.max() else { return }
        let seconds = max(1, Int(longest.rounded(.up)))
        throw AppError(.throttled, TrackingErrorMessage.tooFast.text, retryAfterSeconds: seconds)
    }
}
