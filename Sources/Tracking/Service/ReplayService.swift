package import Accounts
package import Kernel
import Storage

/// An alert that would have come.
package struct ReplayedAlert: Sendable, Equatable {
    package let kind: ItemAlertKind
    package let at: Instant
}

/// The result of a replay.
package struct Replay: Sendable, Equatable {
    /// The first alerts, at most `Limits.replayedAlerts`.
    package let alerts: [ReplayedAlert]
    /// The number of all alerts.
    package let alertCount: Int
    /// The number of positions that were evaluated.
    package let fixCount: Int
    /// Whether the positions reach beyond `Limits.replayedFixes`, so that the newest ones are missing.
    package let isCut: Bool
    /// The name of the place of a rule; empty without one.
    package let placeName: String
}

/// What would have come in the last `Limits.replayDays` days with other settings, from the stored positions.
/// Separations can't be replayed, because the positions of phones aren't kept; neither can parking.
package struct ReplayService: Sendable {
    let database: Database
    let clock: any WallClock

    /// Replays a rule about a place.
    /// - Throws: `AppError`: `notFound`; `invalid` as for ``GeofenceService/create(_:of:by:)``.
    package func replay(_ input: GeofenceInput, of item: ID<Item>, for actor: Actor) async throws -> Replay {
        let settings = try GeofenceSettings(input)
        let place = try await database.read { tx in
            guard try ItemStore.item(item, of: actor.person, in: tx) != nil else { throw AppError.notFound }
            guard let place = try input.place.flatMap({ try SafePlaceStore.one($0, of: actor.person, in: tx) }) else {
                throw AppError(.invalid, .placeUnknown, field: "placeId")
            }
            return place
        }
        return try await run(of: item, placeName: place.name) {
            AlertReplay((settings, place.area), silentHours: nil)
        }
    }

    /// Replays low batteries and silences.
    /// - Parameter silentHours: The hours of silence; `nil` for off.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a person with whom the item is shared; `invalid` at
    ///   `settings.silentHours`.
    package func replay(silentHours: Int?, of item: ID<Item>, for actor: Actor) async throws -> Replay {
        if let silentHours, !Limits.silentHours.contains(silentHours) {
            throw AppError(.invalid, .hoursOutOfRange, field: "settings.silentHours")
        }
        try await database.read { tx in try ItemStore.require(.own, of: actor.person, to: item, in: tx) }
        return try await run(of: item, placeName: "") {
            AlertReplay(nil, silentHours: silentHours)
        }
    }

    /// Reads the positions in pages, each in its own read transaction.
    private func run(
        of item: ID<Item>, placeName: String, _ start: () -> AlertReplay
    ) async throws -> Replay {
        let now = clock.now
        let since = now.adding(seconds: -Limits.replayDays * 24 * 60 * 60)
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
        if !isCut { replay.finish(at: now) }
        return Replay(
            alerts: Array(replay.alerts.prefix(Limits.replayedAlerts)), alertCount: replay.alerts.count,
            fixCount: replay.fixCount, isCut: isCut, placeName: placeName)
    }
}
