import Carrepsa
import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing

/// Carrepsa's pages about packages that have ended, or were changed by the other person.
@Suite("Carrepsa: endings and changes")
struct CarrepsaEndingTests {
    /// How a package ended, and the texts that owner and carrier see.
    struct ActionResponse: Sendable, CustomTestStringConvertible {
        let name: String
        let ownerLead: String
        let carrierLead: String
        /// The text of the wallet's entry about the deposit.
        let lock: String
        var testDescription: String { name }

        static let back = "It came back to you."

        private static func returning(_ name: String) -> String { "Arrange with \(name) how the package comes back." }

        static let all = [
            ActionResponse(
                name: "confirmed",
                ownerLead: "It has arrived. Ben got the reward of €12.00 and the deposit of €40.00 back.",
                carrierLead: "It has arrived. You got the reward of €12.00 and your deposit of €40.00 back.",
                lock: back
            ),
            ActionResponse(
                name: "agreed", ownerLead: "Cancelled. Owner and carrier got their money back. " + returning("Ben"),
                carrierLead: "Cancelled. Owner and carrier got their money back. " + returning("Ada"), lock: back
            ),
            ActionResponse(
                name: "delivered",
                ownerLead: "An administrator decided that it has arrived. "
                    + "Ben got the reward of €12.00 and the deposit of €40.00 back.",
                carrierLead: "An administrator decided that it has arrived. "
                    + "You got the reward of €12.00 and your deposit of €40.00 back.", lock: back
            ),
            ActionResponse(
                name: "refunded",
                ownerLead: "An administrator cancelled it. Owner and carrier got their money back. "
                    + returning("Ben"),
                carrierLead: "An administrator cancelled it. Owner and carrier got their money back. "
                    + returning("Ada"), lock: back
            ),
            ActionResponse(
                name: "lost",
                ownerLead:
                    "An administrator decided that it is lost. You got €52.00: your reward back, and Ben’s deposit.",
                carrierLead: "An administrator decided that it is lost. Your deposit of €40.00 went to Ada.",
                lock: "Forfeited: the package was lost, and it went to Ada."
            ),
        ]
    }

    @Test(
        "The page and the wallet show owner and carrier how the package ended",
        arguments: Engine.allCases, ActionResponse.all)
    func endings(engine: Engine, ending: ActionResponse) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let olga = try await site.person("Olga", isOperator: true)
            let path = try await ada.offer()
            _ = try await ben.send(.post, path + "/acceptance")
            #expect(try await ben.page("/carrepsa/wallet/entries").text.contains("It comes back to you on delivery."))
            _ = try await ada.send(.post, path + "/pickup")
            switch ending.name {
            case "confirmed": _ = try await ada.send(.post, path + "/delivery")
            case "agreed":
                _ = try await ada.send(.post, path + "/cancellation-request")
                _ = try await ben.send(.post, path + "/cancellation-request")
            default:
                _ = try await ben.send(.post, path + "/dispute", json: ["reason": "?"])
                _ = try await ada.send(.post, path + "/statements", json: ["statement": "!"])
                _ = try await olga.send(.post, path + "/decision", json: ["outcome": ending.name, "note": "Seen"])
                for party in [ada, ben] { _ = try await party.send(.post, path + "/decision/acceptance") }
            }
            for (person, lead) in [(ada, ending.ownerLead), (ben, ending.carrierLead)] {
                let page = try await person.page(path).text
                #expect(page.contains("<p class=\"parcel-lead\" hx-disable>\(lead)</p>"))
                // The back link and the list beside the page are those of past packages.
                #expect(page.contains("&amp;past=true\" data-back"))
                #expect(page.contains("&amp;past=true\"><p") || page.contains("data-pane=\"/carrepsa/packages?role="))
            }
            let wallet = try await ben.page("/carrepsa/wallet/entries").text
            #expect(wallet.contains("<p>\(ending.lock)</p>"))
            #expect(!wallet.contains("It comes back to you on delivery."))
        }
    }

    @Test(
        "Every form of a package states its version, and a stale version changes nothing",
        arguments: Engine.allCases)
    func versions(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer()
            _ = try await ben.send(.post, path + "/acceptance")
            _ = try await ada.send(.post, path + "/pickup")
            let page = try await ada.page(path).text
            let forms = page.matches(of: #/<form[^>]*action="\/carrepsa\/packages\/[^"]*"[^>]*>[\s\S]*?<\/form>/#)
            // A photo can be added whatever else has changed.
            let unversioned = ["/handover-codes\"", "/proofs\""]
            #expect(forms.count == 6)
            for form in forms where !unversioned.contains(where: form.output.contains) {
                #expect(form.output.contains("<input type=\"hidden\" name=\"version\" value=\"3\">"))
                #expect(form.output.contains("id=\"step-"))
            }
            _ = try await ben.send(.post, path + "/cancellation-request")
            for (step, form) in [("/cancellation-request", ""), ("/dispute", "Gone"), ("/delivery", "")] {
                let late = try await ada.submit(path + step, ["version": "3", "reason": form])
                #expect(late.status == 303)
                #expect(try late.toast() == "The package was changed elsewhere. Review it and try again.")
            }
            #expect(try await ada.page(path).text.contains(">Agree to cancel</button>"))
            #expect(try await ada.send(.get, path).object().text("state") == "travelling")
            #expect(try await ada.balances() == [8_800, 1_200])
            #expect(try await ada.submit(path + "/delivery", ["version": "4"]).header("location") != path)
            #expect(try await ben.balances() == [11_200, 0])
        }
    }

    @Test("A reader of an offer that became unavailable sees the reason", arguments: Engine.allCases)
    func gone(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let cleo = try await site.person("Cleo")
            let olga = try await site.person("Olga", isOperator: true)
            let taken = try await ada.offer()
            let withdrawn = try await ada.offer("Hat")
            _ = try await ben.send(.post, taken + "/acceptance")
            _ = try await ada.send(.delete, withdrawn)
            for (path, words) in [
                (taken, "Another carrier was faster."), (withdrawn, "The owner cancelled the request."),
            ] {
                let part = try await cleo.fragment(path)
                #expect(part.status == 404)
                #expect(try part.toast() == words)
                #expect(try await cleo.page(path).header("set-cookie") == nil)
                #expect(try await cleo.send(.get, path).status == 404)
            }
            let never = try await cleo.fragment("/carrepsa/packages/\(UUID().uuidString.lowercased())")
            #expect(never.status == 404)
            #expect(never.header("set-cookie") == nil)
            _ = try await ada.send(.post, taken + "/pickup")
            _ = try await ada.send(.post, taken + "/dispute", json: ["reason": "?"])
            #expect(try await olga.fragment(taken).status == 200)
            _ = try await ada.send(.post, taken + "/delivery")
            #expect(try await olga.fragment(taken).toast() == "This is settled: no decision is needed any more.")
        }
    }

    @Test("A carrier whose delivery the owner cancelled sees that on the page", arguments: Engine.allCases)
    func cancelled(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let cleo = try await site.person("Cleo")
            let path = try await ada.offer()
            let words = "Ada cancelled your delivery. Your deposit is back."
            _ = try await ben.send(.post, path + "/acceptance")
            _ = try await ada.send(.delete, path + "/acceptance")
            #expect(try await ben.page(path).text.contains(words))
            for other in [ada, cleo] { #expect(try await !other.page(path).text.contains(words)) }
            _ = try await ben.send(.post, path + "/acceptance")
            _ = try await ben.send(.delete, path + "/acceptance")
            #expect(try await !ben.page(path).text.contains(words))
            // The carrier's name is for the owner only.
            #expect(try await !cleo.page(path).text.contains("Ben"))
            #expect(try await !cleo.send(.get, path).text.contains("Ben"))
        }
    }

    @Test("The day for pickup is shown as the chosen day", arguments: Engine.allCases)
    func pickupDay(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            site.clock.set(try #require(Instant(rfc3339: "2026-11-20T10:00:00Z")))
            let ada = try await site.person("Ada")
            let form: KeyValuePairs = [
                "title": "Hat", "from": "A", "to": "B", "weight": "1", "reward": "1", "moneyLock": "1",
                "deadlineDay": "2026-11-25",
            ]
            _ = try await ada.submit("/carrepsa/packages", form)
            let list = try await ada.page("/carrepsa/packages?role=owner").text
            #expect(
                list.contains(
                    "by <time data-exact=\"until-day\" datetime=\"2026-11-26T00:00:00.000Z\">Wed 25 Nov</time>"))
            let match = try #require(list.firstMatch(of: #/href="(\/carrepsa\/packages\/[0-9a-f-]{36})"/#))
            let page = try await ada.page(String(match.output.1)).text
            #expect(page.contains("<time data-exact=\"until\" datetime=\"2026-11-26T00:00:00.000Z\">Wed 25 Nov</time>"))
            for (zone, end) in [
                ("America/New_York", "2026-11-26T05:00:00Z"), ("Asia/Tokyo", "2026-11-25T15:00:00Z"),
            ] {
                let cookie = "\(ada.cookie ?? ""); homeward-zone=\(zone)"
                let away = CarrepsaTestClient(site: site, name: "Ada", id: ada.id, token: ada.token, cookie: cookie)
                let posted = try await away.submit("/carrepsa/packages", form)
                let path = try #require(posted.header("location"))
                let deadline = try #require(try await ada.send(.get, path).object().text("deadline"))
                #expect(Instant(rfc3339: deadline) == Instant(rfc3339: end), "\(zone)")
            }
            let late = try await ada.offer("Coat", with: ["deadline": "2026-11-25T18:30:00Z"])
            #expect(try await ada.page(late).text.contains("2026-11-25T18:30:00.000Z\">2026-11-25 18:30 UTC</time>"))
        }
    }

    @Test("After its day, an offer isn't available any more, and its owner reads why", arguments: Engine.allCases)
    func lapsed(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let deadline = site.clock.now.adding(seconds: 3_600)
            let path = try await ada.offer(with: ["deadline": deadline.rfc3339])
            site.clock.set(deadline)
            #expect(try await ben.titles("/carrepsa/packages").isEmpty)
            #expect(try await ada.balances() == [CarrepsaTestServer.start, 0])
            let list = try await ada.page("/carrepsa/packages?role=owner").text
            #expect(list.contains(">Pickup deadline passed</span>"))
            #expect(!list.contains(">Reward not funded</span>"))
            let page = try await ada.page(path).text
            #expect(page.contains("The pickup deadline has passed."))
            #expect(page.contains("It can no longer be accepted, and your reward is back."))
            #expect(page.contains(">Cancel request</button>"))
            #expect(try await ben.page(path).text.contains("The pickup deadline has passed."))
        }
    }

    @Test("A member can't remove the phone number", arguments: Engine.allCases)
    func phone(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            _ = try await ada.send(.get, "/carrepsa/wallet")
            let refused = try await ada.send(.patch, "/account", json: ["phone": NSNull()])
            #expect(refused.status == 422)
            #expect(try refused.error().object("fields").text("phone") != nil)
            #expect(try await ada.send(.get, "/account").object().text("phone") == "+491515550100")
            #expect(try await ada.send(.patch, "/account", json: ["phone": "+49 151 777"]).status == 200)
            #expect(try await ada.send(.patch, "/account", json: ["name": "Ada L."]).status == 200)
        }
    }

    @Test("Own lists are filtered like the search, and `past` is true or false", arguments: Engine.allCases)
    func ownLists(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            _ = try await ada.offer("Near", with: ["to": "Bonn", "weight": 500])
            site.server.clock.advance(seconds: 1)
            _ = try await ada.offer("Far", with: ["to": "Kiel", "weight": 5_000])
            let own = "/carrepsa/packages?role=owner"
            #expect(try await ada.titles(own) == ["Far", "Near"])
            #expect(try await ada.titles(own + "&to=kiel") == ["Far"])
            #expect(try await ada.titles(own + "&from=aach&maxWeight=500") == ["Near"])
            #expect(try await ada.titles(own + "&past=true").isEmpty)
            #expect(try await ada.titles(own + "&past=false") == ["Far", "Near"])
            #expect(
                try await ada.page(own + "&to=kiel").text.contains(
                    "hx-get=\"/carrepsa/packages?role=owner&amp;to=kiel\""))
            let bad = try await ada.send(.get, own + "&past=foo")
            #expect(bad.status == 422)
            #expect(try bad.error().object("fields").text("past") != nil)
        }
    }

    @Test(
        "A live update requests the same page: with the scanned code and the back link",
        arguments: Engine.allCases)
    func reloads(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer()
            _ = try await ben.send(.post, path + "/acceptance")
            #expect(try await ben.page(path + "?code=123456").text.contains("hx-get=\"\(path)?code=123456\""))
            #expect(try await ben.page(path).text.contains("hx-get=\"\(path)\""))
            let id = path.split(separator: "/").last.map(String.init) ?? ""
            let person = "/carrepsa/people/\(ada.id)"
            #expect(try await ben.page(person + "?package=\(id)").text.contains("hx-get=\"\(person)?package=\(id)\""))
            #expect(try await ben.fragment(person + "?package=\(id)").text.contains("data-shell-parent=\"Package\""))
        }
    }

    @Test("Too many wrong codes show an error at the field", arguments: Engine.allCases)
    func throttled(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer()
            _ = try await ben.send(.post, path + "/acceptance")
            for _ in 0..<Limits.handoverFailures { _ = try await ben.submit(path + "/pickup", ["code": "000000"]) }
            let last = try await ben.submit(path + "/pickup", ["code": "000000"])
            #expect(last.status == 429)
            #expect(last.text.contains("id=\"typed-pickup-error\">Too many wrong codes."))
            #expect(!last.text.contains("form-error"))
        }
    }
}
