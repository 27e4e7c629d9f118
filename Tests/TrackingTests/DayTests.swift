import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Days: stays and trips of an item")
struct DayTests {
    /// An item with the positions of generated days, one day after the other.
    private struct DayFixture {
        let fixture: TrackingFixture
        let ada: Actor
        let item: ID<Item>
        let device = "board"

        init(_ fixture: TrackingFixture, _ scenarios: [JitteredDay.Scenario]) async throws {
            self.fixture = fixture
            ada = try await fixture.person()
            item = try await fixture.item(of: ada).item.id
            for (index, scenario) in scenarios.enumerated() { try await store(samples(scenario, day: index)) }
        }

        /// The positions of a generated day, moved by whole days.
        func samples(_ scenario: JitteredDay.Scenario, day: Int, seed: UInt64 = 1) -> [EpisodeSample] {
            JitteredDay(scenario, seed: seed).samples.map { sample in
                EpisodeSample(
                    at: sample.at + Int64(day) * 86_400_000, coordinate: sample.coordinate, metres: sample.metres)
            }
        }

        /// Stores positions as the ingest does: with the item's counter, in one transaction.
        func store(_ samples: [EpisodeSample], device: String? = nil) async throws {
            let (item, device) = (item, device ?? self.device)
            try await fixture.database.write { tx in
                let series = try FixStore.series(item: item, device: device, source: .tracker, in: tx)
                for sample in samples {
                    let report = Report(coordinate: sample.coordinate, accuracyMetres: sample.metres)
                    try FixStore.insertNew(report, at: sample.instant, series: series, in: tx)
                }
                try FixStore.count(samples.count, of: item, in: tx)
            }
        }

        func update() async throws { try await fixture.tracking.episodes.run() }

        /// All rows, as the database has them.
        func rows() async throws -> [String] {
            let item = item
            return try await fixture.database.read { tx in
                let days = try tx.rows("SELECT day, path FROM episode WHERE item_id = \(item) ORDER BY started_at")
                    .map { "\(try $0.get("day", as: Int64.self)) \(try $0.get("path", as: String?.self) ?? "")" }
                return try zip(EpisodeStore.page(of: item, after: nil, limit: .max, in: tx), days)
                    .map { "\($0) \($1)" }
            }
        }

        func states() async throws -> [String] {
            let item = item
            return try await fixture.database.read { tx in
                try tx.rows("SELECT day, fixes, state FROM episode_day WHERE item_id = \(item) ORDER BY day").map {
                    "\(try $0.get("day", as: Int64.self)) \(try $0.get("fixes", as: Int.self)) "
                        + (try $0.get("state", as: String.self))
                }
            }
        }

        /// Deletes what is computed, and computes it again.
        func recompute() async throws {
            let item = item
            try await fixture.database.write { tx in try EpisodeDayStore.deleteAll(of: item, in: tx) }
            try await update()
        }

        func isUpToDate() async throws -> Bool {
            try await fixture.database.read { tx in
                try EpisodeDayStore.outdated(after: nil, limit: 10, in: tx).isEmpty
            }
        }

        func day(_ text: String, zone: String = "UTC", for actor: Actor? = nil) async throws -> ItemDay {
            let date = try #require(LocalDate(text))
            return try await fixture.tracking.days.day(
                date, of: item, for: actor ?? ada, calendar: DayCalendar(zone))
        }
    }

    private func withDays(
        _ engine: Engine, _ scenarios: [JitteredDay.Scenario], _ body: (DayFixture) async throws -> Void
    ) async throws {
        try await withFixture(engine) { fixture in try await body(try await DayFixture(fixture, scenarios)) }
    }

    // MARK: Computing

    @Test("The stored episodes are those of the rule", arguments: Engine.allCases)
    func stored(engine: Engine) async throws {
        try await withDays(engine, [.work, .shop]) { days in
            try await days.update()
            let expected = EpisodeRuleTests.episodes(days.samples(.work, day: 0) + days.samples(.shop, day: 1))
            let (start, end) = (Instant(millisecondsSince1970: 0), days.fixture.now.adding(seconds: 9_000_000))
            let item = days.item
            let stored = try await days.fixture.database.read { tx in
                try EpisodeStore.episodes(of: item, from: start, to: end, withPaths: false, in: tx)
            }
            #expect(stored.map(\.startedAt) == expected.map(\.startedAt))
            #expect(stored.map(\.kind) == expected.map(\.kind))
            #expect(stored.map(\.place) == expected.map(\.place))
            #expect(stored.map(\.isOpen) == expected.map(\.isOpen))
            #expect(try await days.isUpToDate())
        }
    }

    @Test("Positions that arrive in parts give the same rows as all at once", arguments: Engine.allCases)
    func parts(engine: Engine) async throws {
        try await withDays(engine, []) { days in
            let samples = days.samples(.work, day: 0) + days.samples(.silent, day: 1) + days.samples(.tram, day: 2)
            for start in stride(from: 0, to: samples.count, by: 173) {
                try await days.store(Array(samples[start..<min(start + 173, samples.count)]))
                try await days.update()
            }
            let (rows, states) = (try await days.rows(), try await days.states())
            #expect(rows.count > 10)
            try await days.recompute()
            #expect(try await days.rows() == rows)
            #expect(try await days.states() == states)
        }
    }

    @Test("T-6-7-2: Late positions change the days from theirs on, and give the same rows", arguments: Engine.allCases)
    func late(engine: Engine) async throws {
        try await withDays(engine, []) { days in
            let samples = (0..<4).flatMap { days.samples(.work, day: $0, seed: UInt64($0 + 1)) }
            // Two hours of the second day arrive last.
            let first = days.samples(.work, day: 1, seed: 2)[0].at
            let isLate = { (sample: EpisodeSample) in (first + 7_200_000..<first + 14_400_000).contains(sample.at) }
            try await days.store(samples.filter { !isLate($0) })
            try await days.update()
            let (before, states) = (try await days.rows(), try await days.states())
            #expect(states.count == 4)
            func longGaps(_ day: ItemDay) -> Int {
                day.parts.filter { part in
                    guard case .gap(let start, let end) = part else { return false }
                    return end.seconds(since: start) > 3_600
                }.count
            }
            let incomplete = try await days.day("2026-03-02")
            #expect(longGaps(incomplete) == 1)
            try await days.store(samples.filter(isLate))
            #expect(try await !days.isUpToDate())
            try await days.update()
            #expect(try await days.isUpToDate())
            let (rows, newStates) = (try await days.rows(), try await days.states())
            #expect(rows != before)
            #expect(newStates[0] == states[0], "the day before isn't computed again")
            let complete = try await days.day("2026-03-02")
            #expect(longGaps(complete) == 0)
            #expect(complete.distanceMetres > incomplete.distanceMetres + 4_000)
            try await days.recompute()
            #expect(try await days.rows() == rows)
            #expect(try await days.states() == newStates)
        }
    }

    @Test("Late positions of a second device that were archived at once are found", arguments: Engine.allCases)
    func lateAndArchived(engine: Engine) async throws {
        try await withDays(engine, [.work, .work]) { days in
            try await days.update()
            let before = try await days.rows()
            let samples = days.samples(.work, day: 0)
            let between = (0..<40).map { index in
                EpisodeSample(
                    at: samples[200].at + Int64(index) * 20_000 + 7, latitude: 51, longitude: 6, metres: 8)
            }
            try await days.store(between, device: "phone")
            _ = try await days.fixture.tracking.archive.writeSegments(early: true)
            try await days.update()
            #expect(try await days.isUpToDate())
            let rows = try await days.rows()
            #expect(rows != before)
            try await days.recompute()
            #expect(try await days.rows() == rows)
        }
    }

    @Test("A rebuild of the archive gives the same episodes", arguments: Engine.allCases)
    func rebuild(engine: Engine) async throws {
        try await withDays(engine, [.work, .shop]) { days in
            try await days.update()
            let rows = try await days.rows()
            _ = try await days.fixture.tracking.archive.writeSegments(early: true)
            let item = days.item
            try await days.fixture.database.write { tx in
                for table: SQL in ["episode", "episode_day", "episode_progress", "fix", "fix_segment", "whereabouts"] {
                    try tx.execute("DELETE FROM \(sql: table)")
                }
                try tx.execute("INSERT INTO whereabouts (item_id) VALUES (\(item))")
            }
            #expect(try await days.fixture.tracking.archiveRebuild.rebuild().restored > 500)
            try await days.update()
            #expect(try await days.rows() == rows)
        }
    }

    @Test("A long history takes several runs, with a limited number of days in each")
    func limited() async throws {
        try await withDays(.sqlite, []) { days in
            let samples = (0..<(Limits.episodeDaysPerRun + 5)).flatMap { day in
                (0..<10).map { index in
                    EpisodeSample(
                        at: JitteredDay.start.millisecondsSince1970 + Int64(day) * 86_400_000 + Int64(index) * 60_000,
                        latitude: 50, longitude: 6, metres: 5)
                }
            }
            try await days.store(samples)
            try await days.update()
            #expect(try await days.states().count == Limits.episodeDaysPerRun)
            #expect(try await !days.isUpToDate())
            try await days.update()
            #expect(try await days.states().count == Limits.episodeDaysPerRun + 5)
            #expect(try await days.isUpToDate())
        }
    }

    // MARK: Deleting

    @Test("Days beyond the item's retention are deleted with their positions", arguments: Engine.allCases)
    func retention(engine: Engine) async throws {
        try await withDays(engine, []) { days in
            let first = JitteredDay.start.millisecondsSince1970 / 86_400_000
            let today = days.fixture.now.millisecondsSince1970 / 86_400_000
            for offset in [10, 3, 1] { try await days.store(days.samples(.shop, day: Int(today - first) - offset)) }
            try await days.update()
            #expect(try await days.states().count == 3)
            _ = try await days.fixture.tracking.items.update(
                days.item, ItemPatch(settings: .set(SettingsPatch(keepDays: .set(5)))), ifVersion: nil,
                by: Change(actor: days.ada))
            try await days.fixture.tracking.housekeeping.run()
            #expect(try await days.states().count == 2)
            #expect(try await days.isUpToDate())
            let rows = try await days.rows()
            try await days.recompute()
            #expect(try await days.rows() == rows)
        }
    }

    @Test("A deleted item leaves no episodes", arguments: Engine.allCases)
    func deletion(engine: Engine) async throws {
        try await withDays(engine, [.work]) { days in
            try await days.update()
            try await days.fixture.tracking.itemDeletions.delete(
                days.item, deletingPicture: false, by: Change(actor: days.ada))
            for table: SQL in ["episode", "episode_day", "episode_progress"] {
                #expect(try await days.fixture.count(table) == 0)
            }
            try await days.update()
            #expect(try await days.fixture.count("episode_progress") == 0)
        }
    }

    // MARK: Reading

    @Test("T-6-7-1: A day has its stays, trips and gaps, and the days before and after", arguments: Engine.allCases)
    func day(engine: Engine) async throws {
        try await withDays(engine, [.silentDrive, .work]) { days in
            try await days.update()
            let first = try await days.day("2026-03-01")
            #expect(first.previous == nil)
            #expect(first.next?.text == "2026-03-02")
            let kinds = first.parts.map { part -> String in
                guard case .episode(let episode, _) = part else { return "gap" }
                return episode.kind.rawValue
            }
            #expect(kinds == ["stay", "gap", "stay"])
            let second = try await days.day("2026-03-02")
            #expect(second.previous?.text == "2026-03-01")
            #expect(second.next == nil)
            #expect(second.distanceMetres > 10_000)
            #expect(second.episodes.contains { $0.kind == .trip && $0.path.count > 5 })
            let empty = try await days.day("2026-03-09")
            #expect(empty.parts.isEmpty)
            #expect(empty.previous?.text == "2026-03-02")
        }
    }

    @Test("The day's limits are those of the reader's time zone", arguments: Engine.allCases)
    func zone(engine: Engine) async throws {
        try await withDays(engine, [.work]) { days in
            try await days.update()
            // 2026-03-01 00:00 UTC is still the day before in New York.
            #expect(try await days.day("2026-02-28", zone: "America/New_York").parts.count > 0)
            #expect(try await days.day("2026-02-28", zone: "Asia/Tokyo").parts.isEmpty)
            #expect(try await days.day("2026-02-28", zone: "Nowhere/Nothing").parts.isEmpty)
        }
    }

    @Test("T-6-7-3: A month lists its days, the newest first", arguments: Engine.allCases)
    func month(engine: Engine) async throws {
        try await withDays(engine, [.work, .shop]) { days in
            try await days.store(days.samples(.tram, day: 40))
            try await days.update()
            let service = days.fixture.tracking.days
            let april = try await service.period(
                nil, of: days.item, for: days.ada, calendar: DayCalendar(nil), now: days.fixture.now)
            #expect(april.firstDay.text == "2026-04-01")
            #expect(april.days.map(\.date.text) == ["2026-04-10"])
            #expect(april.later == nil)
            let earlier = try #require(april.earlier)
            let march = try await service.period(
                earlier, of: days.item, for: days.ada, calendar: DayCalendar(nil), now: days.fixture.now)
            #expect(march.days.map(\.date.text) == ["2026-03-02", "2026-03-01"])
            #expect(march.days[1].trips >= 2 && march.days[1].stays >= 3)
            #expect(march.days[1].distanceMetres > 10_000)
            #expect(march.earlier == nil)
            #expect(march.later?.text == "2026-04-01")
        }
    }

    @Test("T-6-7-3: The stays at a safe place are listed in pages, the newest first", arguments: Engine.allCases)
    func search(engine: Engine) async throws {
        try await withDays(engine, [.work, .shop, .work]) { days in
            try await days.update()
            let home = JitteredDay.coordinate(0, 0)
            let service = days.fixture.tracking
            let place = try await service.safePlaces.create(
                SafePlaceInput(name: "Home", latitude: home.latitude, longitude: home.longitude),
                by: Change(actor: days.ada))
            let all = try await service.days.stays(
                of: days.item, at: place.id, for: days.ada, after: nil, limit: 50
            ).stays
            #expect(all.items.count >= 4)
            #expect(all.items.map(\.startedAt) == all.items.map(\.startedAt).sorted(by: >))
            var paged: [Episode] = []
            var after: String?
            repeat {
                let page = try await service.days.stays(
                    of: days.item, at: place.id, for: days.ada, after: after, limit: 2
                ).stays
                paged += page.items
                after = page.next
            } while after != nil
            #expect(paged == all.items)
            let day = try await days.day("2026-03-02")
            guard case .episode(_, .inside(let name)) = day.parts[0] else {
                Issue.record("\(day.parts[0])")
                return
            }
            #expect(name == "Home")
        }
    }

    @Test("T-6-7-4: A trip's file has the positions of its time", arguments: Engine.allCases)
    func file(engine: Engine) async throws {
        try await withDays(engine, [.work]) { days in
            try await days.update()
            let trip = try #require(try await days.day("2026-03-01").episodes.first { $0.kind == .trip })
            let file = try await days.fixture.tracking.days.trip(
                startingAt: trip.startedAt, of: days.item, for: days.ada)
            var text = ""
            for try await part in file { text += String(decoding: part, as: UTF8.self) }
            let times = text.matches(of: /<time>([^<]+)<\/time>/).compactMap { Instant(rfc3339: $0.1) }
            #expect(times.first == trip.startedAt)
            #expect(times.last == trip.endedAt)
            #expect(times.count >= trip.fixCount)
        }
    }

    @Test("Another account's days count as not found")
    func others() async throws {
        try await withDays(.sqlite, [.work]) { days in
            try await days.update()
            let ben = try await days.fixture.person("Ben")
            let trip = try #require(try await days.day("2026-03-01").episodes.first { $0.kind == .trip })
            let service = days.fixture.tracking.days
            await #expect(throws: AppError.notFound) { try await days.day("2026-03-01", for: ben) }
            await #expect(throws: AppError.notFound) {
                try await service.period(
                    nil, of: days.item, for: ben, calendar: DayCalendar(nil), now: days.fixture.now)
            }
            await #expect(throws: AppError.notFound) {
                try await service.stays(of: days.item, at: nil, for: ben, after: nil, limit: 5)
            }
            await #expect(throws: AppError.notFound) {
                try await service.trip(startingAt: trip.startedAt, of: days.item, for: ben)
            }
        }
    }
}
