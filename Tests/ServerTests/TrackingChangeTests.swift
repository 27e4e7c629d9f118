import Accounts
import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing
import Tracking
import WebCore

@testable import TrackingWeb

/// Concurrent changes, and deleted items.
@Suite("Tracking: concurrent changes and deletions")
struct TrackingChangeTests {
    private static func form(
        _ values: [String: String], base: [String: String], version: Int
    ) -> [(key: String, value: String)] {
        let standard = [
            "name": "Keys", "pictureId": "", "settings.locateMinutes": "10", "settings.lostMetres": "5",
            "settings.alertMetres": "10", "settings.walkMetres": "2000",
        ]
        let typed = standard.merging(values) { $1 }.map { (key: $0.key, value: $0.value) }
        let made = standard.merging(base) { $1 }.map { (key: "base." + $0.key, value: $0.value) }
        return typed + made + [(key: "version", value: "\(version)")]
    }

    @Test("T-3-5-1: Another device's change is shown, merged into unchanged fields, and checked again")
    func conflict() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let edit = try await anna.page(url + "/edit")
            #expect(edit.text.contains("name=\"base.settings.lostMetres\" value=\"5\""))
            let theirs: [String: any Sendable] = ["name": "Door", "settings": ["lostMetres": 7, "walkMetres": 900]]
            #expect(try await anna.send(.patch, url, json: theirs).status == 200)
            // My change: another name, and the alert. The other fields are unchanged.
            let mine = Self.form(["name": "My keys", "settings.alertMetres": "30"], base: [:], version: 1)
            let first = try await anna.submit(url + "?_method=patch", pairs: mine)
            #expect(first.status == 409)
            #expect(first.text.contains("changed on another device"))
            #expect(first.text.contains("name=\"name\" value=\"My keys\""))
            #expect(first.text.contains("id=\"name-changed\">Changed elsewhere to “Door”</p>"))
            #expect(first.text.contains("name=\"settings.lostMetres\" value=\"7\""))
            #expect(first.text.contains("id=\"lostMetres-changed\">Changed elsewhere to 7\u{a0}m</p>"))
            #expect(first.text.contains("id=\"advanced\" open>"))
            #expect(first.text.contains("name=\"settings.walkMetres\" value=\"900\""))
            #expect(first.text.contains("name=\"settings.alertMetres\" value=\"30\""))
            #expect(!first.text.contains("id=\"alertMetres-changed\""))
            #expect(first.text.contains("name=\"base.name\" value=\"Door\""))
            #expect(first.text.contains("name=\"version\" value=\"2\""))
            #expect(try await anna.send(.get, url).object().text("name") == "Door")
            // The other device changes it once more before the second Save.
            #expect(try await anna.send(.patch, url, json: ["name": "Gate"]).status == 200)
            let base = ["name": "Door", "settings.lostMetres": "7", "settings.walkMetres": "900"]
            var values = base
            values["name"] = "My keys"
            values["settings.alertMetres"] = "30"
            let second = try await anna.submit(
                url + "?_method=patch", pairs: Self.form(values, base: base, version: 2)
            )
            #expect(second.status == 409)
            #expect(second.text.contains("Changed elsewhere to “Gate”"))
            #expect(!second.text.contains("id=\"lostMetres-changed\""))
            let third = try await anna.submit(url + "?_method=patch", pairs: Self.form(values, base: base, version: 3))
            #expect(third.status == 303)
            let stored = try await anna.send(.get, url).object()
            #expect(stored.text("name") == "My keys")
            let settings = try stored.object("settings")
            #expect(settings.number("lostMetres") == 7)
            #expect(settings.number("alertMetres") == 30)
        }
    }

    @Test("T-3-5-1: A photo chosen on another device is shown, and stays when the form is saved again")
    func otherPhoto() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let mine = try await tracking.photo(of: anna)
            let theirs = try await tracking.photo(of: anna, seed: 2)
            let url = try await anna.item("Keys")
            #expect(try await anna.send(.patch, url, json: ["pictureId": mine]).status == 200)
            #expect(try await anna.send(.patch, url, json: ["name": "Door", "pictureId": theirs]).status == 200)
            let before = ["pictureId": mine]
            let first = try await anna.submit(
                url + "?_method=patch", pairs: Self.form(["name": "Mine", "pictureId": mine], base: before, version: 2))
            #expect(first.status == 409)
            #expect(first.text.contains("Changed elsewhere to “Door”"))
            #expect(first.text.contains("The photo was changed elsewhere to this one:"))
            #expect(first.text.contains("</p><img class=\"photo\" src=\"/pictures/\(theirs)?size=small\""))
            #expect(first.text.contains("name=\"pictureId\" value=\"\(theirs)\""))
            #expect(try await anna.send(.get, url).object().text("name") == "Door")
            let base = ["name": "Door", "pictureId": theirs]
            let second = try await anna.submit(
                url + "?_method=patch", pairs: Self.form(["name": "Mine", "pictureId": theirs], base: base, version: 3))
            #expect(second.status == 303)
            let stored = try await anna.send(.get, url).object()
            #expect(stored.text("name") == "Mine")
            #expect(stored.text("pictureId") == theirs)
        }
    }

    @Test("An error in a form doesn't hide another device's change")
    func wrongAndLate() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            _ = try await anna.send(.patch, url, json: ["name": "Door"])
            let wrong = try await anna.submit(
                url + "?_method=patch", pairs: Self.form(["settings.lostMetres": "0"], base: [:], version: 1)
            )
            #expect(wrong.status == 422 || wrong.status == 409)
            let version = wrong.status == 422 ? 1 : 2
            #expect(wrong.text.contains("name=\"version\" value=\"\(version)\""))
        }
    }

    @Test("A full list gets an error in the reader's language")
    func limits() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let actor = try #require(anna.actor)
            for number in 1...Limits.itemsPerAccount {
                _ = try await tracking.tracking.items.create(ItemInput(name: "\(number)"), by: Change(actor: actor))
            }
            let english = try await anna.submit("/tracking/items", ["name": "One more", "pictureId": ""])
            #expect(english.status == 409)
            #expect(english.text.contains(TrackingErrorMessage.tooManyItems.text))
            #expect(english.text.contains("value=\"One more\""))
            let german = try await anna.send(
                .post, "/tracking/items", json: ["name": "x"], headers: ["Accept-Language": "de"]
            )
            #expect(try german.error().text("message") == TrackingErrorMessage.tooManyItems.german)
        }
    }

    @Test("Every text of Tracking exists in German, for pages and programs")
    func german() async throws {
        for message in TrackingErrorMessage.allCases {
            let error = AppError(.invalid, message.text, fields: ["x": message.text])
            let german = error.translated(to: .german)
            #expect(german.message == message.german && message.german != message.text, "\(message)")
            #expect(german.fields == ["x": message.german])
            #expect(error.translated(to: .english) == error)
        }
        #expect(Set(TrackingErrorMessage.allCases.map(\.german)).count == TrackingErrorMessage.allCases.count)
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let german = ["Accept-Language": "de"]
            let cursor = try await anna.send(.get, "/tracking/items?after=nonsense", headers: german).error()
            let unknownPage = "Diese Seite gibt es nicht. Beginne wieder bei der ersten."
            #expect(try cursor.object("fields").text("after") == unknownPage)
            let page = try await anna.page("/tracking/items?after=nonsense", headers: german)
            #expect(page.text.contains(unknownPage))
            let way = try await anna.page(url + "/navigation?to=apple", headers: german)
            #expect(way.status == 409)
            #expect(way.text.contains(TrackingErrorMessage.noPosition.german))
            let key = german.merging(["Idempotency-Key": "k"]) { $1 }
            _ = try await anna.send(.post, "/tracking/items", json: ["name": "a"], headers: key)
            let other = try await anna.send(.post, "/tracking/items", json: ["name": "b"], headers: key)
            #expect(try other.error().text("message")?.contains("anderem Inhalt") == true)
            let missing = try await anna.send(.get, url.dropLast(2) + "00", headers: german)
            #expect(try missing.error().text("message") == "Hier ist nichts.")
            let picture = try await anna.send(
                .post, "/tracking/items", json: ["name": "a", "pictureId": String(url.suffix(36))], headers: german
            )
            #expect(try picture.error().object("fields").text("pictureId")?.contains("deinen Fotos") == true)
            for _ in 1...6 {
                _ = try await anna.send(.put, url + "/tracker", json: ["code": "AAAA-AAAA-AAAA"], headers: german)
            }
            let shut = try await anna.send(.put, url + "/tracker", json: ["code": "AAAA-AAAA-AAAA"], headers: german)
            #expect(shut.status == 429)
            #expect(try shut.error().text("message")?.hasPrefix("Zu viele Versuche") == true)
        }
    }

    @Test("A deleted item's page links back to its list; programs get an error")
    func gone() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            _ = try await anna.send(.delete, url)
            for path in [url, url + "/edit", url + "/fixes", url + "/tracker", url + "/delete"] {
                let page = try await anna.page(path)
                #expect(page.status == 404, "\(path)")
                #expect(page.text.contains("data-gone=\"/tracking/items\""), "\(path)")
                #expect(
                    page.text.contains("class=\"button button-primary\" href=\"/tracking/items\">Items</a>"), "\(path)")
            }
            let source = try await anna.page("/tracking/sources/\(url.suffix(36))", headers: ["Accept-Language": "de"])
            #expect(source.status == 404)
            #expect(source.text.contains("href=\"/tracking/sources\">Telefone und Apps</a>"))
            #expect(try await anna.send(.get, url).error().text("code") == "not_found")
        }
    }

    @Test("T-3-3-1: Positions within one minute are distinguished by their seconds, and each has its age")
    func seconds() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            let source = try await anna.source(.osmand, item: url)
            let start = tracking.seconds / 60 * 60
            tracking.clock.advance(seconds: 200)
            for second in [start, start + 5, start + 50, start + 70] {
                _ = try await tracking.signedOut.device(.get, "\(source)&lat=1&lon=2&timestamp=\(second)")
            }
            for (path, row) in [(url, "data-fix-id=\""), (url + "/fixes", "<td data-label=\"Time\">")] {
                let rows = try await anna.page(path).text.components(separatedBy: row).dropFirst()
                #expect(rows.count == 4)
                #expect(rows.map { $0.contains("data-exact=\"seconds\"") } == [false, true, true, true], "\(path)")
                let lines = rows.map { $0.prefix { $0 != "\n" } }
                let ages = lines.map { $0.contains("data-relative") && $0.contains("\u{a0}min ago</time>") }
                #expect(ages == [true, true, true, true], "\(path)")
                let text = try #require(rows.dropFirst().first)
                #expect(text.contains(#/:50 UTC</#), "\(path)")
            }
        }
    }

    @Test("T-3-3-1: Without scripts, the details give the position as text, with a link to a map")
    func plainMap() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bike")
            #expect(try await !anna.page(url).text.contains("id=\"last-place\""))
            let source = try await anna.source(.osmand, item: url)
            _ = try await tracking.signedOut.device(.get, "\(source)&lat=50.77535&lon=6.08389")
            let page = try await anna.page(url)
            #expect(page.text.contains("class=\"map js-only\""))
            let place = try #require(
                page.text.components(separatedBy: "<ul class=\"list no-js-only\" id=\"last-place\">").last)
            let part = place.prefix(600)
            #expect(part.contains("50.77535, 6.08389"))
            #expect(part.contains("href=\"\(url)/navigation\""))
            #expect(try await anna.page(url + "/navigation").text.contains("Apple Maps"))
        }
    }
}
