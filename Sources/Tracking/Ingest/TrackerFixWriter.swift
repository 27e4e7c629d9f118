import Kernel
import Storage
import TrackerProtocol

/// Stores the fixes of trackers' messages, inside a transaction.
struct TrackerFixWriter: Sendable {
    let separations: SeparationAlertService
    let health: HealthAlertService
    let geofences: GeofenceAlertService
    let people: PersonFollower
    let databaseClock: DatabaseClock
    let random: any RandomSource

    /// Stores the fixes of a message.
    /// - Parameter seenAt: The time of the contact; `nil` for now.
    func store(
        _ uplink: Uplink, from tracker: StoredTracker, of item: Item, seenAt: Instant? = nil, now: Instant,
        in tx: Transaction
    ) throws {
        let device = tracker.id.description
        for unusable in uplink.unusableFixes {
            let entry = QuarantineEntry(unusable.failure.quarantineReason, device: device, now: now, random: random)
            try QuarantineStore.add(entry, owner: item.owner, item: item.id, in: tx)
        }
        var latest: Report?
        var samples: [PositionSample] = []
        var stored = 0
        var series: Int64 = 0
        if !uplink.fixes.isEmpty {
            series = try FixStore.series(item: item.id, device: device, source: .tracker, in: tx)
        }
        for fix in uplink.fixes {
            var report = Report(fix)
            do {
                let at = try FixAcceptance.time(of: report, receivedAt: databaseClock.now)
                report.at = at
                switch try FixStore.insert(report, at: at, series: series, in: tx) {
                case .stored:
                    stored += 1
                    samples.append(PositionSample(report, at: at))
                    if FixAcceptance.movesLastPosition(at, last: latest?.at) { latest = report }
                case .knownAlready: break
                case .otherPlace: throw QuarantineReason.otherPlaceAtThatTime
                }
            } catch let reason as QuarantineReason {
                let entry = QuarantineEntry(reason, device: device, now: now, random: random)
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
        guard let reported else { return }
        // A message with nothing but old positions was delayed, and so was its level.
        if uplink.fixes.isEmpty || moved != nil {
            try health.evaluateBattery(
                item.id, percent: uplink.batteryPercent ?? latest?.batteryPercent, isLow: reported.isBatteryLow,
                at: seenAt ?? now, now: now, in: tx)
        }
        guard stored > 0 else { return }
        try TrackingEvents.publish(.fix, of: item.id, owner: item.owner, reported, now: now, in: tx)
        guard let moved else { return }
        if moved.isWatched(at: now) { try separations.evaluate(item.id, now: now, in: tx) }
        samples.sort { $0.at < $1.at }
        if moved.isParked { try health.evaluateParking(item.id, samples, now: now, in: tx) }
        if moved.hasGeofences { try geofences.evaluate(item.id, samples, now: now, in: tx) }
        if moved.showsPerson { try people.itemMoved(item.id, of: item.owner, samples, now: now, in: tx) }
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
