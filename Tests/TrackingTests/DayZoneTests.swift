import Foundation
import Kernel
import Recurrence
import Storage
import TestSupport
import Testing

@testable import Tracking

/// Days, months and years divide time in the same way, whatever a zone does at midnight.
@Suite("Days in every time zone")
struct DayZoneTests {
    private static let years = [2009, 2011, 2026]
    /// Zones that change their clocks at or over midnight, or left out a day.
    private static let special = [
        "UTC", "America/Santiago", "Asia/Beirut", "Africa/Cairo", "Pacific/Apia", "America/St_Johns", "America/Havana",
        "Antarctica/Casey", "Asia/Kolkata", "Pacific/Kiritimati",
    ]

    /// The instants at which dates may change: each month's start, and each change of the clock.
    private static func edges(_ calendar: DayCalendar, _ year: Int, _ zone: TimeZone) throws -> [Instant] {
        let first = try #require(LocalDate("\(year)-01-01"))
        let span = calendar.span(of: .year, from: first)
        var edges: [Instant] = []
        var month = first
        while month < first.next(.year) {
            edges += [calendar.span(of: month).lowerBound, calendar.span(of: month.adding(days: 14)).lowerBound]
            month = month.next(.month)
        }
        var from = Date(timeIntervalSince1970: Double(span.lowerBound.millisecondsSince1970) / 1_000)
        while let change = zone.nextDaylightSavingTimeTransition(after: from), change > from {
            let instant = Instant(millisecondsSince1970: Int64(change.timeIntervalSince1970) * 1_000)
            guard instant < span.upperBound else { break }
            // Newfoundland set its clocks back at 00:01.
            edges += [-3_600, -60, 0, 60, 3_600].map { instant.adding(seconds: $0) }
            from = change
        }
        return edges + [span.upperBound]
    }

    /// Stays, trips and sightings that end, begin and lie at the edges, in order.
    private static func episodes(_ edges: [Instant]) -> [EpisodeSummary] {
        var episodes: [EpisodeSummary] = []
        func add(_ kind: Episode.Kind, _ start: Instant, _ end: Instant) {
            guard episodes.last.map({ $0.endedAt <= start && $0.startedAt < start }) ?? true, start <= end else {
                return
            }
            episodes.append(
                EpisodeSummary(kind: kind, startedAt: start, endedAt: end, distanceMetres: kind == .trip ? 100 : 0))
        }
        for (number, edge) in Set(edges).sorted().enumerated() {
            switch number % 4 {
            case 0:
                add(.trip, edge.adding(seconds: -1_200), edge)
                add(.stay, edge, edge.adding(seconds: 900))
            case 1:
                add(.sighting, edge.previous, edge.previous)
                add(.sighting, edge, edge)
            case 2: add(.trip, edge.adding(seconds: -30), edge.adding(seconds: 30))
            // Over several days.
            default: add(.stay, edge.adding(seconds: -40 * 3_600), edge)
            }
        }
        return episodes
    }

    private static func within(_ episodes: [EpisodeSummary], _ span: Range<Instant>) -> [EpisodeSummary] {
        episodes.filter { $0.span.overlaps(span) }
    }

    @Test("The months of a year are the year, and each listed day has an episode", arguments: years)
    func zones(year: Int) throws {
        for name in LocalTimeZone.identifiers {
            let calendar = DayCalendar(name)
            let zone = try #require(TimeZone(identifier: name))
            let first = try #require(LocalDate("\(year)-01-01"))
            let episodes = Self.episodes(try Self.edges(calendar, year, zone))
            let span = calendar.span(of: .year, from: first)
            let whole = ItemPeriod.Day.all(Self.within(episodes, span), in: span, calendar: calendar)
            var months: [ItemPeriod.Day] = []
            var month = first
            var end = span.lowerBound
            while month < first.next(.year) {
                let part = calendar.span(of: .month, from: month)
                #expect(part.lowerBound == end, "\(name) \(month.text)")
                months = ItemPeriod.Day.all(Self.within(episodes, part), in: part, calendar: calendar) + months
                (month, end) = (month.next(.month), part.upperBound)
            }
            #expect(end == span.upperBound, "\(name)")
            #expect(months == whole, "\(name)")
            var expected: [LocalDate] = []
            // Episodes lie within two days before an edge, and an hour after it.
            let near = Set(
                try Self.edges(calendar, year, zone).flatMap { edge in
                    (-3...1).map { calendar.date(at: edge).adding(days: $0) }
                })
            for date in near.sorted() where date >= first && date < first.next(.year) {
                let day = calendar.span(of: date)
                if !day.isEmpty {
                    let ends = [day.lowerBound, day.upperBound.previous].map(calendar.date)
                    #expect(ends == [date, date], "\(name) \(date.text)")
                }
                if !Self.within(episodes, day).isEmpty, !day.isEmpty { expected.append(date) }
            }
            #expect(whole.map(\.date) == expected.reversed(), "\(name)")
        }
    }

    @Test(
        "The lists and the pages of an item agree, and lead from one day with positions to the next",
        arguments: Engine.allCases, special)
    func item(engine: Engine, name: String) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let calendar = DayCalendar(name)
            let zone = try #require(TimeZone(identifier: name))
            let episodes = Self.episodes(try Self.edges(calendar, 2011, zone))
            let place = try #require(Coordinate(latitude: 50, longitude: 6))
            try await fixture.database.write { tx in
                try EpisodeStore.insert(
                    episodes.map {
                        Episode(
                            kind: $0.kind, startedAt: $0.startedAt, endedAt: $0.endedAt, place: place,
                            destination: place, distanceMetres: $0.distanceMetres, path: [], fixCount: 2,
                            isOpen: false)
                    }, of: item, day: 0, in: tx)
            }
            func list(_ day: LocalDate?, _ unit: ItemPeriod.Unit) async throws -> ItemPeriod {
                try await fixture.tracking.days.period(
                    day, unit, of: item, for: ada, calendar: calendar, now: fixture.now)
            }
            let first = try #require(LocalDate("2011-01-01"))
            let year = try await list(first, .year).days
            var months: [ItemPeriod.Day] = []
            var month: LocalDate? = first
            while let present = month, present < first.next(.year) {
                let found = try await list(present, .month)
                months = found.days + months
                #expect(!found.days.isEmpty, "no month without positions is linked")
                month = found.later
            }
            #expect(year == months)
            // The newest month has a day.
            #expect(try await !list(nil, .month).days.isEmpty)
            var date = try #require(year.last?.date)
            var dates: [LocalDate] = []
            while date < first.next(.year) {
                let day = try await fixture.tracking.days.day(date, of: item, for: ada, calendar: calendar)
                #expect(!day.parts.isEmpty, "\(date.text)")
                if let before = dates.last { #expect(day.previous == before, "\(date.text)") }
                dates.append(date)
                guard let next = day.next else { break }
                date = next
            }
            #expect(dates == year.map(\.date).reversed())
        }
    }
}
