import HTTPTypes
import Kernel
import TestSupport
import Testing
import Translations
import WebCore

@testable import Tracking
@testable import TrackingWeb

/// Pages that say where an item is, from where its distance is measured, and why an alert came.
@Suite("Tracking: pages that explain")
struct TrackingExplanationTests {
    /// An item of Anna's that is 1 km north of her program, and so too far away.
    private struct Separated {
        let anna: TrackingTestClient
        let item: String

        init(_ tracking: TrackingTestServer, mode: AlertMode? = .everyTime) async throws {
            anna = try await tracking.person("anna@example.org")
            item = try await anna.item("Keys")
            let source = try await anna.source(.osmand, item: item)
            if let mode { _ = try await anna.send(.patch, "/tracking/alerts", json: ["mode": mode.rawValue]) }
            _ = try await anna.send(.put, "/tracking/position", json: ["latitude": 50, "longitude": 6])
            tracking.clock.advance(seconds: 5)
            _ = try await tracking.signedOut.device(.get, "\(source)&lat=50.009&lon=6&timestamp=\(tracking.seconds)")
        }

        /// The path of the alert's page.
        func alert() async throws -> String {
            let link = try await anna.page(item).text.split(separator: "\"").first { $0.hasPrefix("/tracking/alerts/") }
            return String(try #require(link))
        }
    }

    @Test("The list asks for the alert mode until it is answered, and returns to the list")
    func asks() async throws {
        try await withTracking { tracking in
            let keys = try await Separated(tracking, mode: nil)
            let list = try await keys.anna.page("/tracking/items").text
            #expect(list.contains("When do you want an alert?") && list.contains("You get none until you choose."))
            #expect(list.contains("name=\"return\" value=\"/tracking/items\""))
            #expect(try await !keys.anna.fragment("/tracking/items").text.contains("When do you want an alert?"))
            #expect(try await keys.anna.send(.get, "/notifications").object().list("items").isEmpty)
            let chosen = try await keys.anna.submit(
                "/tracking/alerts?_method=patch", ["mode": "everyTime", "return": "/tracking/items"])
            #expect(chosen.header("location") == "/tracking/items")
            #expect(try await !keys.anna.page("/tracking/items").text.contains("When do you want an alert?"))
        }
    }

    @Test("Distances say from which device they are, on the item's page, in the list, on the map and in the alert")
    func device() async throws {
        try await withTracking { tracking in
            let keys = try await Separated(tracking)
            #expect(try await keys.anna.page(keys.item).text.contains("from your device (curl)</p>"))
            for path in ["/tracking/items", "/tracking/map"] {
                let page = try await keys.anna.page(path).text
                #expect(page.contains("Distances are measured from your device (curl)."), "\(path)")
            }
            let notices = try await keys.anna.send(.get, "/notifications").object().list("items")
            #expect(notices.first?.text("title") == "Keys is 1.0\u{a0}km from your device (curl)")
            let why = try await keys.anna.page(keys.alert()).text
            #expect(why.contains("It was 1.0\u{a0}km from your device (curl). Your limit for it was 10\u{a0}m."))
            #expect(why.contains("Your device (curl)"))
            #expect(why.contains("data-role=\"item\"") && why.contains("data-role=\"phone\""))
        }
    }

    @Test("The page of an alert names positions by safe places")
    func names() async throws {
        try await withTracking { tracking in
            let keys = try await Separated(tracking)
            let alert = try await keys.alert()
            #expect(try await keys.anna.page(alert).text.contains("50.00900, 6.00000"))
            _ = try await keys.anna.send(
                .post, "/tracking/safe-places", json: ["name": "Home", "latitude": 50, "longitude": 6])
            let why = try await keys.anna.page(alert).text
            #expect(why.contains(">Home · ") && why.contains("north of Home"))
            #expect(!why.contains("50.00900"))
        }
    }

    @Test("Marking the place of a lost item as safe makes it apart, and its pages listen to safe places")
    func markedAsSafe() async throws {
        try await withTracking { tracking in
            let keys = try await Separated(tracking)
            let before = try await keys.anna.page(keys.item).text
            #expect(before.contains("badge-danger\">Lost</span>") && before.contains("Too far since"))
            let form: KeyValuePairs = ["name": "Office", "latitude": "50.009", "longitude": "6", "radiusMetres": "50"]
            #expect(try await keys.anna.submit("/tracking/safe-places", form).status == 303)
            let after = try await keys.anna.fragment(keys.item).text
            #expect(after.contains("badge-accent\">Apart</span>") && !after.contains("Too far since"))
            let list = try await keys.anna.fragment("/tracking/items").text
            #expect(list.contains("badge-accent\">Apart</span>") && !list.contains("is-lost"))
            for part in [after, list] {
                #expect(part.contains(#/data-live="[^"]*\bplace\b/#))
            }
            #expect(after.contains(#/data-live-resource="[^"]*/tracking/safe-places/#))
        }
    }

    @Test("A live link's page says what is shared, until when, and navigates with both maps apps")
    func live() async throws {
        try await withTracking { tracking in
            let keys = try await Separated(tracking)
            let source = try await keys.anna.source(.osmand, item: keys.anna.item("Bag"))
            let items = try await keys.anna.send(.get, "/tracking/items").object().list("items")
            let bag = try #require(items.first { $0.text("name") == "Bag" }?.text("id"))
            func link(_ json: [String: any Sendable]) async throws -> String {
                let made = try await keys.anna.send(.post, "/tracking/live-links", json: json)
                let url = try #require(try made.object().text("url"))
                return String(url.dropFirst(TrackingTestServer.url.count))
            }
            let ofItem = try await link(["itemId": bag, "duration": "1h", "showsName": true])
            let ofPerson = try await link(["duration": "1h"])
            let waiting = try await tracking.signedOut.page(ofItem).text
            #expect(waiting.contains("You can see where one of Person’s items is for as long as the link is open."))
            #expect(waiting.contains("The link is open until <time"))
            #expect(waiting.contains("<li hidden data-live-way>"))
            #expect(
                try await tracking.signedOut.page(ofPerson).text
                    .contains("You can see where a person is for as long as the link is open."))
            tracking.clock.advance(seconds: 5)
            _ = try await tracking.signedOut.device(.get, "\(source)&lat=50.5&lon=6.25&timestamp=\(tracking.seconds)")
            let page = try await tracking.signedOut.page(ofItem).text
            #expect(page.contains("<li data-live-way>"))
            #expect(page.contains("maps.apple.com/?daddr=50.5,6.25"))
            #expect(page.contains("destination=50.5,6.25") && page.contains("Navigate with Google Maps"))
        }
    }

    // MARK: Days

    private static let noon = Instant(millisecondsSince1970: 1_770_000_000_000)

    /// The rows of a day in UTC with one episode, given in seconds from the start of the day.
    private func rows(
        _ kind: Episode.Kind, from start: Int64, to end: Int64, isOpen: Bool = false
    ) throws -> [DayPartRow] {
        let calendar = DayCalendar("UTC")
        let date = calendar.date(at: Self.noon)
        let span = calendar.span(of: date)
        let place = try #require(Coordinate(latitude: 50, longitude: 6))
        let at = { (seconds: Int64) in span.lowerBound.adding(seconds: seconds) }
        let episode = Episode(
            kind: kind, startedAt: at(start), endedAt: at(end), place: place,
            distanceMetres: kind == .trip ? 5_000 : 0, fixCount: 9, isOpen: isOpen)
        let item = Item(
            id: ID(at: Self.noon, random: SeededRandom(seed: 1)),
            owner: ID(at: Self.noon, random: SeededRandom(seed: 2)),
            name: "Bag", pictureID: nil, settings: .standard, version: 1, createdAt: Self.noon)
        let day = ItemDay(
            item: item, date: date, span: span, parts: [.episode(episode, .inside(name: "Home"))], previous: nil,
            next: nil)
        let t = Translations.translator(.english)
        return day.parts.enumerated().map { index, part in
            DayPartRow(
                part, index: index, of: day, calendar: calendar, t: t, formatter: TrackingFormatter(t, now: Self.noon))
        }
    }

    struct DayCase: Sendable {
        let kind: Episode.Kind
        let start: Int64
        let end: Int64
        let times: String
        let note: String
    }

    @Test(
        "The duration of a part of a day is that between the times shown",
        arguments: [
            DayCase(
                kind: .stay, start: -16_740, end: 28_800, times: "00:00 – 08:00", note: "8\u{a0}hr"),
            DayCase(kind: .stay, start: 72_000, end: 100_000, times: "20:00 – 24:00", note: "4\u{a0}hr"),
            DayCase(kind: .stay, start: -90_000, end: 200_000, times: "00:00 – 24:00", note: "24\u{a0}hr"),
            DayCase(
                kind: .stay, start: 29_570, end: 34_210, times: "08:12 – 09:30", note: "1\u{a0}hr\u{a0}18\u{a0}min"),
            DayCase(
                kind: .trip, start: -600, end: 1_200, times: "00:00 – 00:20",
                note: "5.0\u{a0}km in total · 20\u{a0}min"),
            DayCase(kind: .trip, start: 600, end: 1_200, times: "00:10 – 00:20", note: "5.0\u{a0}km · 10\u{a0}min"),
        ])
    func durations(_ example: DayCase) throws {
        let row = try #require(try rows(example.kind, from: example.start, to: example.end).first)
        #expect(row.partTimes == example.times)
        #expect(row.partNote == example.note)
    }

    @Test("A stay that began yesterday counts from midnight until now")
    func ongoing() throws {
        let row = try #require(try rows(.stay, from: -7_200, to: 3_600, isOpen: true).first)
        #expect(row.partTimes == "00:00 – 01:00" && row.partNote == "1\u{a0}hr so far")
    }
}
