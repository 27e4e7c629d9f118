import Kernel
import Storage

/// Evaluates the rule for separation alerts in the transaction that stores a position, so that a position and its
/// notification are committed together, exactly once.
///
/// Each person who can see an item has their own state of the rule. A separation needs that everyone's phone is far
/// away: an item near another person isn't lost. It ends when the person's own phone is near again, so a person gets
/// alerts only about items that were with them.
struct SeparationAlertService: Sendable {
    let alerts: ItemAlertRecorder
    let history: SeparationHistory

    /// Evaluates the rule after a change of an item's last position; the transaction holds the lock on the item's row.
    func evaluate(_ item: ID<Item>, now: Instant, in tx: Transaction) throws {
        guard let watched = try AlertStore.watched(item, now: now, in: tx) else { return }
        if watched.isShared { return try evaluateShared([watched], now: now, in: tx) }
        let phones = try AlertStore.phones(of: watched.owner, now: now, in: tx)
        try evaluate(watched, watched.ownerAsWatcher, own: phones, others: [], now: now, in: tx)
    }

    /// Evaluates the rule after a position of one of a person's phones.
    /// - Parameter at: The time of the position.
    func evaluate(phoneOf person: PersonID, seenAt at: Instant, now: Instant, in tx: Transaction) throws {
        let needed = at.adding(seconds: Limits.alertPositionSeconds)
        guard needed > now else { return }
        let items = try AlertStore.watched(of: person, now: now, in: tx)
        if items.contains(where: { item in item.watchedUntil.map { $0 < needed } ?? true }) {
            try AlertStore.watch(of: person, since: at, in: tx)
        }
        let present = items.filter { $0.sighting.map { SeparationAlertRule.counts($0, now: now) } ?? false }
        guard !present.isEmpty else { return }
        let phones = try AlertStore.phones(of: person, now: now, in: tx)
        for item in present where !item.isShared {
            try evaluate(item, item.ownerAsWatcher, own: phones, others: [], now: now, in: tx)
        }
        try evaluateShared(present.filter(\.isShared), now: now, in: tx)
    }

    private func evaluateShared(_ items: [AlertStore.WatchedItem], now: Instant, in tx: Transaction) throws {
        guard !items.isEmpty else { return }
        let phones = try AlertStore.phones(ofPeopleOf: items.map(\.id), now: now, in: tx)
        let watchers = try AlertStore.watchers(of: items.map(\.id), in: tx)
        for item in items {
            let phones = phones[item.id] ?? [:]
            for watcher in [item.ownerAsWatcher] + (watchers[item.id] ?? []) {
                let others = phones.filter { $0.key != watcher.person }.values.flatMap(\.self)
                try evaluate(item, watcher, own: phones[watcher.person] ?? [], others: others, now: now, in: tx)
            }
        }
    }

    /// - Parameters:
    ///   - own: The phones of the person. An alert contains only these: people don't learn where others are.
    ///   - others: The phones of the other people who can see the item. While one of them is near, no separation
    ///     begins.
    private func evaluate(
        _ item: AlertStore.WatchedItem, _ watcher: AlertStore.Watcher, own: [PositionSample],
        others: [PositionSample], now: Instant, in tx: Transaction
    ) throws {
        guard let sighting = item.sighting, var seen = SeparationObservation(sighting, own, now: now) else { return }
        seen.others = SeparationObservation(sighting, others, now: now).map(watcher.rule.others)
        let step = try watcher.rule.step(from: watcher.state, seen) { error in
            try SafePlaceStore.areas(of: watcher.person, in: tx).mayContain(sighting.coordinate, within: error)
        }
        history.record(
            SeparationEvaluation(seen: seen, before: .init(watcher.state), after: .init(step.state)),
            from: watcher.state, of: item.id, for: watcher.person, in: tx)
        if watcher.person == item.owner, let lostMode = item.lostMode {
            try LostModeEnding.evaluate(
                item, lostMode, sighting: sighting, phones: own, after: step.state, now: now, in: tx)
        }
        guard step.state != watcher.state else { return }
        if watcher.person == item.owner {
            try AlertStore.update(step.state, of: item.id, in: tx)
        } else {
            try AlertStore.update(step.state, of: item.id, member: watcher.person, in: tx)
        }
        if item.isShared, step.state.apartSince != watcher.state.apartSince {
            // Another person's phone can cause it, so the watcher's open pages don't know of it yet.
            try tx.publish(TrackingEvents.separation(of: item.id, from: watcher.person, now: now))
        }
        guard step.alertDistanceMetres != nil, watcher.hasChosenMode else { return }
        try alert(item, watcher, sighting, now: now, in: tx)
    }

    private func alert(
        _ item: AlertStore.WatchedItem, _ watcher: AlertStore.Watcher, _ sighting: PositionSample, now: Instant,
        in tx: Transaction
    ) throws {
        let phones = try PositionStore.namedPhones(of: watcher.person, now: now, in: tx)
        let nearest = phones.map { phone in
            (metres: phone.sample.coordinate.distanceMetres(to: sighting.coordinate), origin: phone.origin)
        }.min { $0.metres < $1.metres }
        guard let nearest else { return }
        var details = ["distanceMetres": String(Int(nearest.metres.rounded())), "lastSeenAt": sighting.at.rfc3339]
        details["device"] = nearest.origin?.name
        let evidence = AlertEvidence(
            positions: [.init(.item, sighting)] + phones.map { .init(.phone, $0.sample, device: $0.origin?.name) },
            distanceMetres: nearest.metres, limitMetres: watcher.rule.alertMetres, mode: watcher.rule.mode)
        try alerts.record(
            .separation, about: .init(id: item.id, owner: item.owner, name: watcher.name), evidence,
            at: sighting.coordinate, details: details, key: now, to: watcher.person, now: now, in: tx)
    }
}

extension AlertStore.WatchedItem {
    /// The owner's state of the rule.
    fileprivate var ownerAsWatcher: AlertStore.Watcher {
        AlertStore.Watcher(person: owner, name: name, rule: rule, state: state, hasChosenMode: hasChosenMode)
    }
}
