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
            #expect(!off.text.contains("finder-form"))
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
        }
    }

    @Test("A finder's form leads to the finder's own page, where the owner's reply appears")
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
            let details = try await anna.page(item)
            #expect(details.text.contains("Messages from finders") && details.text.contains("50.50000, 6.25000"))
            let reports = try await anna.send(.get, item + "/finder-reports").object().list("items")
            let id = try #require(reports.first?.text("id"))
            let reply = try await anna.submit(
                item + "/finder-reports/\(id)/reply?_method=put", ["message": "I come at six."])
            #expect(reply.status == 303)
            #expect(try await tracking.signedOut.page(own).text.contains("I come at six."))
            let deleted = try await anna.submit(item + "/finder-reports/\(id)?_method=delete", [:])
            #expect(deleted.status == 303)
            #expect(try await tracking.signedOut.page(own).status == 404)
        }
    }

    @Test("The label's page has a QR code in three sizes, and a new code replaces the old one")
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
            #expect(try await tracking.signedOut.page(first).status == 404)
            #expect(try await tracking.signedOut.page(second).status == 200)
        }
    }
}
