import Foundation
import Accounts
import HTTPTypes
import Kernel
import Server
import TestSupport
import Testing

/// Carrepsa's pages about disputes, money and unavailable offers.
@Suite("Carrepsa: disputes and offers")
struct CarrepsaDisputeTests {
    @Test("Owner, carrier and administrator read all statements; an empty one is marked", arguments: Engine.allCases)
    func statements(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben, olga, path) = try await site.packageInTransit()
            _ = try await ada.send(.post, path + "/dispute", json: ["reason": "It is late"])
            let told = try await ben.page("/notifications").text
            #expect(told.contains("Ada reported a problem with “Bike helmet”."))
            let page = try await ben.page(path).text
            #expect(page.contains("id=\"step-statement\""))
            let empty = try await ben.submit(path + "/statements", ["statement": " "])
            #expect(empty.status == 422)
            #expect(empty.text.contains("id=\"statement-error\">Describe what happened.</p>"))
            let added = try await ben.submit(path + "/statements", ["statement": "The train <stood> still"])
            #expect(added.status == 303)
            #expect(added.header("location") == path)
            #expect(try added.toast() == "Statement added. Ada is notified.")
            let administration = try await olga.page("/notifications").text
            #expect(administration.contains("Ben added a statement about “Bike helmet”."))
            let answered = try await ada.send(.post, path + "/statements", json: ["statement": "Since Monday"])
            #expect(answered.status == 201)
            for reader in [ada, ben, olga] {
                let text = try await reader.page(path).text
                #expect(text.contains("id=\"statements\""))
                #expect(text.contains("It is late"))
                #expect(text.contains("The train &lt;stood&gt; still"))
                #expect(text.contains("Since Monday"))
            }
            // The administrator's page links to both people, with their contact details.
            for side in [ada, ben] {
                #expect(try await olga.page(path).text.contains("/carrepsa/people/\(side.id)"))
                let person = try await olga.send(.get, "/carrepsa/people/\(side.id)").object()
                #expect(person.text("phone") == "+491515550100")
                #expect(person.text("email") == "\(side.name.lowercased())@example.org")
                let contact = try await olga.page("/carrepsa/people/\(side.id)").text
                #expect(contact.contains("href=\"mailto:\(side.name.lowercased())@example.org\""))
            }
            let feed = try await ada.page("/notifications").text
            #expect(feed.contains("Ben added a statement about “Bike helmet”. Reward and deposit (€52.00) stay held."))
        }
    }

    @Test("An offer to divide the money, and its errors at the fields", arguments: Engine.allCases)
    func split(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben, _, path) = try await site.packageInTransit()
            let reported = try await ada.submit(path + "/dispute", ["kind": "damaged", "reason": "It is broken"])
            #expect(try reported.toast() == "An administrator was asked")
            #expect(try await ada.send(.get, path).object().object("dispute").text("kind") == "damaged")
            let wrong = try await ben.submit(
                path + "/split-offer", ["rewardToCarrier": "99", "depositToOwner": "", "statement": "Please"])
            #expect(wrong.status == 422)
            #expect(
                wrong.text.contains("id=\"depositToOwner-error\" role=\"alert\">Enter an amount. 0 is possible.</p>"))
            #expect(wrong.text.contains(">Please</textarea>"))
            let tooMuch = try await ben.submit(
                path + "/split-offer", ["rewardToCarrier": "99", "depositToOwner": "0"])
            #expect(
                tooMuch.text.contains(
                    "id=\"rewardToCarrier-error\" role=\"alert\">Enter an amount from 0 to €12.00.</p>"))
            let offered = try await ben.submit(
                path + "/split-offer", ["rewardToCarrier": "6", "depositToOwner": "10,50", "statement": "Half each"])
            #expect(try offered.toast() == "Offered. Ada is notified.")
            let page = try await ada.page(path).text
            #expect(page.contains("Ben offers to divide the money"))
            #expect(page.contains("Ben gets €35.50: €6.00 of the reward and €29.50 of the deposit."))
            #expect(page.contains("You get €16.50: €6.00 of the reward and €10.50 of the deposit."))
            #expect(page.contains("Of €12.00. You get the rest."), "the hint of Ada’s own offer")
            #expect(page.contains("Half each"))
            let blind = try await ada.send(.post, path + "/split-offer/acceptance")
            #expect(blind.status == 409)
            let version = try #require(try await ada.send(.get, path).object().number("version"))
            _ = try await ada.submit(path + "/split-offer/acceptance", ["version": String(version)])
            #expect(try await ada.page(path).text.contains("You and Ben agreed to divide the money."))
            #expect(try await ada.balances() == [CarrepsaTestServer.start - 1_200 + 1_650, 0])
            #expect(try await ada.page("/carrepsa/wallet/entries").text.contains("Dispute settled"))
        }
    }

    @Test("A decision waits on the page for owner and carrier, who accept it or appeal", arguments: Engine.allCases)
    func decision(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben, olga, path) = try await site.packageInTransit()
            _ = try await ada.submit(path + "/dispute", ["reason": "It is broken"])
            #expect(try await olga.page(path).text.contains("Ben hasn’t written yet"))
            _ = try await ben.submit(path + "/statements", ["statement": "It was broken before"])
            _ = try await olga.submit(
                path + "/decision",
                ["outcome": "split", "rewardToCarrier": "2", "depositToOwner": "0", "note": "Packed badly"])
            for (side, texts) in [
                (ada, ["Ben gets €42.00: ", "You get €10.00: "]), (ben, ["You get €42.00: ", "Ada gets €10.00: "]),
            ] {
                let page = try await side.page(path).text
                for text in texts { #expect(page.contains(text)) }
                #expect(page.contains("Packed badly"))
                #expect(page.contains(">Decided</span>"))
            }
            let empty = try await ben.submit(path + "/appeal", ["reason": " "])
            #expect(empty.text.contains("id=\"reason-error\">Say why the decision is wrong.</p>"))
            let appealed = try await ben.submit(path + "/appeal", ["reason": "Ada saw it whole"])
            #expect(try appealed.toast() == "You appealed. Ada and the administrators are notified.")
            #expect(try await ada.page(path).text.contains("An administrator decides for the last time."))
            _ = try await ada.submit(path + "/statements", ["statement": "I did not"])
            _ = try await olga.submit(path + "/decision", ["outcome": "delivered", "note": "A photo shows it"])
            #expect(try await ben.page(path).text.contains("An administrator decided that it has arrived."))
            #expect(try await ben.balances() == [CarrepsaTestServer.start + 1_200, 0])
            // The last decision and the statements stay.
            for side in [ada, ben] {
                let page = try await side.page(path).text
                #expect(page.contains("A photo shows it") && page.contains("It has taken effect."))
                #expect(page.contains("id=\"statements\"") && !page.contains("id=\"step-appeal\""))
            }
        }
    }

    @Test("In a dispute the ways to confirm the delivery are folded away below it", arguments: Engine.allCases)
    func confirmation(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben, olga, path) = try await site.packageInTransit()
            #expect(try await !ada.page(path).text.contains("id=\"confirm-anyway\""))
            _ = try await ada.submit(path + "/dispute", ["reason": "It is broken"])
            for (side, button) in [(ada, "step-confirmDelivery"), (ben, "step-reportDelivery")] {
                let page = try await side.page(path).text
                #expect(page.contains(">In dispute</span>") && !page.contains(">Travelling</span>"))
                let parts = page.components(separatedBy: "<details class=\"fold fold-row\" id=\"confirm-anyway\">")
                #expect(parts.count == 2)
                #expect(parts[0].contains("id=\"statements\"") && !parts[0].contains(button))
                #expect(parts[1].contains(button) && parts[1].contains("id=\"handover-delivery\""))
            }
            let administration = try await olga.page(path).text
            #expect(!administration.contains("An administrator reviews it and decides"))
            #expect(!administration.contains("id=\"confirm-anyway\""))
        }
    }

    @Test(
        "C-33: The administrator of the first decision reads that another one decides the appeal, and can't decide",
        arguments: Engine.allCases)
    func appealOfOthers(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben, olga, path) = try await site.packageInTransit()
            let omar = try await site.person("Omar", isOperator: true)
            _ = try await ada.submit(path + "/dispute", ["reason": "It is broken"])
            _ = try await ben.submit(path + "/statements", ["statement": "It was broken before"])
            _ = try await olga.submit(path + "/decision", ["outcome": "lost", "note": "Nothing proves that"])
            _ = try await ben.submit(path + "/appeal", ["reason": "The photo does"])
            _ = try await ada.submit(path + "/statements", ["statement": "It does not"])
            let sentence = "You made the first decision. Another administrator decides now."
            #expect(try await olga.page(path).text.contains(sentence))
            #expect(try await !omar.page(path).text.contains(sentence))
            #expect(try await omar.page(path).text.contains("id=\"step-decide\""))
            #expect(try await !olga.page(path).text.contains("id=\"step-decide\""))
            let again = try await olga.send(.post, path + "/decision", json: ["outcome": "lost", "note": "Still"])
            #expect(again.status == 403)
            for reader in [ada, ben, olga, omar] {
                let page = try await reader.page(path).text
                #expect(page.contains(">The first decision</h2>") && page.contains("Nothing proves that"))
            }
            let line = "Another administrator decides</span>"
            let list = try await olga.page("/carrepsa/disputes").text
            #expect(list.contains(line) && list.contains("<a href=\"/carrepsa/disputes?past=true\">Decided</a>"))
            #expect(try await !omar.page("/carrepsa/disputes").text.contains(line))
        }
    }

    @Test("Each result of a decision names both amounts, and the reason is required", arguments: Engine.allCases)
    func outcomes(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben, olga, path) = try await site.packageInTransit()
            _ = try await ada.submit(path + "/dispute", ["reason": "It is broken"])
            _ = try await ben.submit(path + "/statements", ["statement": "It was broken before"])
            let page = try await olga.page(path).text
            let all = "Ben gets €52.00: €12.00 of the reward and €40.00 of the deposit. Ada gets €0.00."
            #expect(page.contains("aria-describedby=\"outcome-delivered\""))
            #expect(page.contains("data-confirm-note=\"\(all)\""))
            #expect(page.contains("<p class=\"button-reason\" id=\"outcome-delivered\" hx-disable>\(all)</p>"))
            #expect(page.contains("data-split-text=\"Ben gets {carrierSum}. Ada gets {ownerSum}.\""))
            let field = page.matches(of: #/<textarea[^>]*id="note"[^>]*>/#).map { String($0.output) }
            #expect(field.count == 1 && field.allSatisfy { $0.contains(" required") })
        }
    }

    @Test("Administrators need no phone number for cases, but for packages of their own", arguments: Engine.allCases)
    func withoutPhone(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, _, _, path) = try await site.packageInTransit()
            _ = try await ada.submit(path + "/dispute", ["reason": "It is broken"])
            let joined = try await site.signedOut.submit(
                "/accounts", ["name": "Tia", "email": "tia@example.org", "password": "correct horse"])
            let cookie = String(try #require(joined.header("set-cookie")).prefix { $0 != ";" })
            let tia = CarrepsaTestClient(site: site, name: "Tia", id: "", token: nil, cookie: cookie)
            #expect(try await tia.page("/carrepsa/disputes").status == 303)
            _ = try await site.server.services.accounts.administrators.setOperator(email: "tia@example.org", true)
            #expect(try await tia.page("/carrepsa/disputes").status == 200)
            #expect(try await tia.page(path).text.contains("It is broken"))
            #expect(try await tia.page("/carrepsa/packages/new").status == 303)
        }
    }

    @Test("After the delivery, the owner's newest history entry says the carrier was paid", arguments: Engine.allCases)
    func paid(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer()
            _ = try await ben.send(.post, path + "/acceptance")
            _ = try await ada.send(.post, path + "/pickup")
            let before = try await ada.page("/carrepsa/wallet/entries").text
            #expect(before.contains("Reward held"))
            _ = try await ada.send(.post, path + "/delivery")
            let after = try await ada.page("/carrepsa/wallet/entries").text
            #expect(after.contains("Paid to Ben") && !after.contains("· Ben"), "the title names Ben")
            #expect(after.contains("It was held since the request, and paid when the package was delivered."))
            #expect(!after.contains("Reward held"))
            #expect(
                try await ada.page("/carrepsa/wallet/entries", language: "de").text.contains("An Ben gezahlt"))
        }
    }

    @Test("An offer without a funded reward isn't shown as available", arguments: Engine.allCases)
    func unfunded(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer("Hat", with: ["reward": 9_000])
            #expect(try await ada.page(path).text.contains(">Available</span>"))
            _ = try await ben.send(.post, path + "/acceptance")
            _ = try await ben.send(.delete, path + "/acceptance")
            _ = try await ada.offer("Coat", with: ["reward": 9_000])
            for page in [path, "/carrepsa/packages?role=owner"] {
                let text = try await ada.page(page).text
                #expect(text.contains(">Reward not funded</span>"))
            }
            #expect(try await !ada.page(path).text.contains(">Available</span>"))
            let list = try await ada.page("/carrepsa/packages?role=owner").text
            #expect(list.components(separatedBy: ">Available</span>").count == 2, "only the coat is")
            let cleo = try await site.person("Cleo")
            let refused = try await cleo.send(.post, path + "/acceptance")
            #expect(refused.status == 409)
            #expect(try refused.error().text("code") == "reward_not_funded")
            let told = try await ada.page("/notifications").text
            #expect(told.contains("A carrier wanted “Hat”, but your wallet doesn’t cover the reward of €90.00."))
        }
    }

    @Test("A weight that isn't a number is marked, also when only the list is fetched", arguments: Engine.allCases)
    func weight(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let page = try await ada.page("/carrepsa/packages?kilograms=heavy").text
            #expect(
                page.contains("<div class=\"field is-invalid\"><label class=\"field-label\" for=\"filter-weight\">"))
            let part = try await ada.fragment("/carrepsa/packages?kilograms=heavy").text
            #expect(
                part.contains("data-wrong-field=\"filter-weight\" data-wrong-message=\"Enter a weight such as 2.5.\""))
            #expect(try await !ada.fragment("/carrepsa/packages?kilograms=2").text.contains("data-wrong-field"))
            for query in ["kilograms=heavy", "maxWeight=heavy"] {
                let refused = try await ada.send(.get, "/carrepsa/packages?" + query)
                #expect(refused.status == 422)
                #expect(
                    try refused.error().object("fields").members.keys.sorted() == [String(query.prefix { $0 != "=" })])
            }
        }
    }

    @Test("C-01: After accepting, the list shows a confirmation with a link to the delivery")
    func link() async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer()
            let accepted = try await ben.submit(path + "/acceptance", [:])
            #expect(accepted.header("location") == "/carrepsa/packages")
            let setting: String = try #require(accepted.header("set-cookie"))
            let flash = String(setting.prefix { $0 != ";" })
            let browser = CarrepsaTestClient(
                site: site, name: ben.name, id: ben.id, token: nil, cookie: "\(ben.cookie ?? ""); \(flash)")
            let list = try await browser.page("/carrepsa/packages").text
            #expect(list.contains("<a class=\"toast-action\" hx-disable href=\"\(path)\">Open delivery</a>"))
            #expect(try await ben.page(path).text.contains("Collect it from Ada."))
        }
    }

    @Test("Irreversible actions can be cancelled in their dialog")
    func keep() async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer()
            _ = try await ben.send(.post, path + "/acceptance")
            #expect(try await ada.page(path).text.contains("data-confirm-danger data-confirm-keep=\"Keep it\""))
            #expect(try await ada.page(path, language: "de").text.contains("data-confirm-keep=\"Behalten\""))
        }
    }
}
