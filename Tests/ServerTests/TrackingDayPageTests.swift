import HTTPTypes
import Kernel
import Storage
import TestSupport
import Testing
import Tracking

@Suite("Tracking: pages of days and stays")
struct TrackingDayPageTests {
    private static let home = (latitude: 50.0, longitude: 6.0)
    private static let work = (latitude: 50.05, longitude: 6.05)

    /// Adds stays of a working day, from 6:00 UTC to 18:00 UTC, with a silence of four hours.
    /// - Parameter day: the midnight before, in seconds since 1970.
    private func addWorkingDay(_ day: Int64, of item: String, to database: Database) async throws {
        let id = try #require(ID<Item>(String(item.suffix(36))))
        let minutes: [(start: Int64, end: Int64, place: (latitude: Double, longitude: Double))] = [
            (360, 480, Self.home), (500, 720, Self.work), (960, 970, Self.work), (990, 1_080, Self.home),
        ]
        try await database.write { tx in
            for (start, end, place) in minutes {
                let began = Instant(millisecondsSince1970: (day + start * 60) * 1_000)
                let ended = Instant(millisecondsSince1970: (day + end * 60) * 1_000)
                try tx.execute(
                    """
                    INSERT INTO episode (
                        item_id, started_at, ended_at, day, kind, is_open, latitude, longitude, end_latitude,
                        end_longitude, distance_metres, fixes, path
                    )
                    VALUES (
                        \(id), \(began), \(ended), \(day / 86_400), 'stay', 0, \(place.latitude),
                        \(place.longitude), \(place.latitude), \(place.longitude), 0, 10, NULL
                    )
                    """
                )
            }
        }
    }

    @Test("T-6-7-1, T-6-7-3: Stays at a safe place are listed newest first, and lead to their days")
    func stays() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let item = try await anna.item("Bag")
            var places: [String: String] = [:]
            for (name, place) in [("Home", Self.home), ("Work", Self.work)] {
                let reply = try await anna.send(
                    .post, "/tracking/safe-places",
                    json: ["name": name, "latitude": place.latitude, "longitude": place.longitude])
                places[name] = try reply.object().text("id")
            }
            // Tuesday, 24 February, and Thursday, 26 February 2026.
            for day in [1_771_891_200, 1_772_064_000] as [Int64] {
                try await addWorkingDay(day, of: item, to: tracking.database)
            }

            let month = try await anna.page("\(item)/days?month=2026-02").text
            let days = month.matches(of: #/<a class="row" href="([^"]+\/days\/[^"]+)"/#).map { String($0.1) }
            #expect(days == ["\(item)/days/2026-02-26", "\(item)/days/2026-02-24"])

            let choices = try await anna.page("\(item)/stays").text
            #expect(choices.contains(">Home</span>") && choices.contains(">Work</span>"))
            #expect(!choices.contains("id=\"stays\""))
            let work = try #require(places["Work"])
            let stays = try await anna.page("\(item)/stays?place=\(work)").text
            let rows = stays.matches(
                of: #/href="([^"]+)"><span class="row-text"><span class="row-title number">([^<]+)</#)
            #expect(
                rows.map { String($0.2) } == [
                    "Thu 26 Feb, 16:00 – 16:10", "Thu 26 Feb, 08:20 – 12:00", "Tue 24 Feb, 16:00 – 16:10",
                    "Tue 24 Feb, 08:20 – 12:00",
                ])
            #expect(rows.last.map { String($0.1) } == "\(item)/days/2026-02-24")

            let first = try await anna.page("\(item)/days/2026-02-24").text
            #expect(first.contains("href=\"\(item)/days/2026-02-26\">Later day"))
            #expect(!first.contains("Earlier day"))
            let last = try await anna.page("\(item)/days/2026-02-26").text
            #expect(last.contains("href=\"\(item)/days/2026-02-24\"") && last.contains("Earlier day"))
            #expect(!last.contains("Later day"))
        }
    }
}
