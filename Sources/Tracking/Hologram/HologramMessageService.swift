import Accounts
import Foundation
import Hologram
import Kernel
import Storage
import TrackerProtocol

/// The result for a message from the cloud.
enum HologramMessageOutcome {
    /// A tracker's keys authenticate a frame of the message.
    case processed
    /// The message contains no frames.
    case noFrames
    /// The message contains frames, but no tracker that claims the device authenticates one.
    case unauthenticated
}

/// Processes the messages that trackers send through the cloud, inside a transaction.
struct HologramMessageService: Sendable {
    let secrets: SecretBox
    let ingestRate: IngestRate
    let history: HistoryLimiter
    let acknowledgements: AcknowledgementRecorder
    let fixes: TrackerFixWriter
    let polls: PollScheduler
    let switches: SwitchRecorder
    let random: any RandomSource

    /// Processes a device's message from the cloud. The cloud identifies only the device; the frames themselves prove
    /// which tracker made them.
    /// - Parameters:
    ///   - source: The origin of the message, for the quarantine.
    ///   - isPushed: True when the cloud waits for a response and retries. A fetched message comes only once.
    /// - Throws: With `isPushed`, `AppError.throttled` and ``HistoryFullError``.
    func process(
        _ delivery: HologramDelivery, from source: String, isPushed: Bool = false, now: Instant, in tx: Transaction
    ) throws -> HologramMessageOutcome {
        // Trackers send base64 text, and the cloud encodes that in base64 again.
        guard let bytes = Data(base64Encoded: Data(delivery.content)), let frames = CompactFrames.split(Array(bytes)),
            (1...Limits.framesPerMessage).contains(frames.count)
        else {
            try quarantine(.unexpectedShape, from: source, now: now, in: tx)
            return .noFrames
        }
        for candidate in try TrackerPollStore.claimants(of: delivery.device, in: tx) {
            guard let keys = TrackerKeys(stored: try secrets.open(candidate.keys)) else { continue }
            let message = CompactMessage(frames, keys: keys, lastCounter: candidate.lastCompactCounter)
            guard message.isAuthentic else { continue }
            guard var tracker = try TrackerStore.lock(candidate.id, in: tx) else { continue }
            if isPushed {
                let owner = try ItemStore.owner(servedBy: tracker, in: tx)
                try ingestRate.charge(.tracker(tracker.id), of: owner, positions: message.fixes.count, now: now)
            }
            try process(
                message, receivedAt: delivery.receivedAt, isPushed: isPushed, from: &tracker, now: now, in: tx)
            return .processed
        }
        try quarantine(.unknownSender, from: source, now: now, in: tx)
        return .unauthenticated
    }

    /// Quarantines the message for the administrators.
    func quarantine(_ reason: QuarantineReason, from source: String, now: Instant, in tx: Transaction) throws {
        try HologramFeedStore.quarantine(QuarantineEntry(reason, device: source, now: now, random: random), in: tx)
    }

    private func process(
        _ message: CompactMessage, receivedAt: Instant?, isPushed: Bool, from tracker: inout StoredTracker,
        now: Instant, in tx: Transaction
    ) throws {
        tracker.compactCounter = max(tracker.compactCounter, message.lastCounter, 1)
        if try acknowledgements.confirmRelease(of: tracker, by: message.acknowledgements, in: tx) { return }
        guard let itemID = tracker.itemID, let item = try ItemStore.served(itemID, in: tx) else {
            return try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: now, in: tx)
        }
        var message = message
        var problems = message.problems
        if !message.fixes.isEmpty {
            do {
                try history.reserve(message.fixes.count, of: item.owner, now: now, in: tx)
            } catch let full as HistoryFullError {
                if isPushed { throw full }
                message.dropFixes()
                problems.append(.historyFull)
            }
        }
        let before = tracker
        let isFinished = try acknowledgements.record(
            message.acknowledgements, of: &tracker, follows: true, now: now, in: tx)
        tracker.mode = message.mode ?? tracker.mode
        tracker.confirm(byFixes: message.fixes, now: now)
        tracker.lapse(at: now)
        tracker.schedulePoll(locateMinutes: item.settings.locateMinutes, now: now)
        try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: now, in: tx)
        try polls.expectReading(tracker, before: before, now: now, in: tx)
        try switches.record(of: item, from: before, to: tracker, now: now, in: tx)
        // The cloud may have stored the message for a long time, so the time of receipt here says nothing about the
        // tracker.
        let heardAt = min(receivedAt ?? now, now)
        let lastSeenAt = try FixStore.lastSeen(item.id, in: tx)
        try fixes.store(
            message.uplink(of: tracker, now: now), from: tracker, of: item, seenAt: max(heardAt, lastSeenAt ?? heardAt),
            now: now, in: tx
        )
        for reason in problems {
            let entry = QuarantineEntry(reason, device: tracker.id.description, now: now, random: random)
            try QuarantineStore.add(entry, owner: item.owner, item: item.id, in: tx)
        }
        if isFinished || tracker.hasVisibleChange(from: before) {
            try TrackingEvents.publishCommand(of: item.id, owner: item.owner, now: now, in: tx)
        }
    }
}

extension CompactMessage {
    /// At most one of each kind, because a message can hold hundreds of bad frames.
    fileprivate var problems: [QuarantineReason] {
        (unusableFixes > 0 ? [.placeOutOfRange] : []) + (rejectedFrames > 0 ? [.unexpectedShape] : [])
    }

    /// The message as if the tracker had posted it. The counter is 0, because the frames have their own counters.
    fileprivate func uplink(of tracker: StoredTracker, now: Instant) -> Uplink {
        Uplink(
            counter: 0, at: now, phase: .active, mode: tracker.mode, batteryPercent: nil,
            fixes: fixes.sorted { $0.at < $1.at }
        )
    }
}

extension StoredTracker {
    /// A position measured after the tracker turned off proves that it is on: the confirmation was lost.
    fileprivate mutating func confirm(byFixes fixes: [TrackerFix], now: Instant) {
        guard state == .off, let offSince, let newest = fixes.map(\.at).max(),
            newest > offSince.adding(seconds: Limits.switchClockSlackSeconds)
        else { return }
        confirm(.active, now: now)
    }

    /// The highest possible counter of earlier compact frames. Posted messages use the same series and take 256
    /// counters each.
    fileprivate var lastCompactCounter: Int64 { max(compactCounter, (mark?.counter ?? 0) &* 256) }
}
