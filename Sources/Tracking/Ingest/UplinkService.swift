import Kernel
import Logging
import Storage
import TrackerProtocol

/// Processes the messages that trackers post, inside a transaction.
struct UplinkService: Sendable {
    let acknowledgements: AcknowledgementRecorder
    let fixes: TrackerFixWriter
    let history: HistoryLimiter
    let polls: PollScheduler
    let switches: SwitchRecorder
    let logger: Logger

    /// Processes a tracker's message that was not seen before.
    func process(
        _ uplink: Uplink, mark: UplinkMark, from tracker: inout StoredTracker, now: Instant, in tx: Transaction
    ) throws {
        tracker.hologramDevice = uplink.hologramDevice ?? tracker.hologramDevice
        guard let itemID = tracker.itemID, let item = try ItemStore.served(itemID, in: tx) else {
            return try TrackerStore.update(tracker, mark: mark, contactedAt: now, in: tx)
        }
        if !uplink.fixes.isEmpty { try history.reserve(uplink.fixes.count, of: item.owner, now: now, in: tx) }
        let before = tracker
        let isFinished = try acknowledgements.record(uplink.acknowledgements, of: &tracker, now: now, in: tx)
        if let state = uplink.phase.state { tracker.confirm(state, now: now) }
        tracker.mode = uplink.mode
        tracker.lapse(at: now)
        tracker.schedulePoll(locateMinutes: item.settings.locateMinutes, now: now)
        try TrackerStore.update(tracker, mark: mark, contactedAt: now, in: tx)
        try polls.expectReading(tracker, before: before, now: now, in: tx)
        try switches.record(of: item, from: before, to: tracker, now: now, in: tx)
        try fixes.store(uplink, from: tracker, of: item, now: now, in: tx)
        if isFinished || tracker.hasVisibleChange(from: before) {
            try TrackingEvents.publishCommand(of: item.id, owner: item.owner, now: now, in: tx)
        }
        if uplink.droppedFixes > 0 {
            let metadata: Logger.Metadata = ["tracker": "\(tracker.id)", "dropped": "\(uplink.droppedFixes)"]
            logger.debug("a tracker has lost fixes to its full spool", metadata: metadata)
        }
    }
}

extension TrackerPhase {
    /// The state for the phase; `nil` while the tracker is being released.
    fileprivate var state: StoredTracker.State? {
        switch self {
        case .unbound, .registering: .registering
        case .bound: .bound
        case .active: .active
        case .off: .off
        case .releasing: nil
        }
    }
}

extension StoredTracker {
    func hasVisibleChange(from other: StoredTracker) -> Bool {
        state != other.state || mode != other.mode || wanted != other.wanted
            || pendingUntil != other.pendingUntil || isLate != other.isLate
    }
}
