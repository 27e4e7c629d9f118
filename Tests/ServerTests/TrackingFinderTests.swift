import HTTPTypes
import Kernel
import TestSupport
import Testing
import TrackerProtocol
import Tracking

/// The page for the finder of a tracker.
@Suite("Tracking: the page for finders")
struct TrackingFinderTests {
    /// The address of the page for a tracker of Anna's bag, which is away from her.
    private func address(_ tracking: TrackingTestServer, _ anna: TrackingTestClient) async throws -> String {
        let keyPair = try KeyPair(privateKey: [UInt8](repeating: 1, count: 32))
        let code = ClaimCode(random: SeededRandom())
        let contact = FirstContact(publicKey: keyPair.publicKey, codeHash: code.hash).encoded()
        let reply = try await tracking.signedOut.device(
            .post, "/trackers", body: String(decoding: contact, as: UTF8.self), type: "application/json"
        )
        #expect(reply.status == 201)
        let answer = try #require(FirstContactResponse(Array(reply.text.utf8)))
        let item = try await anna.item("Grandmother's bag")
        #expect(try await anna.send(.put, item + "/tracker", json: ["code": code.description]).status == 200)
        let keys = try TrackerKeys(tracker: keyPair, serverPublicKey: answer.publicKey)
        let channel = TrackerChannel(tracker: answer.id, keys: keys)
        let finderKey = try #require(answer.finderKey)
        return try #require(channel.finderAddress(at: tracking.clock.now, server: "", finderKey: finderKey))
    }

    @Test("The page shows only the owner's masked contact, in both languages and as JSON")
    func page() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna.weber@mail.example.org")
            let address = try await address(tracking, anna)
            for (language, words) in [("en", "How to switch it off"), ("de", "So schaltest du ihn aus")] {
                let page = try await tracking.signedOut.page(address, headers: ["Accept-Language": language])
                #expect(page.status == 200)
                #expect(page.text.contains("a•••@m•••.org"))
                #expect(page.text.contains(words))
                for secret in ["anna.weber", "mail.example.org", "Grandmother", "Person", "latitude", "data-live"] {
                    #expect(!page.text.contains(secret), "\(secret)")
                }
                #expect(page.header("cache-control")?.contains("no-store") == true)
            }
            let json = try await tracking.signedOut.send(.get, address)
            #expect(json.status == 200)
            #expect(try json.object().keys == ["contact", "identifier", "product"])
            #expect(try json.object().text("contact") == "a•••@m•••.org")
        }
    }

    @Test("While lost mode is on, the tracker's address also shows the owner's message, and a finder can write")
    func lost() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna.weber@mail.example.org")
            let address = try await address(tracking, anna)
            let items = try await anna.send(.get, "/tracking/items").object().list("items")
            let item = "/tracking/items/\(try #require(items.first?.text("id")))"
            let early = try await tracking.signedOut.submit(address, ["message": "Found"])
            #expect(early.status == 404, "it isn't reported lost")
            _ = try await anna.send(.put, item + "/lost", json: ["message": "Please call."])
            let page = try await tracking.signedOut.page(address)
            #expect(page.text.contains("Please call.") && page.text.contains("a•••@m•••.org"))
            #expect(page.text.contains("How to switch it off"))
            let json = try await tracking.signedOut.send(.get, address).object()
            #expect(json.keys == ["contact", "identifier", "lostItem", "product"])
            let sent = try await tracking.signedOut.submit(address, ["message": "Found"])
            #expect(sent.status == 303 && sent.header("location")?.hasPrefix("/found/reports/") == true)
            let reports = try await anna.send(.get, item + "/finder-reports").object().list("items")
            #expect(reports.map { $0.text("message") } == ["Found"])
        }
    }

    @Test("An expired or unknown address gets one message, whatever the reason")
    func gone() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let address = try await address(tracking, anna)
            tracking.clock.advance(seconds: Limits.finderTokenSeconds)
            let stale = try await tracking.signedOut.page(address)
            #expect(stale.status == 404)
            #expect(stale.text.contains("Nothing to see here"))
            #expect(!stale.text.contains("•••"))
            for other in ["/found", "/found?e=", "/found?e=nothing", String(address.dropLast()) + "!"] {
                let page = try await tracking.signedOut.page(other)
                #expect(page.status == 404, "\(other)")
                #expect(page.text.contains("Nothing to see here"), "\(other)")
                #expect(try await tracking.signedOut.send(.get, other).error().text("code") == "not_found")
            }
        }
    }

    @Test("An owner sees in advance what a finder sees")
    func owner() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            _ = try await address(tracking, anna)
            let items = try await anna.send(.get, "/tracking/items").object().list("items")
            let id = try #require(items.first?.text("id"))
            let page = try await anna.page("/tracking/items/\(id)/tracker")
            #expect(page.text.contains("sees a•••@e•••.org as its owner, and nothing else about you"))
        }
    }
}
