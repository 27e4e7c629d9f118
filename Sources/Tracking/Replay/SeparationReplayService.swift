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
        let replays = try await replay([(stored, metres)], [settings], for: actor, namesItems: false)
        return replays[0]
    }

    /// Replays all items of the actor with each alert mode.
    package func replayModes(for actor: Actor) async throws -> [AlertMode: Replay] {
        try await histories.store(of: actor.person)
        let (items, stored) = try await database.read { tx in
            (try Self.items(of: actor.person, in: tx), try Self.settings(of: actor.person, in: tx))
        }
        let modes = AlertMode.allCases
        let settings = modes.map { Settings(mode: $0, safePlaces: stored.safePlaces) }
        let replays = try await replay(items, settings, for: actor, namesItems: true)
        return Dictionary(uniqueKeysWithValues: zip(modes, replays))
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
        let replays = try await replay(items, [settings], for: actor, namesItems: true)
        return replays[0]
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

    /// Replays items with several settings at once. The limit of evaluations is divided among the items.
    private func replay(
        _ items: [(item: Item, metres: Int)], _ settings: [Settings], for actor: Actor, namesItems: Bool
    ) async throws -> [Replay] {
        var alerts = settings.map { _ in [ReplayedAlert]() }
        var count = 0
        var isCut = false
        for (index, (item, metres)) in items.enumerated() {
            let limit = max(0, Limits.replayedEvaluations - count) / (items.count - index)
            let result = try await replay(settings, metres: metres, of: item.id, for: actor.person, limit: limit)
            for (number, replay) in result.replays.enumerated() {
                alerts[number] += replay.alerts.map {
                    ReplayedAlert(kind: .separation, at: $0, itemName: namesItems ? item.name : nil)
                }
            }
            count += result.replays.first?.evaluationCount ?? 0
            isCut = isCut || result.isCut
        }
        return alerts.map { Replay($0.sorted { $0.at < $1.at }, comparisonCount: count, isCut: isCut) }
    }

    /// Reads the comparisons in pages, each once and in its own read transaction.
    private func replay(
        _ settings: [Settings], metres: Int, of item: ID<Item>, for person: PersonID, limit: Int
    ) async throws -> (replays: [SeparationReplay], isCut: Bool) {
        let since = clock.now.adding(seconds: -Limits.replayDays * 24 * 60 * 60)
        var replays = settings.map { SeparationReplay(SeparationAlertRule(mode: $0.mode, alertMetres: metres)) }
        var timeline = SeparationTimeline()
        var after: ID<SeparationHistory>?
        while true {
            (replays, timeline, after) = try await database.read { [replays, timeline, after] tx in
                let entries = try SeparationHistoryStore.page(
                    of: item, for: person, after: after, since: since, in: tx)
                let isLast = entries.count < Limits.separationHistoryPage
                var timeline = timeline
                let evaluations = timeline.add(entries, isLast: isLast)
                return (
                    try Self.continued(replays, settings, evaluations, of: item, in: tx), timeline,
                    isLast ? nil : entries.last?.id
                )
            }
            guard after != nil else { return (replays, false) }
            if (replays.first?.evaluationCount ?? 0) >= limit { return (replays, true) }
            try Task.checkCancellation()
        }
    }

    private static func continued(
        _ replays: [SeparationReplay], _ settings: [Settings], _ evaluations: [SeparationTimeline.Element],
        of item: ID<Item>, in tx: Transaction
    ) throws -> [SeparationReplay] {
        var replays = replays
        // The item's positions matter only where a separation would begin.
        var places: [Instant: Coordinate]?
        for element in evaluations {
            for number in replays.indices {
                let safePlaces = settings[number].safePlaces
                try replays[number].add(element.evaluation, stored: element.stored) { error in
                    guard !safePlaces.isEmpty else { return false }
                    let known =
                        try places ?? SeparationHistoryStore.places(of: item, in: span(of: evaluations), in: tx)
                    places = known
                    return known[element.evaluation.seen.itemAt].map { safePlaces.mayContain($0, within: error) }
                        ?? false
                }
            }
        }
        return replays
    }

    private static func span(of evaluations: [SeparationTimeline.Element]) -> ClosedRange<Instant> {
        let times = evaluations.map(\.evaluation.seen.itemAt)
        return times.reduce(times[0]...times[0]) { min($0.lowerBound, $1)...max($0.upperBound, $1) }
    }
}
