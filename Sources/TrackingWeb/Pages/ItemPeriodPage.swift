import Kernel
import Tracking
import WebCore

/// The days of an item with positions in a month or a year.
struct ItemPeriodPage: Sendable {
    let shell: Shell
    let reloadURL: String
    let periodText: String
    let days: [DayRow]
    let hasDays: Bool
    /// Whether another month or year has positions.
    let hasOthers: Bool
    let othersLabel: String
    let earlierLabel: String
    let laterLabel: String
    let earlierURL: String?
    let laterURL: String?
    let staysURL: String

    init(_ context: SignedInContext, _ period: ItemPeriod, t: Translator, formatter: TrackingFormatter) {
        let item = period.item
        shell = Shell(
            context, title: t("Days"), menu: .tracking(t), tab: "items", isLargeTitle: false, isRefreshable: true,
            back: ShellBack(url: TrackingPath.item(item.id), label: item.name))
        let isYear = period.unit == .year
        let url = { (date: LocalDate) in TrackingPath.period(date, period.unit, of: item.id) }
        reloadURL = url(period.firstDay)
        periodText = isYear ? String(period.firstDay.text.prefix(4)) : t.month(of: period.firstDay.text)
        othersLabel = isYear ? t("Other years") : t("Other months")
        earlierLabel = isYear ? t("Earlier year") : t("Earlier month")
        laterLabel = isYear ? t("Later year") : t("Later month")
        days = period.days.map { DayRow($0, of: item, t: t, formatter: formatter) }
        hasDays = !period.days.isEmpty
        hasOthers = period.earlier != nil || period.later != nil
        earlierURL = period.earlier.map(url)
        laterURL = period.later.map(url)
        staysURL = TrackingPath.stays(item.id)
    }
}

/// A day of the list.
struct DayRow: Sendable {
    let dayURL: String
    let dayText: String
    let dayNote: String

    init(_ day: ItemPeriod.Day, of item: Item, t: Translator, formatter: TrackingFormatter) {
        dayURL = TrackingPath.day(day.date, of: item.id)
        dayText = formatter.times.day(day.date)
        let summary = DaySummaryText.text(
            distanceMetres: day.distanceMetres, trips: day.trips, stays: day.stays, t: t, formatter: formatter)
        dayNote = summary.isEmpty ? t("Seen") : summary
    }
}

/// The stays of an item at one of the reader's safe places.
struct StaysPage: Sendable {
    let shell: Shell
    let choices: [StayPlaceChoice]
    let hasPlaces: Bool
    let addPlaceURL: String
    let isChosen: Bool
    let stays: [StayRow]
    let hasStays: Bool
    let olderStaysURL: String?

    init(
        _ context: SignedInContext, _ item: Item, places: [SafePlace], chosen: ID<SafePlace>?,
        stays page: ListPage<Episode>, t: Translator, formatter: TrackingFormatter
    ) {
        let url = TrackingPath.stays(item.id)
        shell = Shell(
            context, title: t("When was it there?"), menu: .tracking(t), tab: "items", isLargeTitle: false,
            back: ShellBack(url: TrackingPath.days(item.id), label: t("Days")))
        choices = places.map { place in
            StayPlaceChoice(
                choiceURL: "\(url)?place=\(place.id)", choiceName: place.name, isCurrentChoice: place.id == chosen)
        }
        hasPlaces = !places.isEmpty
        addPlaceURL = TrackingPath.newSafePlace
        isChosen = chosen != nil
        let calendar = context.dayCalendar
        stays = page.items.map { StayRow($0, of: item, calendar: calendar, t: t, formatter: formatter) }
        hasStays = !page.items.isEmpty
        olderStaysURL = chosen.flatMap { place in
            page.next.map { "\(url)?place=\(place)&after=\(PercentEncoding.encoded($0))" }
        }
    }
}

/// A safe place whose stays can be listed.
struct StayPlaceChoice: Sendable {
    let choiceURL: String
    let choiceName: String
    let isCurrentChoice: Bool
}

/// One stay at the chosen place.
struct StayRow: Sendable {
    let stayDayURL: String
    let stayText: String
    let stayNote: String

    init(_ stay: Episode, of item: Item, calendar: DayCalendar, t: Translator, formatter: TrackingFormatter) {
        let (first, last) = (calendar.date(at: stay.startedAt), calendar.date(at: stay.endedAt))
        stayDayURL = TrackingPath.day(first, of: item.id)
        let (start, end) = (calendar.time(at: stay.startedAt), calendar.time(at: stay.endedAt))
        let day = formatter.times.day(first)
        stayText =
            first == last
            ? t("{day}, {start} – {end}", ["day": day, "start": start, "end": end])
            : t(
                "{day}, {start} – {lastDay}, {end}",
                ["day": day, "start": start, "lastDay": formatter.times.day(last), "end": end])
        stayNote = formatter.duration(seconds: stay.seconds)
    }
}
