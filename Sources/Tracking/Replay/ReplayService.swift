package import Accounts
package import Kernel
import Storage

/// An alert that would have come.
package struct ReplayedAlert: Sendable, Equatable {
    package let kind: ItemAlertKind
    package let at: Instant
    /// The person's name of the item; `nil` in a replay of one item.
    package var itemName: String?
}

/// The result of a replay.
package struct Replay: Sendable, Equatable {
    /// The first alerts, at most `Limits.replayedAlerts`.
    package let alerts: [ReplayedAlert]
    /// The number of all alerts.
    package let alertCount: Int
    /// The number of positions that were evaluated; `nil` in a replay without rules about positions.
    package let fixCount: Int?
    /// The number of comparisons with the person's phones; `nil` in a replay without separations.
    package let comparisonCount: Int?
    /// Whether there is more than `Limits.replayedFixes` or `Limits.replayedEvaluations`, so that the newest are
    /// missing.
    package let isCut: Bool
    /// The name of the place of a rule; empty without one.
    package let placeName: String

    init(
        _ alerts: [ReplayedAlert], fixCount: Int? = nil, comparisonCount: Int? = nil, isCut: Bool,
        placeName: String = ""
    ) {
        self.alerts = Array(alerts.prefix(Limits.replayedAlerts))
        alertCount = alerts.count
        self.fixCount = fixCount
        self.comparisonCount = comparisonCount
        self.isCut = isCut
        self.placeName = placeName
    }
}

/// What would have come in the last `Limits.replayDays` days with other settings, from the stored positions and the
/// kept comparisons with phones.
package struct ReplayService: Sendable {
    let database: Database
    let households: any HouseholdPeopleReader
    let separations: SeparationReplayService
    let clock: any WallClock

    /// Replays a rule about a place.
    /// - Throws: `AppError`: `notFound`; `invalid` as for ``GeofenceService/create(_:of:by:)``.
    package func replay(_ input: GeofenceInput, of item: ID<Item>, for actor: Actor) async throws -> Replay {
        let (settings, place) = try await database.read { tx in
            let settings = try GeofenceSettings(
                input, defaultTimeZone: households.timeZone(of: actor.person, in: tx))
            guard try ItemStore.item(item, of: actor.person, in: tx) != nil else { throw AppError.notFound }
            guard let place = try input.place.flatMap({ try SafePlaceStore.one($0, of: actor.person, in: tx) }) else {
                throw AppError(.invalid, .placeUnknown, field: "placeId")
            }
            return (settings, place)
        }
        let (replay, isCut) = try await run(of: item) { AlertReplay((settings, place.area), silentHours: nil) }
        return Replay(replay.alerts, fixCount: replay.fixCount, isCut: isCut, placeName: place.name)
    }

    /// Replays separations, low batteries, silences and parkings.
    /// - Parameters:
    ///   - silentHours: The hours of silence; `nil` for off.
    ///   - alertMetres: The distance of separations; `nil` for the stored one.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a person with whom the item is shared; `invalid` at
    ///   `settings.silentHours` and `settings.alertMetres`.
    package func replay(
        silentHours: Int?, alertMetres: Int? = nil, of item: ID<Item>, for actor: Actor
    ) async throws -> Replay {
        var problems = FieldErrors<TrackingErrorMessage>()
        if let silentHours, !Limits.silentHours.contains(silentHours) {
            problems.refuse("settings.silentHours", .hoursOutOfRange)
        }
        if let alertMetres, !SettingsRule.alertMetres.contains(alertMetres) {
            problems.refuse("settings.alertMetres", .metresOutOfRange)
        }
        try problems.finish()
        let since = since
        let parkings = try await database.read { tx in
            try ItemStore.require(.own, of: actor.person, to: item, in: tx)
            return try ParkingHistoryStore.parkings(of: item, since: since, in: tx)
        }
        let health = try await run(of: item) { AlertReplay(nil, silentHours: silentHours, parkings: parkings) }
        let apart = try await separations.replay(alertMetres: alertMetres, of: item, for: actor)
        return Replay(
            (health.replay.alerts + apart.alerts).sorted { $0.at < $1.at }, fixCount: health.replay.fixCount,
            comparisonCount: apart.comparisonCount, isCut: health.isCut || apart.isCut)
    }

    private var since: Instant { clock.now.adding(seconds: -Limits.replayDays * 24 * 60 * 60) }

    /// Reads the positions in pages, each in its own read transaction.
    private func run(
        of item: ID<Item>, _ start: () -> AlertReplay
    ) async throws -> (replay: AlertReplay, isCut: Bool) {
        var replay = start()
        var after = ID<Fix>(at: since, series: 0)
        var isCut = false
        while true {
            let fixes = try await database.read { [after] tx in
                try HistoryStore.page(of: item, .oldestFirst, after: after, limit: Limits.exportPage, in: tx)
            }
            for fix in fixes { replay.add(fix) }
            guard fixes.count == Limits.exportPage, let last = fixes.last else { break }
            after = last.id
            isCut = replay.fixCount >= Limits.replayedFixes
            if isCut { break }
            try Task.checkCancellation()
        }
        if !isCut { replay.finish(at: clock.now) }
        return (replay, isCut)
    }
}
