import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/days`, `…/stays` and `…/trips`: the stays and trips of an item.
struct DaysController: Sendable {
    let days: DayService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.get("{id}/days", use: index)
        items.get("{id}/days/{date}", use: show)
        items.get("{id}/stays", use: stays)
        items.get("{id}/trips/{start}", use: trip)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let calendar = context.dayCalendar
        let year = try context.year()
        let period = try await days.period(
            year ?? context.month(), year == nil ? .month : .year, of: context.id("id", of: Item.self),
            for: context.actor, calendar: calendar,
            now: context.web.clock.now)
        let t = context.t
        return try Responses.of(
            context, template: "tracking-days",
            page: { ItemPeriodPage(context, period, t: t, formatter: context.formatter(t)) },
            json: { ItemPeriodJSON(period, zone: calendar.zoneName) })
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let date = context.parameters.get("date").flatMap({ LocalDate($0) }) else { throw AppError.notFound }
        let calendar = context.dayCalendar
        let day = try await days.day(
            date, of: context.id("id", of: Item.self), for: context.actor, calendar: calendar)
        let t = context.t
        return try Responses.of(
            context, template: "tracking-day",
            page: { ItemDayPage(context, day, calendar: calendar, t: t, formatter: context.formatter(t)) },
            json: { ItemDayJSON(day, zone: calendar.zoneName, formatter: context.formatter(t)) })
    }

    @Sendable func stays(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let place = try context.query("place").map { text in
            guard let id = ID<SafePlace>(text) else { throw AppError.notFound }
            return id
        }
        let (item, places, page) = try await days.stays(
            of: context.id("id", of: Item.self), at: place, for: context.actor, after: paging.after,
            limit: paging.limit)
        let t = context.t
        return try Responses.of(
            context, template: "tracking-stays", fragment: "tracking-stay-rows",
            page: {
                StaysPage(
                    context, item, places: places, chosen: place, stays: page, t: t, formatter: context.formatter(t))
            },
            json: { ListJSON(items: page.items.map(StayJSON.init), next: page.next) })
    }

    @Sendable func trip(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let start = context.parameters.get("start").flatMap({ Int64($0) }) else { throw AppError.notFound }
        let file = try await days.trip(
            startingAt: Instant(millisecondsSince1970: start), of: context.id("id", of: Item.self),
            for: context.actor)
        return Responses.stream(
            context, mediaType: file.format.mediaType, filename: file.fileName, chunks: file)
    }
}

extension WebContext {
    /// The days of the time zone that the request names, or of the browser's; of UTC without one.
    var dayCalendar: DayCalendar { DayCalendar(query("zone") ?? browserTimeZone) }

    /// Returns the first day of the year that the request names; `nil` for none.
    /// - Throws: `AppError.invalid` at `year`.
    fileprivate func year() throws -> LocalDate? {
        guard let text = query("year") else { return nil }
        guard let year = LocalDate(text + "-01-01") else {
            throw AppError.invalid("year", t("Enter a year as {example}.", ["example": "2026"]))
        }
        return year
    }

    /// Returns the first day of the month that the request names; `nil` for none.
    /// - Throws: `AppError.invalid` at `month`.
    fileprivate func month() throws -> LocalDate? {
        guard let text = query("month") else { return nil }
        guard let month = LocalDate(text + "-01") else {
            throw AppError.invalid("month", t("Enter a month as {example}.", ["example": "2026-03"]))
        }
        return month
    }
}
