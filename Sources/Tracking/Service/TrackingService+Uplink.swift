import Kernel
import Logging
import Storage
import TrackerProtocol

extension TrackingService {
    /// Takes over what a tracker says in a message that was not seen before.
    func take(
        _ uplink: Uplink, mark: UplinkMark, from tracker: inout StoredTracker, now: Instant, in tx: Transaction
    ) throws {
        tracker.hologramDevice = uplink.hologramDevice ?? tracker.hologramDevice
        guard let itemID = tracker.itemID, let item = try ItemStore.served(itemID, in: tx) else {
            return try TrackerStore.update(tracker, mark: mark, contactedAt: now, in: tx)
        }
        let before = tracker
        let isFinished = try finish(uplink.acknowledgements, of: &tracker, now: now, in: tx)
        tracker.follow(uplink, now: now)
        tracker.planAsking(locateMinutes: item.settings.locateMinutes, now: now)
        try TrackerStore.update(tracker, mark: mark, contactedAt: now, in: tx)
        try expect(tracker, before: before, now: now, in: tx)
        try store(uplink, from: tracker, of: item, now: now, in: tx)
        if isFinished || tracker.looksDifferent(from: before) {
            try announceCommands(of: item.id, owner: item.owner, now: now, in: tx)
        }
        if uplink.droppedFixes > 0 {
            let metadata: Logger.Metadata = ["tracker": "\(tracker.id)", "dropped": "\(uplink.droppedFixes)"]
            logger.debug("a tracker has lost fixes to its full spool", metadata: metadata)
        }
    }

    /// - Parameter follows: nothing else says what the tracker does since: a confirmed switch does.
    /// - Returns: whether any of the commands was still open.
    func finish(
        _ acknowledgements: [Acknowledgement], of tracker: inout StoredTracker, follows: Bool = false, now: Instant,
        in tx: Transaction
    ) throws -> Bool {
        var isFinished = false
        for acknowledgement in acknowledgements {
            let id = acknowledgement.id.cast(to: Command.self)
            let state = acknowledgement.result.commandState
            guard let command = try CommandStore.finish(id, of: .tracker(tracker), as: state, in: tx) else {
                // A confirmation that came late still counts.
                if follows, state == .applied, let kind = try CommandStore.lapsedSwitch(id, of: tracker, in: tx) {
                    tracker.follow(kind, now: now)
                }
                continue
            }
            isFinished = true
            if follows, state == .applied { tracker.follow(command.kind, now: now) }
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

    /// - Parameter seenAt: when the tracker was heard of, where that isn't now.
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
        var isStored = false
        var series: Int64 = 0
        if !uplink.fixes.isEmpty {
            series = try FixStore.series(item: item.id, device: device, source: .tracker, in: tx)
        }
        for fix in uplink.fixes {
            let report = Report(fix)
            var problem: QuarantineReason?
            if FixAcceptance.isAcceptable(fix.at, now: now) {
                switch try FixStore.insert(report, at: fix.at, series: series, in: tx) {
                case .stored:
                    isStored = true
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
        let reported = try FixStore.touch(item.id, battery: uplink.batteryPercent, seenAt: seenAt ?? now, in: tx)
        guard isStored, let reported else { return }
        try tx.publish(Announcement.live(.fix, item.id, owner: item.owner, version: reported.version, now: now))
        if let moved, moved.isWatched(at: now) { try warn(of: item.id, now: now, in: tx) }
    }
}

extension StoredTracker {
    /// Takes over what the tracker says of itself.
    fileprivate mutating func follow(_ uplink: Uplink, now: Instant) {
        mode = uplink.mode
        switch uplink.phase {
        case .unbound, .registering: state = .registering
        case .bound: state = .bound
        case .active: state = .active
        case .off: state = .off
        case .releasing: break
        }
        offSince = state == .off ? offSince ?? now : nil
        // A confirmation that came late, or got lost, still counts.
        if state == .active && wanted == .on || state == .off && wanted == .off { settle() }
    }

    /// Takes over what a confirmed switch means.
    fileprivate mutating func follow(_ kind: CommandKind, now: Instant) {
        switch kind {
        case .activate, .on: state = .active
        case .off: state = .off
        case .locate, .ring, .release: return
        }
        offSince = state == .off ? offSince ?? now : nil
        if state == .active && wanted == .on || state == .off && wanted == .off { settle() }
    }

    /// The tracker did not do what was wanted.
    fileprivate mutating func giveUp(now: Instant) {
        pendingSince = pendingSince ?? now
        pendingUntil = now
        isLate = true
    }

    func looksDifferent(from other: StoredTracker) -> Bool {
        state != other.state || mode != other.mode || pendingUntil != other.pendingUntil || isLate != other.isLate
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
