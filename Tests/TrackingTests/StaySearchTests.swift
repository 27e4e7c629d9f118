import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("The search for stays at a place")
struct StaySearchTests {
    private static let stays = Limits.searchedStays + 10_000

    /// Adds a stay and a trip in each hour: the oldest two stays are at the station, and all others at home.
    private func addStays(_ item: ID<Item>, _ database: Database) async throws {
        try await database.write { tx in
            try tx.execute(
                """
                INSERT INTO episode (
                    item_id, started_at, ended_at, day, kind, is_open, latitude, longitude, end_latitude,
                    end_longitude, distance_metres, fixes, path
                )
                WITH RECURSIVE hours (n) AS (
                    SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM hours WHERE n < \(Self.stays) - 1
                )
                SELECT CAST(\(item) AS TEXT), n * 3600000 + part * 3000000, n * 3600000 + 3000000 + part * 600000, n / 24,
                    CASE part WHEN 0 THEN 'stay' ELSE 'trip' END, 0, CASE WHEN n < 2 THEN 51 ELSE 50 END, 6, 50, 6, 0,
                    10, CASE part WHEN 0 THEN NULL ELSE '[]' END
                FROM hours CROSS JOIN (SELECT 0 AS part UNION ALL SELECT 1) AS parts
                """
            )
        }
    }

    @Test(
        "A request searches a limited number of stays, by an index that contains what it compares",
        arguments: Engine.allCases)
    func bounded(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            try await addStays(item, fixture.database)
            try await fixture.database.write { tx in try tx.execute("ANALYZE episode") }
            let plan = try await fixture.database.read { tx -> String in
                let area = CoordinateBox(
                    around: try #require(Coordinate(latitude: 51, longitude: 6)), metres: 100)
                let query = EpisodeStore.stayPlacesQuery(
                    of: item, in: area, before: fixture.now, searched: Limits.searchedStays)
                let explained: SQL =
                    engine == .sqlite ? "EXPLAIN QUERY PLAN \(sql: query)" : "EXPLAIN \(sql: query)"
                let column = engine == .sqlite ? "detail" : "QUERY PLAN"
                return try tx.rows(explained).map { try $0.get(column, as: String.self) }.joined(separator: "\n")
            }
            // Without a visibility map, PostgreSQL doesn't expect to need only the index.
            let index = engine == .sqlite ? "COVERING INDEX episode_stay_places" : "using episode_stay_places"
            #expect(plan.contains(index), "\(plan)")
            #expect(!plan.contains(/(SCAN|Seq Scan on) episode\b/), "\(plan)")
            let place = try await fixture.tracking.safePlaces.create(
                SafePlaceInput(name: "Station", latitude: 51, longitude: 6), by: Change(actor: ada))
            func page(_ after: String?) async throws -> ListPage<Episode> {
                try await fixture.tracking.days.stays(
                    of: item, at: place.id, for: ada, after: after, limit: 50
                ).stays
            }
            let first = try await page(nil)
            #expect(first.items.isEmpty)
            let next = try #require(first.next)
            #expect(next == "\(Int64(Self.stays - Limits.searchedStays) * 3_600_000)")
            let second = try await page(next)
            #expect(second.items.map(\.startedAt.millisecondsSince1970) == [3_600_000, 0])
            #expect(second.next == nil)
        }
    }
}

@Suite("The order in which items' days are computed")
struct EpisodeUpdaterTests {
    @Test("Items with new positions all the time don't keep others waiting", arguments: Engine.allCases)
    func turns(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            var items: [(item: ID<Item>, secret: String)] = []
            for name in ["A", "B", "C"] {
                fixture.clock.advance(seconds: 60)
                items.append(try await fixture.tracked(name, of: ada))
            }
            let updater = EpisodeUpdater(database: fixture.database, itemsPerRun: 1)
            for item in items { try await fixture.osmand(item.secret, 1, 2, at: fixture.now) }
            for _ in items {
                fixture.clock.advance(seconds: 60)
                try await fixture.osmand(items[0].secret, 1, 2, at: fixture.now)
                try await updater.run()
            }
            let waiting = try await fixture.database.read { tx in
                try EpisodeDayStore.outdated(after: nil, limit: 10, in: tx)
            }
            #expect(waiting == [items[0].item])
            try await updater.run()
            let rest = try await fixture.database.read { tx in
                try EpisodeDayStore.outdated(after: nil, limit: 10, in: tx)
            }
            #expect(rest.isEmpty)
        }
    }
}

@Suite("The days of a year")
struct YearTests {
    @Test("One request lists all days of a year, from an index alone", arguments: Engine.allCases)
    func year(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let start = try #require(Instant(rfc3339: "2024-12-31T20:00:00Z"))
            // A stay of 11 hours and a trip of one hour, again and again, for 400 days.
            try await fixture.database.write { tx in
                try tx.execute(
                    """
                    INSERT INTO episode (
                        item_id, started_at, ended_at, day, kind, is_open, latitude, longitude, end_latitude,
                        end_longitude, distance_metres, fixes, path
                    )
                    WITH RECURSIVE parts (n) AS (
                        SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM parts WHERE n < 1599
                    )
                    SELECT CAST(\(item) AS TEXT), \(start) + (n / 2) * 43200000 + (n % 2) * 39600000,
                        \(start) + (n / 2) * 43200000 + 39600000 + (n % 2) * 3600000, 0,
                        CASE n % 2 WHEN 0 THEN 'stay' ELSE 'trip' END, 0, 50, 6, 50, 6, (n % 2) * 1000, 10,
                        CASE n % 2 WHEN 0 THEN NULL ELSE '[]' END
                    FROM parts
                    """
                )
                try tx.execute("ANALYZE episode")
            }
            func list(_ date: String, _ unit: ItemPeriod.Unit) async throws -> ItemPeriod {
                try await fixture.tracking.days.period(
                    LocalDate(date), unit, of: item, for: ada, calendar: DayCalendar("UTC"),
                    now: fixture.now)
            }
            let year = try await list("2025-07-15", .year)
            #expect(year.days.count == 365)
            #expect(year.days.first?.date.text == "2025-12-31" && year.days.last?.date.text == "2025-01-01")
            #expect(year.earlier?.text == "2024-01-01" && year.later?.text == "2026-01-01")
            // It is the same as its months.
            var days: [ItemPeriod.Day] = []
            for month in (1...12).reversed() {
                days += try await list("2025-\(month < 10 ? "0" : "")\(month)-01", .month).days
            }
            #expect(year.days == days)
            let plan = try await fixture.database.read { tx -> String in
                let query = EpisodeStore.summariesQuery(of: item, from: start, to: start.adding(seconds: 86_400 * 365))
                let explained: SQL =
                    engine == .sqlite ? "EXPLAIN QUERY PLAN \(sql: query)" : "EXPLAIN \(sql: query)"
                let column = engine == .sqlite ? "detail" : "QUERY PLAN"
                return try tx.rows(explained).map { try $0.get(column, as: String.self) }.joined(separator: "\n")
            }
            #expect(plan.contains("episode_summary") && !plan.contains(/(SCAN|Seq Scan on) episode\b/), "\(plan)")
        }
    }
}
