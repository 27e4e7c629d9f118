package import Accounts
package import Kernel
import Storage

/// The separation alerts that a person would have got in the last `Limits.replayDays` days with other settings.
///
/// The phones of other people count as they did then: a replay with another distance doesn't tell where they were.
package struct SeparationReplayService: Sendable {
    let database: Database
    let histories: SeparationHistoryService
    let clock: any WallClock

    /// The settings of a replay.
    private struct Settings {
        let mode: AlertMode
        let safePlaces: [SafeArea]
    }

    /// Replays one item with another distance.
    /// - Parameter alertMetres: The distance; `nil` for the stored one.
    /// - Throws: `AppError`: `notFound`; `invalid` at `alertMetres`.
    package func replay(alertMetres: Int?, of item: ID<Item>, for actor: Actor) async throws -> Replay {
        if let alertMetres, !SettingsRule.alertMetres.contains(alertMetres) {
            throw AppError(.invalid, .metresOutOfRange, field: "alertMetres")
        }
        let (stored, settings) = try await database.read { tx in
            guard let item = try ItemStore.item(item, of: actor.person, in: tx) else { throw AppError.notFound }
            return (item, try Self.settings(of: actor.person, in: tx))
        }
        try await histories.store(of: actor.person)
        let metres = alertMetres ?? stored.settings.alertMetres
        return try await replay([(stored, metres)], settings, for: actor, namesItems: false)
    }

    /// Replays all items of the actor with each alert mode.
    package func replayModes(for actor: Actor) async throws -> [AlertMode: Replay] {
        try await histories.store(of: actor.person)
        let (items, stored) = try await database.read { tx in
            (try Self.items(of: actor.person, in: tx), try Self.settings(of: actor.person, in: tx))
        }
        var replays: [AlertMode: Replay] = [:]
        for mode in AlertMode.allCases {
            let settings = Settings(mode: mode, safePlaces: stored.safePlaces)
            replays[mode] = try await replay(items, settings, for: actor, namesItems: true)
        }
        return replays
    }

    /// Replays all items of the actor with another safe place.
    /// - Parameter replaced: The safe place that it replaces; `nil` for an additional one.
    /// - Throws: `AppError`: `invalid` as for ``SafePlaceService/create(_:by:)``; `notFound` for an absent safe place.
    package func replay(
        _ input: SafePlaceInput, replacing replaced: ID<SafePlace>?, for actor: Actor
    ) async throws -> Replay {
        let checked = try SafePlaceDraft(
            name: input.name, latitude: input.latitude, longitude: input.longitude,
            radiusMetres: input.radiusMetres ?? SafePlace.standardRadiusMetres, outline: input.outline
        ).checked()
        try await histories.store(of: actor.person)
        let area = SafeArea(centre: checked.centre, radiusMetres: checked.radiusMetres, outline: checked.outline)
        let (items, settings) = try await database.read { tx in
            let places = try SafePlaceStore.page(
                of: actor.person, after: nil, limit: Limits.safePlacesPerAccount, in: tx)
            if let replaced, !places.contains(where: { $0.id == replaced }) { throw AppError.notFound }
            let others = places.filter { $0.id != replaced }.map(\.area)
            return (
                try Self.items(of: actor.person, in: tx),
                Settings(mode: try AlertStore.mode(of: actor.person, in: tx), safePlaces: others + [area])
            )
        }
        return try await replay(items, settings, for: actor, namesItems: true)
    }

    private static func settings(of person: PersonID, in tx: Transaction) throws -> Settings {
        Settings(
            mode: try AlertStore.mode(of: person, in: tx), safePlaces: try SafePlaceStore.areas(of: person, in: tx))
    }

    /// The items with a history of separations for the person, with their distances.
    private static func items(of person: PersonID, in tx: Transaction) throws -> [(item: Item, metres: Int)] {
        try SeparationHistoryStore.items(of: person, in: tx).compactMap { id in
            try ItemStore.item(id, of: person, in: tx).map { ($0, $0.settings.alertMetres) }
        }
    }

    private func replay(
        _ items: [(item: Item, metres: Int)], _ settings: Settings, for actor: Actor, namesItems: Bool
    ) async throws -> Replay {
        var alerts: [ReplayedAlert] = []
        var count = 0
        var isCut = false
        for (item, metres) in items where !isCut {
            let rule = SeparationAlertRule(mode: settings.mode, alertMetres: metres)
            let (replay, isOneCut) = try await replay(
                rule, of: item.id, for: actor.person, settings.safePlaces,
                limit: Limits.replayedEvaluations - count)
            alerts += replay.alerts.map {
                ReplayedAlert(kind: .separation, at: $0, itemName: namesItems ? item.name : nil)
            }
            count += replay.evaluationCount
            isCut = isOneCut
        }
        return Replay(alerts.sorted { $0.at < $1.at }, comparisonCount: count, isCut: isCut)
    }

    /// Reads the comparisons in pages, each in its own read transaction.
    private func replay(
        _ rule: SeparationAlertRule, of item: ID<Item>, for person: PersonID, _ safePlaces: [SafeArea], limit: Int
    ) async throws -> (replay: SeparationReplay, isCut: Bool) {
        let since = clock.now.adding(seconds: -Limits.replayDays * 24 * 60 * 60)
        var replay = SeparationReplay(rule)
        var after: ID<SeparationHistory>?
        while true {
            let (page, next) = try await database.read { [replay, after] tx in
                let entries = try SeparationHistoryStore.page(
                    of: item, for: person, after: after, since: since, in: tx)
                let isLast = entries.count < Limits.separationHistoryPage
                return (
                    try Self.continued(replay, entries, of: item, safePlaces, in: tx), isLast ? nil : entries.last?.id
                )
            }
            replay = page
            guard let next else { return (replay, false) }
            if replay.evaluationCount >= limit { return (replay, true) }
            after = next
            try Task.checkCancellation()
        }
    }

    private static func continued(
        _ replay: SeparationReplay, _ entries: [SeparationHistoryStore.Entry], of item: ID<Item>,
        _ safePlaces: [SafeArea], in tx: Transaction
    ) throws -> SeparationReplay {
        var replay = replay
        // The item's positions matter only where a separation would begin.
        var places: [Instant: Coordinate]?
        for entry in entries {
            for evaluation in entry.run.evaluations {
                try replay.add(evaluation, stored: entry.run.state) { error in
                    guard !safePlaces.isEmpty else { return false }
                    let known = try places ?? SeparationHistoryStore.places(of: item, in: span(of: entries), in: tx)
                    places = known
                    return known[evaluation.seen.itemAt].map { safePlaces.mayContain($0, within: error) } ?? false
                }
            }
        }
        return replay
    }

    private static func span(of entries: [SeparationHistoryStore.Entry]) -> ClosedRange<Instant> {
        let times = entries.flatMap { $0.run.evaluations.map(\.seen.itemAt) }
        return times.reduce(times[0]...times[0]) { min($0.lowerBound, $1)...max($0.upperBound, $1) }
    }
}
