import HTTPTypes
import Kernel
import TestSupport
import Testing
import Tracking

/// The pages of lost mode, for the owner and for finders.
@Suite("Tracking: lost mode")
struct TrackingLostTests {
    private static let message = "Please call me. Thank you!"

    /// The path of the page for finders of an item.
    private func label(of item: String, _ anna: TrackingTestClient) async throws -> String {
        let reply = try await anna.send(.post, item + "/label", json: [:])
        #expect(reply.status == 201)
        return String(try #require(try reply.object().text("url")).dropFirst(TrackingTestServer.url.count))
    }

    @Test("The page for finders shows message and contact, nothing else about the owner, and isn't indexed")
    func page() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna.weber@mail.example.org")
            let item = try await anna.item("Grandmother's bag")
            let label = try await label(of: item, anna)
            let off = try await tracking.signedOut.page(label)
            #expect(off.status == 200 && off.text.contains("This item isn’t reported lost."))
            #expect(off.text.contains("I found this.</textarea>") && off.text.contains(">I found this</button>"))
            let on = try await anna.send(
                .put, item + "/lost", json: ["message": Self.message, "contact": "lost@example.org"])
            #expect(on.status == 200)
            #expect(try on.object().text("contact") == "lost@example.org")
            for page in [off, try await tracking.signedOut.page(label)] {
                #expect(page.header("cache-control")?.contains("no-store") == true)
                #expect(page.header("x-robots-tag")?.contains("noindex") == true)
                #expect(page.text.contains("name=\"robots\" content=\"noindex"))
                for secret in ["anna.weber", "mail.example.org", "Grandmother", "Person", "data-live=", "/tracking/"] {
                    #expect(!page.text.contains(secret), "\(secret)")
                }
            }
            let page = try await tracking.signedOut.page(label)
            #expect(page.text.contains(Self.message) && page.text.contains("lost@example.org"))
            let json = try await tracking.signedOut.send(.get, label)
            #expect(try json.object().keys == ["contact", "hasPhoto", "isReportedLost", "message"])
            let unknown = try await tracking.signedOut.page("/found/items/AAAAAAAAAAAAAAAAAAAAAA")
            #expect(unknown.status == 404 && unknown.text.contains("Nothing to see here"))
            #expect(unknown.header("x-robots-tag") != nil)
            #expect(unknown.text.contains("This isn’t the address of a label."))
        }
    }

    @Test("T-6-8-2: A finder's form leads to the finder's own page, where the owner's reply appears")
    func form() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let item = try await anna.item("Bag")
            let label = try await label(of: item, anna)
            _ = try await anna.submit(item + "/lost?_method=put", ["message": Self.message, "showsPhoto": "on"])
            let wrong = try await tracking.signedOut.submit(label, ["message": " ", "latitude": "50.5"])
            #expect(wrong.status == 422 && wrong.text.contains("value=\"50.5\""))
            #expect(wrong.text.contains("Enter a message."))
            let sent = try await tracking.signedOut.submit(
                label, ["message": "<b>Found</b>", "latitude": "50.5", "longitude": "6.25", "accuracy": "7"])
            #expect(sent.status == 303)
            let own = try #require(sent.header("location"))
            #expect(own.hasPrefix("/found/reports/"))
            let before = try await tracking.signedOut.page(own)
            #expect(before.text.contains("&lt;b&gt;Found") && before.text.contains("No reply yet"))
            #expect(before.text.contains("hx-get=\"\(own)\" hx-trigger=\"every 10s\""))
            let details = try await anna.page(item)
            #expect(details.text.contains("Messages from finders") && details.text.contains("50.50000, 6.25000"))
            #expect(details.text.contains("id=\"new-report\""), "the top shows it until it is answered")
            let reports = try await anna.send(.get, item + "/finder-reports").object().list("items")
            let id = try #require(reports.first?.text("id"))
            let reply = try await anna.submit(
                item + "/finder-reports/\(id)/reply?_method=put", ["message": "I come at six."])
            #expect(reply.status == 303)
            let polled = try await tracking.signedOut.fragment(own)
            #expect(polled.status == 200 && polled.text.hasPrefix("<div class=\"sections\" id=\"own-report\""))
            #expect(polled.text.contains("I come at six."))
            #expect(try await !anna.page(item).text.contains("id=\"new-report\""))
            let deleted = try await anna.submit(item + "/finder-reports/\(id)?_method=delete", [:])
            #expect(deleted.status == 303)
            #expect(try await tracking.signedOut.page(own).status == 404)
            #expect(try await tracking.signedOut.fragment(own).status == 286, "ends the polling")
        }
    }

    @Test("T-6-8-2: A finder reports an item that isn't reported lost with one tap, and learns of the deletion")
    func oneTap() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let item = try await anna.item("Bag")
            let label = try await label(of: item, anna)
            #expect(try await tracking.signedOut.page(label).text.contains(">I found this</button>"))
            let sent = try await tracking.signedOut.submit(label, ["message": "I found this."])
            #expect(sent.status == 303)
            let own = try #require(sent.header("location"))
            #expect(try await tracking.signedOut.page(own).text.contains("No reply yet"))
            let details = try await anna.page(item).text
            #expect(details.contains("id=\"new-report\"") && details.contains("finder-words\">I found this.</p>"))
            let report = try #require(
                try await anna.send(.get, item + "/finder-reports").object().list("items").first)
            #expect(report.text("message") == "I found this." && report.isNull("latitude"))
            let path = "\(item)/finder-reports/\(try #require(report.text("id")))"
            #expect(details.contains("href=\"\(path)\">Reply</a>"))
            #expect(try await anna.submit(path + "?_method=delete", [:]).status == 303)
            let polled = try await tracking.signedOut.fragment(own)
            #expect(polled.status == 286 && polled.text.contains("This message was deleted"))
        }
    }

    @Test("T-6-8-1, T-6-8-2: Finders see the photo if the owner allows it, while lost mode is on")
    func finderPhoto() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let item = try await anna.item("Bag")
            let photo = try await tracking.photo(of: anna)
            #expect(try await anna.send(.patch, item, json: ["pictureId": photo]).status == 200)
            let label = try await label(of: item, anna)
            let lost = item + "/lost"
            #expect(try await anna.submit(lost + "?_method=put", ["message": Self.message]).status == 303)
            let withheld = try await tracking.signedOut.page(label).text
            #expect(withheld.contains(Self.message))
            #expect(!withheld.contains("\(label)/picture") && !withheld.contains(photo))
            #expect(try await tracking.signedOut.page(label + "/picture").status == 404)
            let allowed: [String: any Sendable] = ["message": Self.message, "showsPhoto": true]
            #expect(try await anna.send(.put, lost, json: allowed).status == 200)
            let shown = try await tracking.signedOut.page(label).text
            #expect(shown.contains("src=\"\(label)/picture\" alt=\"Photo of the lost item\""))
            #expect(!shown.contains(photo))
            let off = try await anna.submit(lost + "?_method=delete", [:])
            #expect(off.status == 303 && off.header("location") == item)
            let after = try await tracking.signedOut.page(label).text
            #expect(after.contains("This item isn’t reported lost."))
            #expect(!after.contains(Self.message) && !after.contains("\(label)/picture"))
            #expect(try await tracking.signedOut.page(label + "/picture").status == 404)
        }
    }

    @Test("The message's page opens the place in the chosen maps app, and asks once which one")
    func navigation() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let item = try await anna.item("Bag")
            let label = try await label(of: item, anna)
            let sent = try await tracking.signedOut.submit(
                label, ["message": "I found this.", "latitude": "50.5", "longitude": "6.25"])
            #expect(sent.status == 303, "it isn't reported lost")
            let notice = try #require(try await anna.send(.get, "/notifications").object().list("items").first)
            let report = try #require(notice.text("resource"))
            #expect(report.hasPrefix(item + "/finder-reports/"))
            let page = try await anna.page(report).text
            #expect(page.contains("href=\"\(report)/navigation\" data-sheet=\"maps\"") && page.contains("id=\"maps\""))
            let asks = try await anna.page(report + "/navigation")
            #expect(asks.status == 200 && asks.text.contains("action=\"\(report)/navigation\""))
            let chosen = try await anna.submit(report + "/navigation", ["to": "google"])
            #expect(chosen.header("location")?.contains("destination=50.5,6.25") == true)
            let again = try await anna.page(report + "/navigation")
            #expect(again.status == 303 && again.header("location")?.contains("www.google.com/maps") == true)
            #expect(try await !anna.page(report).text.contains("data-sheet=\"maps\""))
        }
    }

    @Test("T-6-8-3: The label's page has a QR code in three sizes, and a new code replaces the old one")
    func labels() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let item = try await anna.item("Bag")
            #expect(try await anna.page(item + "/label").text.contains("No label yet"))
            let first = try await label(of: item, anna)
            for size in ["small", "medium", "large"] {
                let page = try await anna.page(item + "/label?size=\(size)")
                #expect(page.text.contains("label-\(size)") && page.text.contains("<svg class=\"qr-code\""))
                #expect(page.text.contains(TrackingTestServer.url + first))
            }
            let second = try await label(of: item, anna)
            #expect(second != first)
            let replaced = try await tracking.signedOut.page(first)
            #expect(replaced.status == 404 && replaced.text.contains("The owner made a new label for this item."))
            #expect(replaced.text.contains("This label no longer works"))
            let json = try await tracking.signedOut.send(.get, first)
            #expect(try json.status == 404 && json.error().text("code") == "not_found")
            for secret in ["anna", "Bag", "Person"] { #expect(!replaced.text.contains(secret), "\(secret)") }
            #expect(try await tracking.signedOut.page(second).status == 200)
            #expect(try await anna.send(.delete, item).status == 204)
            let deleted = try await tracking.signedOut.page(second)
            #expect(deleted.status == 404 && deleted.text.contains("This label’s item was removed"))
        }
    }
}
