import Accounts
import HTTPTypes
import Kernel
import TestSupport
import Testing
import Tracking

@Suite("Transactions of pages")
struct PageTransactionTests {
    @Test("A page reads in one transaction", arguments: Engine.allCases)
    func pages(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            let item = try await anna.item("Bag")
            let place = try await anna.send(
                .post, "/tracking/safe-places", json: ["name": "Home", "latitude": 50, "longitude": 6])
            let source = try await anna.send(
                .post, "/tracking/sources", json: ["kind": "owntracks", "itemId": String(item.suffix(36))])
            let id = String(item.suffix(36))
            let link = try await tracking.accounts.administrators.resetLink(email: "anna@example.org")
            let paths = [
                "/tracking/items", "/tracking/items?added=\(id)", "/tracking/items/new", item, "\(item)/edit",
                "\(item)/delete", "\(item)/tracker", "\(item)/fixes", "\(item)/navigation", "/tracking/safe-places",
                "/tracking/safe-places/new", "/tracking/safe-places/new?item=\(id)",
                "/tracking/safe-places/new?phone=1", try #require(place.header("location")), "/tracking/sources",
                "/tracking/sources/new", try #require(source.header("location")), "/tracking/alerts",
                "/tracking/settings", "/tracking/quarantine", "/account", "/account/edit", "/account/fields/email",
                "/account/fields/phone", "/account/choices/maps", "/account/password", "/account/delete",
                "/account/import",
                "/account/sessions", "/account/identities", "/account/passkeys", "/account/lock",
                "/account/lock/passcode", "/account/proofs/export", "/account/notifications", "/notifications",
                "/notifications/bell", "/pictures", String(link.dropFirst(TrackingTestServer.url.count)),
            ]
            // The first request reads the session, which is cached then.
            _ = try await anna.page("/tracking/items/new")
            for path in paths {
                let count = try await tracking.driver.transactions {
                    let reply = try await anna.page(path)
                    #expect(reply.status == 200, "\(path)")
                }
                #expect(count <= 1, "\(path)")
            }
        }
    }

    @Test("The response to a command reads once after the command is stored", arguments: Engine.allCases)
    func commands(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            let item = try await anna.item("Bag")
            _ = try await anna.source(.owntracks, item: item)
            _ = try await anna.page("/tracking/items/new")
            for view in ["card", "details", "tracker"] {
                let count = try await tracking.driver.transactions {
                    let reply = try await anna.submit(
                        "\(item)/commands", ["kind": "locate", "view": view], isFragment: true)
                    #expect(reply.status == 200)
                }
                #expect(count == 2, "\(view)")
            }
        }
    }
}
