import Accounts
import Foundation
import Hologram
import Kernel
import Logging
import Storage
import TrackerProtocol

extension TrackingService {
    /// What became of what the cloud handed on.
    enum CloudOutcome {
        /// A tracker of ours vouched for it.
        case taken
        /// No frames of ours.
        case foreign
        /// Frames, of which no tracker that is said to have the device vouches for one.
        case unproved
    }

    /// Takes what a device has sent to the cloud. The cloud only says which device that was; the frames themselves say
    /// which tracker made them.
    /// - Parameters:
    ///   - source: where it came from, for the quarantine.
    ///   - isPushed: the cloud waits for an answer, and tries again later. What was fetched is only there once.
    /// - Throws: with `isPushed` `AppError.throttled`, and ``HistoryFull``.
    func take(
        _ delivery: HologramDelivery, from source: String, isPushed: Bool = false, now: Instant, in tx: Transaction
    ) throws -> CloudOutcome {
        // Trackers send text: the cloud wraps it in base64 once more.
        guard let bytes = Data(base64Encoded: Data(delivery.content)), let frames = CompactFrames.split(Array(bytes)),
            (1...Limits.framesPerMessage).contains(frames.count)
        else {
            try refuse(.unexpectedShape, from: source, now: now, in: tx)
            return .foreign
        }
        for candidate in try AskStore.claimants(of: delivery.device, in: tx) {
            guard let keys = TrackerKeys(stored: try secrets.open(candidate.keys)) else { continue }
            let message = CompactMessage(frames, keys: keys, lastCounter: candidate.lastCompactCounter)
            guard message.isAuthentic else { continue }
            guard var tracker = try TrackerStore.lock(candidate.id, in: tx) else { continue }
            if isPushed {
                let owner = try ItemStore.owner(servedBy: tracker, in: tx)
                try ingestRate.charge(.tracker(tracker.id), of: owner, positions: message.fixes.count, now: now)
            }
            try take(
                message, receivedAt: delivery.receivedAt, isPushed: isPushed, from: &tracker, now: now, in: tx)
            return .taken
        }
        try refuse(.unknownSender, from: source, now: now, in: tx)
        return .unproved
    }

    /// Keeps it for the operators to see.
    func refuse(_ reason: QuarantineReason, from source: String, now: Instant, in tx: Transaction) throws {
        try CloudStore.quarantine(quarantineEntry(reason, device: source, now: now), in: tx)
    }

    private func take(
        _ message: CompactMessage, receivedAt: Instant?, isPushed: Bool, from tracker: inout StoredTracker,
        now: Instant, in tx: Transaction
    ) throws {
        tracker.compactCounter = max(tracker.compactCounter, message.lastCounter, 1)
        if try isReleased(tracker, by: message.acknowledgements, in: tx) { return }
        guard let itemID = tracker.itemID, let item = try ItemStore.served(itemID, in: tx) else {
            return try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: now, in: tx)
        }
        var message = message
        var problems = message.problems
        if !message.fixes.isEmpty {
            do {
                try requireRoom(for: message.fixes.count, of: item.owner, now: now, in: tx)
            } catch let full as HistoryFull {
                if isPushed { throw full }
                message.dropFixes()
                problems.append(.historyFull)
            }
        }
        let before = tracker
        let isFinished = try finish(message.acknowledgements, of: &tracker, follows: true, now: now, in: tx)
        tracker.mode = message.mode ?? tracker.mode
        tracker.confirm(byFixes: message.fixes, now: now)
        tracker.lapse(at: now)
        tracker.planAsking(locateMinutes: item.settings.locateMinutes, now: now)
        try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: now, in: tx)
        try expect(tracker, before: before, now: now, in: tx)
        try recordSwitch(of: item, from: before, to: tracker, now: now, in: tx)
        // The cloud may have kept it for long: that isn't when the tracker was heard of.
        let heardAt = min(receivedAt ?? now, now)
        let lastSeenAt = try FixStore.lastSeen(item.id, in: tx)
        try store(
            message.uplink(of: tracker, now: now), from: tracker, of: item, seenAt: max(heardAt, lastSeenAt ?? heardAt),
            now: now, in: tx
        )
        for reason in problems {
            let entry = quarantineEntry(reason, device: tracker.id.description, now: now)
            try QuarantineStore.add(entry, owner: item.owner, item: item.id, in: tx)
        }
        if isFinished || tracker.looksDifferent(from: before) {
            try announceCommands(of: item.id, owner: item.owner, now: now, in: tx)
        }
    }
}

extension CompactMessage {
    /// One of each kind: a message of hundreds of bad frames is one piece of news.
    fileprivate var problems: [QuarantineReason] {
        (unusableFixes > 0 ? [.placeOutOfRange] : []) + (foreignFrames > 0 ? [.unexpectedShape] : [])
    }

    /// The same as a message that a tracker posts, but for the counter: the frames have one of their own.
    fileprivate func uplink(of tracker: StoredTracker, now: Instant) -> Uplink {
        Uplink(
            counter: 0, at: now, phase: .active, mode: tracker.mode, batteryPercent: nil,
            fixes: fixes.sorted { $0.at < $1.at }
        )
    }
}

extension StoredTracker {
    /// A position that was measured after the tracker turned off shows that it is on: the confirmation got lost.
    fileprivate mutating func confirm(byFixes fixes: [TrackerFix], now: Instant) {
        guard state == .off, let offSince, let newest = fixes.map(\.at).max(),
            newest > offSince.adding(seconds: Limits.switchClockSlackSeconds)
        else { return }
        confirm(.active, now: now)
    }

    /// The highest counter that a compact frame can have had by now: messages that were posted count in the same series,
    /// 256 for each.
    fileprivate var lastCompactCounter: Int64 { max(compactCounter, (mark?.counter ?? 0) &* 256) }
}
