import Kernel
import Tracking
import WebCore

/// The page of one day of an item: its stays, trips and gaps, with a map.
struct ItemDayPage: Sendable {
    let shell: Shell
    /// The attribution of addresses; `nil` without one.
    let addressCredit: String?
    let reloadURL: String
    let summary: String
    let isEmpty: Bool
    let parts: [DayPartRow]
    let map: DayMap?
    /// Whether another day has positions.
    let hasOthers: Bool
    let previousURL: String?
    let nextURL: String?

    init(
        _ context: SignedInContext, _ day: ItemDay, calendar: DayCalendar, t: Translator,
        formatter: TrackingFormatter
    ) {
        let url = TrackingPath.day(day.date, of: day.item.id)
        shell = Shell(
            context, title: t.date(day.date.text), menu: .tracking(t), tab: "items", isLargeTitle: false,
            isRefreshable: true,
            back: ShellBack(url: TrackingPath.period(day.date, of: day.item.id), label: t("Days")))
        reloadURL = url
        parts = day.parts.enumerated().map { index, part in
            DayPartRow(part, index: index, of: day, calendar: calendar, t: t, formatter: formatter)
        }
        let hasAddress = day.parts.contains { part in
            guard case .episode(_, .address) = part else { return false }
            return true
        }
        addressCredit = hasAddress ? AddressCredit.text(t) : nil
        isEmpty = day.parts.isEmpty
        summary = Self.summary(day, t: t, formatter: formatter)
        map = day.parts.isEmpty ? nil : DayMap(day, url: url, tiles: MapTilesView(context), t: t)
        hasOthers = day.previous != nil || day.next != nil
        previousURL = day.previous.map { TrackingPath.day($0, of: day.item.id) }
        nextURL = day.next.map { TrackingPath.day($0, of: day.item.id) }
    }

    private static func summary(_ day: ItemDay, t: Translator, formatter: TrackingFormatter) -> String {
        let trips = day.episodes.filter { $0.kind == .trip && $0.startedAt >= day.span.lowerBound }.count
        let stays = day.episodes.filter { $0.kind == .stay }.count
        return DaySummaryText.text(
            distanceMetres: day.distanceMetres, trips: trips, stays: stays, t: t, formatter: formatter)
    }
}

/// `5.2 km · 2 trips · 3 stays`.
enum DaySummaryText {
    static func text(
        distanceMetres: Double, trips: Int, stays: Int, t: Translator, formatter: TrackingFormatter
    ) -> String {
        let parts = [
            trips > 0 ? formatter.distance(distanceMetres) : nil,
            trips > 0 ? t("{n} trip", plural: "{n} trips", count: trips) : nil,
            stays > 0 ? t("{n} stay", plural: "{n} stays", count: stays) : nil,
        ]
        return parts.compactMap(\.self).isolated(separator: " · ")
    }
}

/// The data of a day's map.
struct DayMap: Sendable {
    let dayURL: String
    let tiles: MapTilesView
    let mapLabel: String

    init(_ day: ItemDay, url: String, tiles: MapTilesView, t: Translator) {
        dayURL = url
        self.tiles = tiles
        mapLabel = t("Map of the day of {name}", ["name": day.item.name])
    }
}

/// A stay, a trip, a sighting or a gap of the timeline.
struct DayPartRow: Sendable {
    /// The part's number, by which the map finds its row.
    let partIndex: String
    let partKind: String
    let partIcon: String
    /// `08:12 – 09:30`.
    let partTimes: String
    let partTitle: String
    let partNote: String
    /// The GPX file of a trip.
    let tripURL: String?
    let isOnMap: Bool

    init(
        _ part: ItemDay.Part, index: Int, of day: ItemDay, calendar: DayCalendar, t: Translator,
        formatter: TrackingFormatter
    ) {
        partIndex = String(index)
        switch part {
        case .gap(let from, let to):
            partKind = "gap"
            partIcon = "circle-question-mark"
            partTimes = Self.times(from, to, day, calendar)
            partTitle = t("No positions")
            partNote = Self.length(from, to, day, formatter)
            tripURL = nil
            isOnMap = false
        case .episode(let episode, let description):
            partKind = episode.kind.rawValue
            partTimes = Self.times(episode.startedAt, episode.endedAt, day, calendar)
            isOnMap = true
            let length = Self.length(episode.startedAt, episode.endedAt, day, formatter)
            switch episode.kind {
            case .stay:
                partIcon = "map-pin"
                partTitle = formatter.place(description)
                // Further positions can continue earlier parts, too, but only the last one goes on.
                let isLast = index == day.parts.count - 1
                partNote = episode.isOpen && isLast ? t("{duration} so far", ["duration": length]) : length
                tripURL = nil
            case .trip:
                partIcon = "route"
                partTitle = t("Trip")
                let isWhole = episode.startedAt >= day.span.lowerBound && episode.endedAt <= day.span.upperBound
                let distance = formatter.distance(episode.distanceMetres)
                partNote = [isWhole ? distance : t("{distance} in total", ["distance": distance]), length]
                    .isolated(separator: " · ")
                tripURL = TrackingPath.trip(startingAt: episode.startedAt, of: day.item.id)
            case .sighting:
                partIcon = "eye"
                partTitle = formatter.place(description)
                partNote = t("Seen here")
                tripURL = nil
            }
        }
    }

    /// Returns the duration between the times that ``times(_:_:_:_:)`` returns, which are whole minutes of the day.
    private static func length(_ from: Instant, _ to: Instant, _ day: ItemDay, _ formatter: TrackingFormatter) -> String
    {
        let (start, end) = (max(from, day.span.lowerBound), min(to, day.span.upperBound))
        return formatter.duration(seconds: end.minute.seconds(since: start.minute))
    }

    /// Returns the times on the clock; outside the day, those of its start and end.
    private static func times(_ from: Instant, _ to: Instant, _ day: ItemDay, _ calendar: DayCalendar) -> String {
        let start = from < day.span.lowerBound ? "00:00" : calendar.time(at: from)
        let end = to >= day.span.upperBound ? "24:00" : calendar.time(at: to)
        return start == end ? start : "\(start) – \(end)"
    }
}

extension Instant {
    /// The start of the minute, which the clock shows.
    fileprivate var minute: Instant {
        let milliseconds: Int64 = 60_000
        return Instant(millisecondsSince1970: millisecondsSince1970 / milliseconds * milliseconds)
    }
}
