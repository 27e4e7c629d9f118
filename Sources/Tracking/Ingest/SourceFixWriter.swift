import Kernel
import Storage

/// Stores the positions of sources with their effects, inside a transaction.
struct SourceFixWriter: Sendable {
    let credentials: CredentialCache
    let handover: SourceCommandHandover
    let separations: SeparationAlertService
    let health: HealthAlertService
    let geofences: GeofenceAlertService
    let people: PersonFollower
    let random: any RandomSource

    /// Stores a position of one of the owner's phones.
    func storePhone(
        _ report: Report, at: Instant, from credential: SourceCredential, now: Instant, in tx: Transaction
    ) throws {
        guard try SourceStore.exists(credential, in: tx) else { throw SourceRevokedError() }
        let stored = try PositionStore.report(
            report, at: at, of: .source(credential.source), owner: credential.owner, now: now, in: tx
        )
        guard let stored else { return }
        try tx.publish(TrackingEvents.position(of: credential.owner, version: stored.version, now: now))
        // As in the reports of items: last positions are locked before the rules about the person.
        try separations.evaluate(phoneOf: credential.owner, seenAt: at, now: now, in: tx)
        if stored.isShared {
            try people.phoneMoved(of: credential.owner, PositionSample(report, at: at), now: now, in: tx)
        }
    }

    /// Stores a position of an item.
    /// - Returns: The commands for the response.
    func store(
        _ report: Report, at: Instant, of tracked: SourceCredential.Tracked, from credential: SourceCredential,
        hash: [UInt8], now: Instant, in tx: Transaction
    ) throws -> [Command] {
        switch try FixStore.insert(report, at: at, series: tracked.series, in: tx) {
        case .stored:
            return try follow(report, at: at, of: tracked, credential, hash: hash, now: now, in: tx)
        case .knownAlready:
            guard try SourceStore.exists(credential, in: tx) else { throw SourceRevokedError() }
            return try handover.handOver(to: credential, now: now, in: tx)
        case .otherPlace:
            let entry = quarantineEntry(.otherPlaceAtThatTime, from: credential, now: now)
            return try quarantine(entry, from: credential, now: now, in: tx)
        }
    }

    /// Stores an unusable message.
    /// - Returns: The commands for the response.
    func quarantine(
        _ entry: QuarantineEntry, from credential: SourceCredential, now: Instant, in tx: Transaction
    ) throws -> [Command] {
        guard try SourceStore.exists(credential, in: tx) else { throw SourceRevokedError() }
        try QuarantineStore.add(entry, owner: credential.owner, item: credential.tracked?.item, in: tx)
        return try handover.handOver(to: credential, now: now, in: tx)
    }

    func quarantineEntry(_ reason: QuarantineReason, from credential: SourceCredential, now: Instant) -> QuarantineEntry
    {
        QuarantineEntry(reason, device: credential.source.description, now: now, random: random)
    }

    /// Stores the effects of a new fix. The usual case needs two statements: the last position, and the event.
    private func follow(
        _ report: Report, at: Instant, of tracked: SourceCredential.Tracked, _ credential: SourceCredential,
        hash: [UInt8], now: Instant, in tx: Transaction
    ) throws -> [Command] {
        let followed = try SourceFixStore.follow(report, at: at, of: tracked, by: credential, seenAt: now, in: tx)
        guard let (reported, hasMoved) = followed else { throw SourceRevokedError() }
        try TrackingEvents.publish(
            .fix, of: tracked.item, path: tracked.path, owner: credential.owner, reported, now: now, in: tx)
        if !tracked.isActive { try activate(credential, tracked, hash: hash, in: tx) }
        if hasMoved {
            if reported.isWatched(at: now) { try separations.evaluate(tracked.item, now: now, in: tx) }
            try health.evaluateBattery(
                tracked.item, percent: report.batteryPercent, isLow: reported.isBatteryLow, at: at, now: now, in: tx)
            if reported.isParked {
                try health.evaluateParking(tracked.item, [PositionSample(report, at: at)], now: now, in: tx)
            }
            if reported.hasGeofences {
                try geofences.evaluate(tracked.item, [PositionSample(report, at: at)], now: now, in: tx)
            }
            if reported.showsPerson {
                try people.itemMoved(
                    tracked.item, of: credential.owner, [PositionSample(report, at: at)], now: now, in: tx)
            }
        }
        guard reported.hasWaiting else { return [] }
        return try handover.handOver(to: credential, isAnswered: hasMoved, now: now, in: tx)
    }

    private func activate(
        _ credential: SourceCredential, _ tracked: SourceCredential.Tracked, hash: [UInt8], in tx: Transaction
    ) throws {
        _ = try SourceStore.activate(credential.source, in: tx)
        let active = SourceCredential(
            source: credential.source, secretHash: credential.secretHash, owner: credential.owner,
            kind: credential.kind, user: credential.user, sealedPassphrase: credential.sealedPassphrase,
            speedUnit: credential.speedUnit,
            tracked: SourceCredential.Tracked(item: tracked.item, series: tracked.series, isActive: true)
        )
        tx.afterCommit { [credentials] in credentials.store(active, for: hash) }
    }
}
