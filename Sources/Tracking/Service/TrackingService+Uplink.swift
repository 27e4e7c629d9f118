import Kernel
import Logging
import Storage
import TrackerProtocol

extension TrackingService {
    /// Processes a tracker's message that was not seen before.
    func take(
        _ uplink: Uplink, mark: UplinkMark, from tracker: inout StoredTracker, now: Instant, in tx: Transaction
    ) throws {
        tracker.hologramDevice = uplink.hologramDevice ?? tracker.hologramDevice
        guard let itemID = tracker.itemID, let item = try ItemStore.served(itemID, in: tx) else {
            return try TrackerStore.update(tracker, mark: mark, contactedAt: now, in: tx)
        }
        if !uplink.fixes.isEmpty { try reserveHistoryQuota(for: uplink.fixes.count, of: item.owner, now: now, in: tx) }
        let before = tracker
        let isFinished = try finish(uplink.acknowledgements, of: &tracker, now: now, in: tx)
        if let state = uplink.phase.state { tracker.confirm(state, now: now) }
        tracker.mode = uplink.mode
        tracker.lapse(at: now)
        tracker.schedulePoll(locateMinutes: item.settings.locateMinutes, now: now)
        try TrackerStore.update(tracker, mark: mark, contactedAt: now, in: tx)
        try expect(tracker, before: before, now: now, in: tx)
        try recordSwitch(of: item, from: before, to: tracker, now: now, in: tx)
        try store(uplink, from: tracker, of: item, now: now, in: tx)
        if isFinished || tracker.hasVisibleChange(from: before) {
            try publishCommandEvent(of: item.id, owner: item.owner, now: now, in: tx)
        }
        if uplink.droppedFixes > 0 {
            let metadata: Logger.Metadata = ["tracker": "\(tracker.id)", "dropped": "\(uplink.droppedFixes)"]
            logger.debug("a tracker has lost fixes to its full spool", metadata: metadata)
        }
    }

    /// Applies the tracker's acknowledgements to the commands.
    /// - Parameter follows: True when the message has no phase: a confirmed switch then sets the tracker's state.
    /// - Returns: Whether at least one of the commands was still open.
    func finish(
        _ acknowledgements: [Acknowledgement], of tracker: inout StoredTracker, follows: Bool = false, now: Instant,
        in tx: Transaction
    ) throws -> Bool {
        var isFinished = false
        for acknowledgement in acknowledgements {
            let id = acknowledgement.id.cast(to: Command.self)
            let state = acknowledgement.result.commandState
            guard let command = try CommandStore.finish(id, of: .tracker(tracker), as: state, in: tx) else {
                // A late confirmation still counts.
                if follows, state == .applied, let kind = try CommandStore.expiredSwitch(id, of: tracker, in: tx) {
                    if let state = kind.appliedState { tracker.confirm(state, now: now) }
                }
                continue
            }
            isFinished = true
            if follows, state == .applied, let state = command.kind.appliedState { tracker.confirm(state, now: now) }
            if state == .failed {
                let reason = acknowledgement.reason ?? ""
                logger.info("a tracker refused a command", metadata: ["command": "\(id)", "reason": "\(reason)"])
            }
            guard command.kind.isSwitch else { continue }
            switch state {
            case .applied: tracker.settle()
            case .failed, .expired: tracker.giveUp(now: now)
            case .queued, .sent, .superseded: break
            }
        }
        return isFinished
    }

    /// Stores the fixes of a message.
    /// - Parameter seenAt: The time of the contact; `nil` for now.
    func store(
        _ uplink: Uplink, from tracker: StoredTracker, of item: Item, seenAt: Instant? = nil, now: Instant,
        in tx: Transaction
    ) throws {
        let device = tracker.id.description
        for unusable in uplink.unusableFixes {
            let entry = quarantineEntry(unusable.failure.quarantineReason, device: device, now: now)
            try QuarantineStore.add(entry, owner: item.owner, item: item.id, in: tx)
        }
        var latest: Report?
        var stored = 0
        var series: Int64 = 0
        if !uplink.fixes.isEmpty {
            series = try FixStore.series(item: item.id, device: device, source: .tracker, in: tx)
        }
        for fix in uplink.fixes {
            let report = Report(fix)
            var problem: QuarantineReason?
            if FixAcceptance.isAcceptable(fix.at, now: databaseNow) {
                switch try FixStore.insert(report, at: fix.at, series: series, in: tx) {
                case .stored:
                    stored += 1
                    if FixAcceptance.movesLastPosition(fix.at, last: latest?.at) { latest = report }
                case .knownAlready: break
                case .otherPlace: problem = .otherPlaceAtThatTime
                }
            } else {
                problem = .timeOutOfRange
            }
            if let problem {
                let entry = quarantineEntry(problem, device: device, now: now)
                try QuarantineStore.add(entry, owner: item.owner, item: item.id, in: tx)
            }
        }
        var moved: FixStore.Reported?
        if let latest, let at = latest.at {
            moved = try FixStore.move(
                item.id, to: latest, at: at, series: series, source: .tracker, seenAt: seenAt ?? now, in: tx
            )
        }
        let reported = try FixStore.touch(
            item.id, battery: uplink.batteryPercent, seenAt: seenAt ?? now, added: stored, in: tx
        )
        guard stored > 0, let reported else { return }
        try tx.publish(TrackingEvents.live(.fix, item.id, owner: item.owner, version: reported.version, now: now))
        if let moved, moved.isWatched(at: now) { try warn(of: item.id, now: now, in: tx) }
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

extension CommandKind {
    /// The tracker's state after it has carried out the command.
    fileprivate var appliedState: StoredTracker.State? {
        switch self {
        case .activate, .on: .active
        case .off: .off
        case .locate, .ring, .release: nil
        }
    }
}

extension StoredTracker {
    func hasVisibleChange(from other: StoredTracker) -> Bool {
        state != other.state || mode != other.mode || wanted != other.wanted
            || pendingUntil != other.pendingUntil || isLate != other.isLate
    }
}

extension TrackerCommandResult {
    fileprivate var commandState: CommandState {
        switch self {
        case .applied: .applied
        case .expired: .expired
        case .superseded: .superseded
        case .failed: .failed
        }
    }
}

extension TrackerFix.Failure {
    fileprivate var quarantineReason: QuarantineReason {
        switch self {
        case .at: .unreadableTime
        case .latitude, .longitude: .placeOutOfRange
        case .accuracy, .altitude, .speed, .heading, .battery: .numberOutOfRange
        case .shape: .unexpectedShape
        }
    }
}

extension Report {
    fileprivate init(_ fix: TrackerFix) {
        self.init(
            at: fix.at, coordinate: fix.coordinate, accuracyMetres: fix.accuracyMetres,
            altitudeMetres: fix.altitudeMetres, speedMetresPerSecond: fix.speedMetresPerSecond,
            headingDegrees: fix.headingDegrees, batteryPercent: fix.batteryPercent
        )
    }
}
