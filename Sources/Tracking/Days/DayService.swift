package import Accounts
package import Kernel
import Storage

/// `…/days`, `…/stays` and `…/trips`: the stays and trips of an item.
package struct DayService: Sendable {
    let database: Database
    let addresses: AddressService

    /// Returns a day of an item.
    /// - Throws: `AppError.notFound`.
    package func day(
        _ date: LocalDate, of id: ID<Item>, for actor: Actor, calendar: DayCalendar
    ) async throws -> ItemDay {
        let span = calendar.span(of: date)
        let day = try await database.read { tx in
            guard let item = try ItemStore.item(id, of: actor.person, in: tx) else { throw AppError.notFound }
            let episodes = try EpisodeStore.episodes(
                of: id, from: span.lowerBound, to: span.upperBound, withPaths: true, in: tx)
            let names = try PlaceNames.all(for: actor, in: tx)
            let before = try EpisodeStore.last(of: id, startingBefore: span.lowerBound, in: tx)
            let after = try EpisodeStore.first(of: id, startingAt: span.upperBound, in: tx)
            let isContinued = episodes.last.map { $0.endedAt > span.upperBound } ?? false
            return ItemDay(
                item: item, date: date, span: span, parts: Self.parts(episodes, names),
                previous: before.map { calendar.date(at: min($0.lastInstant, span.lowerBound.previous)) },
                next: isContinued ? date.adding(days: 1) : after.map { calendar.date(at: $0.startedAt) })
        }
        return day.with(try await addresses.addresses(of: day.unnamedPlaces))
    }

    private static func parts(_ episodes: [Episode], _ names: PlaceNames) -> [ItemDay.Part] {
        var parts: [ItemDay.Part] = []
        var end: Instant?
        for episode in episodes {
            if let end, episode.startedAt.seconds(since: end) >= Limits.shownGapSeconds {
                parts.append(.gap(from: end, to: episode.startedAt))
            }
            parts.append(.episode(episode, names.description(of: episode.place)))
            end = episode.endedAt
        }
        return parts
    }

    /// Returns a month or a year of an item.
    /// - Parameter day: A day of the month or year; `nil` for that of the last position, or the current one.
    /// - Throws: `AppError.notFound`.
    package func period(
        _ day: LocalDate?, _ unit: ItemPeriod.Unit = .month, of id: ID<Item>, for actor: Actor,
        calendar: DayCalendar, now: Instant
    ) async throws -> ItemPeriod {
        try await database.read { tx in
            guard let item = try ItemStore.item(id, of: actor.person, in: tx) else { throw AppError.notFound }
            let end = Instant(millisecondsSince1970: .max)
            let newest = try day == nil ? EpisodeStore.last(of: id, startingBefore: end, in: tx)?.lastInstant : nil
            let firstDay = (day ?? calendar.date(at: newest ?? now)).start(of: unit)
            let span = calendar.span(of: unit, from: firstDay)
            let episodes = try EpisodeStore.summaries(of: id, from: span.lowerBound, to: span.upperBound, in: tx)
            let before = try EpisodeStore.last(of: id, startingBefore: span.lowerBound, in: tx)
            let after = try EpisodeStore.first(of: id, startingAt: span.upperBound, in: tx)
            let isContinued = episodes.last.map { $0.endedAt > span.upperBound } ?? false
            return ItemPeriod(
                item: item, unit: unit, firstDay: firstDay,
                days: ItemPeriod.Day.all(episodes, in: span, calendar: calendar),
                earlier: before.map { episode in
                    calendar.date(at: min(episode.lastInstant, span.lowerBound.previous)).start(of: unit)
                },
                later: isContinued
                    ? firstDay.next(unit) : after.map { calendar.date(at: $0.startedAt).start(of: unit) })
        }
    }

    /// Returns an item, the reader's safe places, and a page of the item's stays at one of them, the newest first.
    /// - Parameter place: The safe place; `nil` returns no stays.
    /// - Throws: `AppError`: `notFound` for an absent item or safe place; `invalid` at `after` for an unknown cursor.
    package func stays(
        of id: ID<Item>, at place: ID<SafePlace>?, for actor: Actor, after: String?, limit: Int
    ) async throws -> (item: Item, places: [SafePlace], stays: ListPage<Episode>) {
        let request = try PageRequest<Instant>(after: after, limit: limit) { text in
            Int64(text).map(Instant.init(millisecondsSince1970:))
        }
        return try await database.read { tx in
            guard let item = try ItemStore.item(id, of: actor.person, in: tx) else { throw AppError.notFound }
            let places = try SafePlaceStore.page(
                of: actor.person, after: nil, limit: Limits.safePlacesPerAccount, in: tx)
            guard let place else { return (item, places, ListPage(items: [], next: nil)) }
            guard let chosen = places.first(where: { $0.id == place }) else { throw AppError.notFound }
            return (item, places, try Self.stays(of: id, at: chosen, request, in: tx))
        }
    }

    /// A page can have fewer stays than requested although there are further ones, because a request searches at most
    /// `Limits.searchedStays` stays of the item.
    private static func stays(
        of id: ID<Item>, at place: SafePlace, _ request: PageRequest<Instant>, in tx: Transaction
    ) throws -> ListPage<Episode> {
        let area = CoordinateBox(around: place.centre, metres: Double(place.radiusMetres))
        let placeArea = place.area
        let end = try EpisodeStore.lastSearchedStay(
            of: id, before: request.after, searched: Limits.searchedStays, in: tx)
        // Stays in the box around a place aren't all in the place.
        let starts = try EpisodeStore.stayPlaces(
            of: id, in: area, before: request.after, searched: Limits.searchedStays, in: tx
        ).lazy.filter { placeArea.contains($0.place) }.prefix(request.rows).map(\.startedAt)
        let stays = try EpisodeStore.episodes(of: id, startedAt: Array(starts), in: tx)
        let page = request.page(stays) { $0.startedAt.millisecondsSince1970 }
        guard page.next == nil, let end else { return page }
        return ListPage(items: page.items, next: "\(end.millisecondsSince1970)")
    }

    /// Returns the positions of a trip as a GPX file, oldest first.
    /// - Throws: `AppError.notFound`, before the stream starts.
    package func trip(startingAt start: Instant, of id: ID<Item>, for actor: Actor) async throws -> HistoryExport {
        let (item, episode) = try await database.read { tx in
            (
                try ItemStore.item(id, of: actor.person, in: tx),
                try EpisodeStore.episode(of: id, startedAt: start, in: tx)
            )
        }
        guard let item, let episode, episode.kind == .trip else { throw AppError.notFound }
        return HistoryExport(
            item: item, for: actor.person, format: .gpx, database: database, span: episode.startedAt...episode.endedAt)
    }
}
