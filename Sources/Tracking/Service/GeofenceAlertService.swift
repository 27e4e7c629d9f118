import Kernel
import Notifications
import Recurrence
import Storage

/// Evaluates the rules about places in the transaction that stores an item's last position.
struct GeofenceAlertService: Sendable {
    let alerts: ItemAlertRecorder

    /// Evaluates all rules of an item; the transaction holds the lock on its row in `whereabouts`.
    /// - Parameter samples: The new positions, the oldest first.
    func evaluate(_ item: ID<Item>, _ samples: [PositionSample], now: Instant, in tx: Transaction) throws {
        for var watched in try GeofenceStore.watched(of: item, in: tx) {
            let before = watched.state
            for sample in samples {
                let step = watched.rule.step(from: watched.state, sample)
                watched.state = step.state
                guard let crossing = step.crossing else { continue }
                if crossing.isArrival { watched.arrivedAt = crossing.since }
                try report(crossing, by: watched, now: now, in: tx)
            }
            guard watched.state != before else { continue }
            // The first known side is no crossing, and counts as an arrival for a deadline.
            if before.isInside == nil, watched.state.isInside == true, watched.arrivedAt == nil {
                watched.arrivedAt = watched.state.evaluatedAt
            }
            try GeofenceStore.update(
                watched.state, arrivedAt: watched.arrivedAt, of: watched.geofence.id, in: tx)
        }
    }

    private func report(
        _ crossing: GeofenceRule.Crossing, by watched: GeofenceStore.Watched, now: Instant, in tx: Transaction
    ) throws {
        let settings = watched.geofence.settings
        guard settings.kind == (crossing.isArrival ? .arrive : .leave), settings.covers(crossing.since),
            // A tracker that was offline for a day reports the past. The first position on the new side may be old when
            // a tracker reports rarely.
            now.seconds(since: crossing.sample.at) < Double(Limits.crossingAlertSeconds),
            let item = try ItemStore.item(watched.geofence.item, of: watched.geofence.owner, in: tx)
        else { return }
        try alerts.record(
            crossing.isArrival ? .arrived : .left, about: .init(item),
            watched.evidence([.init(.item, crossing.sample)], since: crossing.since),
            details: ["rulePlace": watched.geofence.placeName, "crossedAt": crossing.since.rfc3339],
            key: crossing.since, rule: watched.geofence.id.description, to: watched.geofence.owner, now: now, in: tx)
    }
}

/// Notifies of items that haven't arrived in time; a part of housekeeping.
struct GeofenceDeadlineService: Sendable {
    let database: Database
    let alerts: ItemAlertRecorder

    func run(now: Instant) async throws {
        while true {
            let due = try await database.read { tx in try GeofenceStore.due(now: now, in: tx) }
            for geofence in due {
                try Task.checkCancellation()
                try await database.write { tx in
                    try evaluate(geofence.id, of: geofence.item, now: now, in: tx)
                }
            }
            guard due.count == Limits.housekeepingBatch else { return }
        }
    }

    private func evaluate(_ id: ID<Geofence>, of itemID: ID<Item>, now: Instant, in tx: Transaction) throws {
        // The lock of the reports comes first. Another node may have come before.
        let last = try HealthStore.lockLastPosition(of: itemID, in: tx)
        guard let watched = try GeofenceStore.watched(id, in: tx), let dueAt = try GeofenceStore.dueAt(id, in: tx),
            dueAt <= now
        else { return }
        let settings = watched.geofence.settings
        let deadline = settings.deadline(decidedAt: dueAt)
        if let later = watched.state.decision(ofDeadline: deadline), later > now {
            return try GeofenceStore.setDue(later, id, in: tx)
        }
        try GeofenceStore.setDue(settings.nextDeadline(after: now), id, in: tx)
        let startOfDay = settings.startOfDay(of: deadline)
        let hasBeen = watched.arrivedAt.map { $0 >= startOfDay } ?? false
        guard watched.state.isInside != true, !hasBeen,
            now.seconds(since: deadline) < Double(Limits.crossingAlertSeconds),
            try HealthStore.shouldReport(itemID, in: tx),
            let item = try ItemStore.item(itemID, of: watched.geofence.owner, in: tx)
        else { return }
        var details = ["rulePlace": watched.geofence.placeName, "by": settings.by?.text ?? ""]
        details["lastSeenAt"] = last?.at.rfc3339
        var evidence = watched.evidence(last.map { [.init(.item, $0)] } ?? [], since: deadline)
        evidence.start = settings.timeZone.time(at: startOfDay).text
        try alerts.record(
            .notArrived, about: .init(item), evidence, at: last?.coordinate, details: details, key: deadline,
            rule: id.description, to: watched.geofence.owner, now: now, in: tx)
    }
}

extension GeofenceStore.Watched {
    fileprivate func evidence(_ positions: [AlertEvidence.Position], since: Instant) -> AlertEvidence {
        var evidence = AlertEvidence(positions: positions, since: since)
        evidence.distanceMetres = positions.first.flatMap { position in
            Coordinate(latitude: position.latitude, longitude: position.longitude)
                .map { area.borderDistanceMetres(to: $0) }
        }
        evidence.area = AlertEvidence.Area(
            name: geofence.placeName, latitude: area.centre.latitude, longitude: area.centre.longitude,
            radiusMetres: area.radiusMetres, outline: area.outline.map { [$0.latitude, $0.longitude] })
        evidence.dwellMinutes = geofence.settings.dwellMinutes
        evidence.by = geofence.settings.by?.text
        return evidence
    }
}
