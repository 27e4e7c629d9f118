import Kernel
import Notifications
import Storage

/// Evaluates the rule for separation alerts in the transaction that stores a position, so that a position and its
/// notification are committed together, exactly once.
struct SeparationAlertService: Sendable {
    /// Evaluates the rule after a change of an item's last position; the transaction holds the lock on the item's row.
    func evaluate(_ item: ID<Item>, now: Instant, in tx: Transaction) throws {
        guard let watched = try AlertStore.watched(item, now: now, in: tx) else { return }
        let phones = try AlertStore.phones(of: watched.owner, now: now, in: tx)
        try evaluate(watched, phones: phones, now: now, in: tx)
    }

    /// Evaluates the rule after a position of one of the owner's phones.
    /// - Parameter at: The time of the position.
    func evaluate(phoneOf owner: PersonID, seenAt at: Instant, now: Instant, in tx: Transaction) throws {
        let needed = at.adding(seconds: Limits.alertPositionSeconds)
        guard needed > now else { return }
        let items = try AlertStore.watched(of: owner, now: now, in: tx)
        if items.contains(where: { item in item.watchedUntil.map { $0 < needed } ?? true }) {
            try AlertStore.watch(of: owner, since: at, in: tx)
        }
        let present = items.filter { $0.sighting.map { SeparationAlertRule.counts($0, now: now) } ?? false }
        guard !present.isEmpty else { return }
        let phones = try AlertStore.phones(of: owner, now: now, in: tx)
        for item in present { try evaluate(item, phones: phones, now: now, in: tx) }
    }

    private func evaluate(
        _ item: AlertStore.WatchedItem, phones: [PositionSample], now: Instant, in tx: Transaction
    ) throws {
        guard let sighting = item.sighting else { return }
        let step = try item.rule.step(from: item.state, item: sighting, phones: phones, now: now) {
            try SafePlaceStore.circles(of: item.owner, in: tx)
        }
        guard step.state != item.state else { return }
        try AlertStore.update(step.state, of: item.id, in: tx)
        guard let distance = step.alertDistanceMetres else { return }
        try item.notification(distanceMetres: distance, sighting, now: now).post(in: tx)
    }
}

extension AlertStore.WatchedItem {
    /// One notification for each separation: an item starts at most one separation at one instant.
    fileprivate func notification(distanceMetres: Double, _ sighting: PositionSample, now: Instant) -> Notice {
        let place = sighting.coordinate
        return Notice(
            id: ID(about: [NoticeKind.itemTooFar.rawValue, id.description], at: now), person: owner, kind: .itemTooFar,
            resource: TrackingEvents.path(id), subject: name,
            details: [
                "distanceMetres": String(Int(distanceMetres.rounded())),
                "place": PlainDecimal.text(place.latitude) + "," + PlainDecimal.text(place.longitude),
                "lastSeenAt": sighting.at.rfc3339,
            ],
            at: now
        )
    }
}
