import HTTPTypes
import Kernel
import TestSupport
import Testing
import TrackerProtocol
import Tracking
import TrackingWeb

/// The list page: its order, its search, and its switches.
@Suite("Tracking: the list page")
struct TrackingListTests {
    private static func names(_ page: Reply) -> [String] {
        page.text.matches(of: #/class="card-title" hx-disable href="[^"]*">([^<]*)</#).map { String($0.1) }
    }

    /// An item whose tracker is paired and has executed its activation.
    private static func activeTracker(
        _ tracking: TrackingTestServer
    ) async throws -> (owner: TrackingTestClient, url: String, tracker: TrackerClient) {
        let anna = try await tracking.person("anna@example.org")
        let url = try await anna.item("Keys")
        return (anna, url, try await TrackerClient(tracking, active: url, of: anna))
    }

    @Test("The order is stored in the browser that chose it, and an unknown one is rejected")
    func order() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            for name in ["Umbrella", "Bike"] {
                let url = try await anna.item(name)
                let report = try await anna.source(.osmand, item: url)
                tracking.clock.advance(seconds: 60)
                let uri = "\(report)&lat=50&lon=6&timestamp=\(tracking.seconds - (name == "Bike" ? 600 : 0))"
                _ = try await anna.device(.get, uri)
            }
            let first = try await anna.page("/tracking/items")
            #expect(Self.names(first) == ["Bike", "Umbrella"])
            #expect(first.text.contains("href=\"/tracking/items?order=position\""))
            let chosen = try await anna.page("/tracking/items?order=position")
            #expect(Self.names(chosen) == ["Umbrella", "Bike"])
            let cookie = try #require(chosen.header("set-cookie"))
            #expect(cookie.hasPrefix("homeward-list-order=position; "))
            for attribute in ["Path=/tracking/items", "Max-Age=31536000", "HttpOnly"] {
                #expect(cookie.contains("; \(attribute)"))
            }
            let session = try #require(anna.cookie)
            let kept = try await anna.page(
                "/tracking/items", headers: ["cookie": "\(session); homeward-list-order=position"])
            #expect(Self.names(kept) == ["Umbrella", "Bike"])
            #expect(kept.text.contains("aria-current=\"true\">Latest position</a>"))
            let odd = try await anna.page(
                "/tracking/items", headers: ["cookie": "\(session); homeward-list-order=odd"])
            #expect(Self.names(odd) == ["Bike", "Umbrella"])
            #expect(try await anna.page("/tracking/items?order=odd").status == 422)
            let list = try await anna.send(.get, "/tracking/items").object()
            #expect(try list.texts("items", "name") == ["Umbrella", "Bike"], "programs get the order of creation")
        }
    }

    @Test("The search is shown from eight items on, and works as a plain form")
    func search() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            for number in 1..<Limits.searchableItems { _ = try await anna.item("Item \(number)") }
            #expect(!(try await anna.page("/tracking/items")).text.contains("role=\"search\""))
            _ = try await anna.item("Köln \"<b>")
            let page = try await anna.page("/tracking/items")
            #expect(page.text.contains("role=\"search\""))
            #expect(page.text.contains("<div class=\"buttons no-js-only\">"))
            #expect(page.text.contains("data-waiting-adds=\"/tracking/items\""))
            let found = try await anna.page("/tracking/items?q=koeln")
            #expect(Self.names(found) == ["Köln &quot;&lt;b&gt;"])
            #expect(found.text.contains("name=\"q\" type=\"search\" value=\"koeln\""))
            #expect(found.text.contains("hx-get=\"/tracking/items?q=koeln\""))
            // An item that was added without a connection may not match the search.
            #expect(!found.text.contains("data-waiting-adds"))
            let none = try await anna.page("/tracking/items?q=nothing")
            #expect(Self.names(none).isEmpty)
            #expect(none.text.contains("No item’s name contains “nothing”."))
            #expect(none.text.contains("href=\"/tracking/items?q=\">Show all items</a>"))
            #expect(Self.names(try await anna.page("/tracking/items?q=")).count == Limits.searchableItems)
        }
    }

    @Test("Undo in the toast of a switch sends the opposite command")
    func undo() async throws {
        try await withTracking { tracking in
            let (anna, url, _) = try await Self.activeTracker(tracking)
            let off = try await anna.submit(url + "/commands", ["kind": "off", "view": "card"], isFragment: true)
            let toast = try #require(off.header("hx-trigger"))
            #expect(toast.contains("Turning Keys off"))
            #expect(toast.replacing("\\/", with: "/").contains("\(url)/commands?undo=on"))
            tracking.clock.advance(seconds: 1)
            let undone = try await anna.submit(url + "/commands?undo=on", ["idempotencyKey": ""])
            #expect(undone.status == 303)
            #expect(undone.header("location") == "/tracking/items")
            let commands = try await anna.send(.get, url + "/commands").object()
            #expect(try commands.texts("items", "kind") == ["on", "off", "activate"])
            #expect(try commands.texts("items", "state") == ["queued", "superseded", "applied"])
        }
    }

    @Test("The details show the result of a ring command")
    func ring() async throws {
        try await withTracking { tracking in
            let (anna, url, bound) = try await Self.activeTracker(tracking)
            var tracker = bound
            #expect(!(try await anna.page(url)).text.contains("ring-state"))
            #expect(try await anna.send(.post, url + "/commands", json: ["kind": "ring"]).status == 202)
            #expect(try await anna.page(url).text.contains("Waiting for the tracker to connect."))
            tracking.clock.advance(seconds: 5)
            let told = try await tracker.report(.active)
            #expect(try await anna.page(url).text.contains("The command was sent to the tracker."))
            tracking.clock.advance(seconds: 5)
            _ = try await tracker.report(.active, doing: told)
            #expect(try await anna.page(url).text.contains("Ring: The tracker rang. <time data-relative"))
            tracking.clock.advance(seconds: Limits.ringShownSeconds)
            #expect(!(try await anna.page(url)).text.contains("ring-state"))
        }
    }

    @Test("T-3-5-1, T-6-4-2: Edit shows name and photo, and expands the advanced settings if one is invalid")
    func advanced() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let form = try await anna.page(url + "/edit")
            #expect(form.text.contains("<details class=\"fold fold-row\" id=\"advanced\">"))
            let wrong = try await anna.submit(url + "?_method=patch", ["name": "Keys", "settings.lostMetres": "0"])
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("id=\"advanced\" open>"))
            let silent = try await anna.submit(url + "?_method=patch", ["name": "Keys", "settings.silentHours": "169"])
            #expect(silent.status == 422)
            #expect(silent.text.contains("id=\"advanced\" open>"))
            #expect(silent.text.contains("Enter a whole number from 1 to 168, or nothing."))
            #expect(silent.text.contains("name=\"settings.silentHours\" value=\"169\""))
            let name = try await anna.submit(url + "?_method=patch", ["name": ""])
            #expect(name.text.contains("id=\"advanced\">"))
        }
    }
}
