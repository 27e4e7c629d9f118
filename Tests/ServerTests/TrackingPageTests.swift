import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing
import Tracking

/// Tracking's pages in a browser without scripts.
@Suite("Tracking: pages")
struct TrackingPageTests {
    @Test("T-3-1-1: The empty list suggests adding the first item")
    func emptyList() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let start = try await anna.page("/tracking")
            #expect(start.status == 303)
            #expect(start.header("location") == "/tracking/items")
            let page = try await anna.page("/tracking/items")
            #expect(page.status == 200)
            #expect(page.header("content-type") == "text/html; charset=utf-8")
            #expect(page.text.contains("<h1 class=\"title\" hx-disable>Items</h1>"))
            #expect(page.text.contains("aria-label=\"Add item\""))
            #expect(page.text.contains("class=\"empty\""))
            #expect(page.text.contains("data-live=\"item fix command position place\""))
        }
    }

    @Test("T-1-1-1, T-1-3-1: Add item has a title, a camera, a name field, Save and Cancel")
    func addView() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let page = try await anna.page("/tracking/items/new")
            #expect(page.status == 200)
            #expect(page.text.contains("Add item</h1>"))
            #expect(page.text.contains("data-photo-pick"))
            #expect(page.text.contains("data-placeholder"))
            #expect(page.text.contains("placeholder=\"Enter item’s name\""))
            #expect(page.text.contains("form=\"item-form\"><span>Save</span>"))
            #expect(page.text.contains("<span>Cancel</span>"))
            #expect(page.text.contains("enctype=\"multipart/form-data\""))
            #expect(!page.text.contains("maxlength"))
            let keyed = #/name="idempotencyKey" value="[0-9a-f]{32}"/#
            let isKeyed = page.text.contains(keyed)
            #expect(isKeyed)
        }
    }

    @Test("T-1-2-6, T-1-3-2, T-1-5-1: Saved without a photo, the list shows it and offers to pair a tracker")
    func addsByForm() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let form: KeyValuePairs = ["name": "Keys", "pictureId": "", "idempotencyKey": "one"]
            let reply = try await anna.submit("/tracking/items", form)
            #expect(reply.status == 303)
            let place = try #require(reply.header("location"))
            #expect(place.hasPrefix("/tracking/items?added="))
            let again = try await anna.submit("/tracking/items", form)
            #expect(again.header("location") == place)
            let page = try await anna.page(place)
            #expect(page.text.contains("id=\"pair\""))
            #expect(page.text.contains("Pair a tracker"))
            for choice in ["Bluetooth", "Code", "Later"] { #expect(page.text.contains(choice)) }
            #expect(page.text.components(separatedBy: "class=\"card-title\"").count == 2)
            #expect(page.text.contains("data-placeholder"))
            let card = try await anna.fragment("/tracking/items")
            #expect(!card.text.contains("<html"))
            #expect(card.text.contains("aria-checked=\"false\""))
            #expect(card.text.contains(" disabled></button>"))
        }
    }

    @Test("T-1-4-1: An invalid name returns with the entered values and an error in the reader's language")
    func keepsWhatWasTyped() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let long = String(repeating: "x", count: 51)
            let reply = try await anna.submit("/tracking/items", ["name": long, "pictureId": ""])
            #expect(reply.status == 422)
            #expect(reply.text.contains("value=\"\(long)\""))
            #expect(reply.text.contains("aria-invalid=\"true\""))
            #expect(reply.text.contains("aria-describedby=\"name-error name-hint\""))
            #expect(reply.text.contains("id=\"name-error\">Use at most \(Limits.nameCharacters) characters.</p>"))
            let others = [("   ", "Enter a name."), ("key\u{7}s", "Remove characters that aren’t allowed.")]
            for (typed, message) in others {
                let refused = try await anna.submit("/tracking/items", ["name": typed, "pictureId": ""])
                #expect(refused.status == 422)
                #expect(refused.text.contains("name=\"name\" value=\"\(typed)\""))
                #expect(refused.text.contains("aria-invalid=\"true\""))
                #expect(refused.text.contains("id=\"name-error\">\(message)</p>"))
            }
            #expect(try await anna.send(.get, "/tracking/items").object().list("items").isEmpty)
            let german = try await anna.page("/tracking/items/new", headers: ["Accept-Language": "de-AT,de;q=0.9"])
            #expect(german.text.contains("Neues Ding</h1>"))
            #expect(german.text.contains("<html lang=\"de\""))
        }
    }

    @Test("Markup in a name is printed as text on every page")
    func escapes() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("<script>\"'&</script>")
            for path in ["/tracking/items", url, url + "/edit", url + "/delete", url + "/fixes", url + "/tracker"] {
                let page = try await anna.page(path)
                #expect(page.status == 200, "\(path)")
                #expect(!page.text.contains("<script>\""), "\(path)")
                #expect(page.text.contains("&lt;script&gt;") || path.hasSuffix("/fixes") == false, "\(path)")
            }
        }
    }

    @Test("T-3-1-4: A lost item has the label and the mark")
    func lostCard() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bag")
            let source = try await anna.source(.osmand, item: url)
            _ = try await tracking.signedOut.device(.get, "\(source)&lat=0.00306&lon=1&timestamp=\(tracking.seconds)")
            _ = try await anna.send(.put, "/tracking/position", json: ["latitude": 0, "longitude": 1])
            let list = try await anna.page("/tracking/items")
            #expect(list.text.contains("class=\"card is-lost\""))
            #expect(list.text.contains("badge-danger\">Lost</span>"))
            #expect(list.text.contains("340\u{a0}m · <time data-relative"))
            #expect(list.text.contains("Phone app"))
        }
    }

    @Test("T-3-3-1, T-3-3-3: Details show name, map, the latest 10 positions, and load older ones")
    func details() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let bare = try await anna.page(url)
            #expect(bare.text.contains("<h1 class=\"title\" hx-disable>Bike</h1>"))
            #expect(bare.text.contains("No position yet"))
            #expect(bare.text.contains("disabled aria-describedby=\"navigate-why\""))
            #expect(bare.text.contains("Pair a tracker"))
            let source = try await anna.source(.osmand, item: url)
            for number in 1...12 {
                tracking.clock.advance(seconds: 60)
                let place = "lat=50.\(number + 10)&lon=6.1&timestamp=\(tracking.seconds)"
                _ = try await tracking.signedOut.device(.get, "\(source)&\(place)&accuracy=6&batt=\(number)")
            }
            let page = try await anna.page(url)
            #expect(page.text.contains("data-fixes-url=\"\(url)/fixes?limit=10\""))
            #expect(page.text.components(separatedBy: "data-fix-id=\"").count == 11)
            #expect(page.text.contains("50.22000, 6.10000"))
            #expect(!page.text.contains("50.12000, 6.10000"))
            #expect(page.text.contains("±6\u{a0}m"))
            #expect(page.text.contains("Battery low: 12\u{a0}%"))
            #expect(page.text.contains("href=\"\(url)?shown=30\""))
            let older = try await anna.fragment(url + "?shown=30")
            #expect(older.text.components(separatedBy: "data-fix-id=\"").count == 13)
            #expect(!older.text.contains("Load older"))
            #expect(older.text.contains("hx-get=\"\(url)?shown=30\""))
            #expect(!older.text.contains("<html"))
            let history = try await anna.page(url + "/fixes")
            #expect(history.text.components(separatedBy: "<tr>").count == 14)
            #expect(history.text.contains("data-label=\"Accuracy\">±6\u{a0}m"))
        }
    }

    @Test("T-3-5-1: Edit shows the current values, stores valid ones and keeps invalid ones in the form")
    func edits() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let page = try await anna.page(url + "/edit")
            #expect(page.text.contains("name=\"name\" value=\"Keys\""))
            #expect(page.text.contains("name=\"settings.lostMetres\" value=\"5\""))
            #expect(page.text.contains("data-guard"))
            #expect(page.text.contains(">Delete</a>"))
            let wrong = try await anna.submit(
                url + "?_method=patch",
                ["name": "Door", "settings.lostMetres": "0", "settings.walkMetres": "many", "version": "1"]
            )
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("value=\"Door\""))
            #expect(wrong.text.contains("value=\"many\""))
            #expect(wrong.text.contains("Enter a whole number: 0 to 100,000 metres"))
            let right = try await anna.submit(
                url + "?_method=patch",
                [
                    "name": "Door", "pictureId": "", "settings.locateMinutes": "30", "settings.lostMetres": "",
                    "settings.alertMetres": "50", "settings.walkMetres": "0", "version": "1",
                ]
            )
            #expect(right.status == 303)
            #expect(right.header("location") == url)
            let item = try await anna.send(.get, url).object()
            #expect(item.text("name") == "Door")
            #expect(try item.object("settings").number("locateMinutes") == 30)
            #expect(try item.object("settings").number("lostMetres") == 5)
            let late = try await anna.submit(url + "?_method=patch", ["name": "Late", "version": "1"])
            #expect(late.status == 409)
            #expect(late.text.contains("changed on another device"))
            #expect(late.text.contains("value=\"Late\""))
            #expect(late.text.contains("name=\"version\" value=\"2\""))
            #expect(late.text.contains("id=\"name-changed\">Changed elsewhere to “Door”</p>"))
        }
    }

    @Test("Defaults for new items are read and changed by page and by JSON")
    func defaults() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = "/tracking/settings"
            let first = try await anna.send(.get, url)
            #expect(try first.object().object("settings").number("lostMetres") == 5)
            #expect(first.header("etag") == "\"1\"")
            let changed = try await anna.send(
                .patch, url, body: #"{"settings":{"lostMetres":25,"walkMetres":null}}"#, type: "application/json")
            #expect(try changed.object().object("settings").number("lostMetres") == 25)
            let item = try await anna.item("Keys")
            #expect(try await anna.send(.get, item).object().object("settings").number("lostMetres") == 25)

            let page = try await anna.page(url)
            #expect(page.text.contains("name=\"settings.lostMetres\" value=\"25\""))
            #expect(page.text.contains("Lost from 25\u{a0}m"))
            let wrong = try await anna.submit(
                url + "?_method=patch", ["settings.alertMetres": "0", "settings.lostMetres": "30", "version": "2"])
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("Enter a whole number: 1 to 100,000 metres"))
            #expect(wrong.text.contains("value=\"30\""))
            let late = try await anna.submit(url + "?_method=patch", ["settings.alertMetres": "70", "version": "1"])
            #expect(late.status == 409)
            #expect(late.text.contains("value=\"70\"") && late.text.contains("name=\"version\" value=\"2\""))
            let right = try await anna.submit(url + "?_method=patch", ["settings.alertMetres": "70", "version": "2"])
            #expect(right.status == 303 && right.header("location") == url)
            let now = try await anna.send(.get, url).object().object("settings")
            #expect(now.number("alertMetres") == 70 && now.number("lostMetres") == 25)
        }
    }

    @Test("Defaults that were changed elsewhere are shown beside what was typed, and saving again keeps both")
    func conflictingDefaults() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = "/tracking/settings"
            func fields(_ page: Reply) -> [(key: String, value: String)] {
                page.text.matches(of: #/name="([^"]+)" value="([^"]*)"/#)
                    .map { (key: String($0.output.1), value: String($0.output.2)) }
            }
            let page = try await anna.page(url)
            let form = fields(page)
                .map { (key: $0.key, value: $0.key == "settings.alertMetres" ? "75" : $0.value) }
            let elsewhere = try await anna.send(
                .patch, url, body: #"{"settings":{"lostMetres":33}}"#, type: "application/json")
            #expect(elsewhere.status == 200)
            let late = try await anna.submit(url + "?_method=patch", pairs: form)
            #expect(late.status == 409)
            #expect(late.text.contains("Changed elsewhere to 33"))
            #expect(late.text.contains("name=\"settings.alertMetres\" value=\"75\""))
            #expect(late.text.contains("name=\"settings.lostMetres\" value=\"33\""))
            let saved = try await anna.submit(url + "?_method=patch", pairs: fields(late))
            #expect(saved.status == 303)
            #expect(try saved.toast() == "Saved for new items")
            let settings = try await anna.send(.get, url).object().object("settings")
            #expect(settings.number("alertMetres") == 75 && settings.number("lostMetres") == 33)
        }
    }

    @Test("T-3-6-1: Delete asks once, names the consequences, and deletes")
    func deletes() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let question = try await anna.page(url + "/delete")
            #expect(question.text.contains("Delete Keys?"))
            #expect(question.text.contains("All its positions are deleted."))
            #expect(!question.text.contains("photo is deleted"))
            let form: KeyValuePairs = ["idempotencyKey": "gone"]
            for _ in 1...2 {
                let reply = try await anna.submit(url + "?_method=delete", form)
                #expect(reply.status == 303)
                #expect(reply.header("location") == "/tracking/items")
            }
            #expect(try await anna.page(url).status == 404)
        }
    }

    @Test("A form adds a source, whose secrets are shown with a QR code and instructions")
    func connectsApps() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let empty = try await anna.page("/tracking/sources")
            #expect(empty.text.contains("No app is connected yet."))
            let form = try await anna.page("/tracking/sources/new?item=\(url.suffix(36))")
            #expect(form.text.contains("<option value=\"\(url.suffix(36))\" selected>Item: Bike</option>"))
            let bad = try await anna.submit("/tracking/sources", ["kind": "", "itemId": "", "speedUnit": "knots"])
            #expect(bad.status == 422)
            #expect(bad.text.contains("Choose an app."))
            let own = try await anna.submit(
                "/tracking/sources", ["kind": "owntracks", "itemId": String(url.suffix(36)), "speedUnit": "knots"]
            )
            #expect(own.status == 201)
            #expect(own.text.contains("<svg"))
            #expect(own.text.contains("href=\"owntracks:///config?inline="))
            #expect(own.text.contains("https://home.example/ingest/owntracks"))
            #expect(own.text.contains("Encryption key"))
            let taken = try await anna.submit(
                "/tracking/sources", ["kind": "osmand", "itemId": String(url.suffix(36)), "speedUnit": "mps"]
            )
            #expect(taken.status == 409)
            #expect(taken.text.contains("This item has a tracker."))
            let choice: KeyValuePairs = ["kind": "osmand", "itemId": "", "speedUnit": "mps"]
            let phone = try await anna.submit("/tracking/sources", choice)
            #expect(phone.text.contains("timestamp={2}"))
            let list = try await anna.page("/tracking/sources")
            #expect(list.text.contains("row-title\">Bike</span>"))
            #expect(list.text.contains("My phone"))
            let paths = list.text.matches(of: #/href="(\/tracking\/sources\/[0-9a-f-]{36})"/#).map(\.output.1)
            #expect(paths.count == 2)
            let one = try await anna.page(String(try #require(paths.first)))
            #expect(one.text.contains("?_method=delete"))
            #expect(one.text.contains("/secret?_method=put"))
        }
    }

    @Test("Every page with personal data forbids shared caching")
    func caching() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            for path in ["/tracking/items", url, url + "/edit", url + "/fixes", "/tracking/sources"] {
                let page = try await anna.page(path)
                #expect(page.header("cache-control") == "private, no-store", "\(path)")
                #expect(page.header("vary")?.contains("HX-Request") == true, "\(path)")
            }
        }
    }
}
