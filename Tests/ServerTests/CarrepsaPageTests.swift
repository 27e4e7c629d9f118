import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing

/// Carrepsa's pages in a browser without scripts.
@Suite("Carrepsa: pages")
struct CarrepsaPageTests {
    private static let whole: KeyValuePairs = [
        "title": "Bike helmet", "from": "Aachen", "to": "Bonn", "weight": "1.2", "reward": "12.00",
        "moneyLock": "40.00",
    ]

    /// The path of the only package on a page.
    private func package(on page: Reply) throws -> String {
        let match = try #require(page.text.firstMatch(of: #/href="(\/carrepsa\/packages\/[0-9a-f-]{36})"/#))
        return String(match.output.1)
    }

    @Test(
        "Signed out, the app shows Login and Sign up; signed in, it opens at the search",
        arguments: Engine.allCases)
    func welcome(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let page = try await site.signedOut.page("/carrepsa")
            #expect(page.status == 200)
            #expect(page.text.contains("href=\"/register?app=carrepsa&amp;return=%2Fcarrepsa%2Fpackages\">Sign up</a>"))
            #expect(page.text.contains("href=\"/sign-in?return=%2Fcarrepsa%2Fpackages\">Login</a>"))
            #expect(page.text.contains("data-app=\"carrepsa\""))
            let start = try await site.signedOut.page("/")
            #expect(start.text.contains("data-app=\"carrepsa\" href=\"/carrepsa\""))
            let deep = try await site.signedOut.page("/carrepsa/profile")
            #expect(deep.status == 303)
            #expect(deep.header("location") == "/sign-in?return=/carrepsa/profile")
            let ada = try await site.person("Ada")
            #expect(try await ada.page("/carrepsa").header("location") == "/carrepsa/packages")
        }
    }

    @Test("C-12, C-13: Sign up requires the phone number; both lead to the search", arguments: Engine.allCases)
    func ways(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let form = try await site.signedOut.page("/register?app=carrepsa&return=/carrepsa/packages")
            for field in ["name", "email", "password", "phone"] { #expect(form.text.contains("id=\"\(field)\"")) }
            #expect(form.text.contains("Sign up</h1>"))
            #expect(form.text.contains("type=\"submit\">Sign up</button>"))
            let details: KeyValuePairs = [
                "app": "carrepsa", "return": "/carrepsa/packages", "name": "Ada", "email": "ada@example.org",
                "password": "correct horse", "phone": "",
            ]
            let refused = try await site.signedOut.submit("/accounts", details)
            #expect(refused.status == 422)
            #expect(refused.text.contains("id=\"phone-error\">Enter your phone number.</p>"))
            let joined = try await site.signedOut.submit(
                "/accounts",
                [
                    "app": "carrepsa", "return": "/carrepsa/packages", "name": "Ada", "email": "ada@example.org",
                    "password": "correct horse", "phone": "+49 151 5550100",
                ]
            )
            #expect(joined.status == 303)
            #expect(joined.header("location") == "/carrepsa/packages")
            let login = try await site.signedOut.page("/sign-in?return=/carrepsa/packages")
            #expect(login.text.contains("Login</h1>"))
            #expect(login.text.contains("data-app=\"carrepsa\""))
            #expect(login.text.contains("href=\"/register?return=%2Fcarrepsa%2Fpackages\""))
            let entered = try await site.signedOut.submit(
                "/session",
                ["email": "ada@example.org", "password": "correct horse", "return": "/carrepsa/packages"]
            )
            #expect(entered.header("location") == "/carrepsa/packages")
        }
    }

    @Test(
        "C-13: A person from another app must add a phone number, then continues to the requested page",
        arguments: Engine.allCases)
    func entrance(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let joined = try await site.signedOut.submit(
                "/accounts", ["name": "Tia", "email": "tia@example.org", "password": "correct horse"])
            let cookie = String(try #require(joined.header("set-cookie")).prefix { $0 != ";" })
            let tia = CarrepsaTestClient(site: site, name: "Tia", id: "", token: nil, cookie: cookie)
            #expect(try await tia.page("/carrepsa").header("location") == "/carrepsa/packages")
            let sent = try await tia.page("/carrepsa/packages?from=Bonn")
            #expect(sent.status == 303)
            let place = try #require(sent.header("location"))
            #expect(place == "/account/apps/carrepsa?return=%2Fcarrepsa%2Fpackages%3Ffrom%3DBonn")
            let page = try await tia.page(place)
            #expect(page.text.contains("No one else sees your number."))
            #expect(page.text.contains("name=\"return\" value=\"/carrepsa/packages?from=Bonn\""))
            #expect(page.text.contains(">Continue</button>"))
            let bad = try await tia.submit("/account/apps/carrepsa", ["phone": "12", "return": "/carrepsa/profile"])
            #expect(bad.status == 422)
            #expect(bad.text.contains("value=\"12\""))
            let done = try await tia.submit(
                "/account/apps/carrepsa", ["phone": "0151 5550199", "return": "/carrepsa/profile"])
            #expect(done.header("location") == "/carrepsa/profile")
            #expect(try await tia.page("/carrepsa/profile").text.contains("id=\"balance\">€100.00<"))
        }
    }

    @Test(
        "C-01: posting leads to the package, and the other forms of a complete delivery lead back to the lists",
        arguments: Engine.allCases)
    func completeDelivery(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let posted = try await ada.submit("/carrepsa/packages", Self.whole)
            #expect(posted.status == 303)
            let posting = try #require(posted.header("location"))
            #expect(try await ada.page(posting).text.contains("Waiting for a carrier. You are notified"))
            #expect(try posted.toast() == "Requested. €12.00 is held for the carrier.")
            let list = try await ben.page("/carrepsa/packages?from=aach&kilograms=1,2")
            #expect(list.text.contains("Aachen → Bonn · 1.2\u{a0}kg"))
            #expect(list.text.contains("Deposit €40.00"))
            let path = try package(on: list)
            #expect(try await ben.page(path).text.contains(">Accept delivery</button>"))
            let accepted = try await ben.submit(path + "/acceptance", [:])
            #expect(accepted.header("location") == "/carrepsa/packages")
            #expect(try accepted.toast() == "Accepted. €40.00 is held.")
            #expect(try await !ben.page("/carrepsa/packages").text.contains("Bike helmet"))
            #expect(try await ben.page("/carrepsa/packages?role=carrier").text.contains("Bike helmet"))
            let mine = try await ada.page(path)
            #expect(mine.text.contains(">Confirm pickup</button>"))
            #expect(!mine.text.contains(">Confirm delivery</button>"))
            let picked = try await ada.submit(path + "/pickup", [:])
            #expect(picked.header("location") == "/carrepsa/packages?role=owner")
            #expect(try await ada.page("/carrepsa/packages?role=owner").text.contains(">Travelling</span>"))
            let arrived = try await ada.submit(path + "/delivery", [:])
            #expect(arrived.header("location") == "/carrepsa/packages?role=owner")
            #expect(try arrived.toast() == "Delivered. Ben got the reward of €12.00 and the deposit of €40.00 back.")
            #expect(try await !ben.page("/carrepsa/packages?role=carrier").text.contains("Bike helmet"))
            #expect(try await ben.page("/carrepsa/packages?role=carrier&past=true").text.contains("Bike helmet"))
            let wallet = try await ben.page("/carrepsa/wallet/entries")
            #expect(wallet.text.contains("+€52.00"))
            #expect(wallet.text.contains("The reward, and your deposit back."))
            #expect(try await ben.page("/carrepsa/profile").text.contains("id=\"balance\">€112.00<"))
        }
    }

    @Test(
        "C-02: A reward above the balance returns the form with an error and the entered values",
        arguments: Engine.allCases)
    func rewardTooHigh(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let form = try await ada.page("/carrepsa/packages/new")
            #expect(form.text.contains("data-funds=\"10000\" data-funds-digits=\"2\""))
            // The part that follows the wallet while the form is open.
            #expect(form.text.contains("hx-get=\"/carrepsa/packages/new\""))
            let funds = try await ada.fragment("/carrepsa/packages/new").text
            #expect(funds.contains("data-available=\"10000\""))
            #expect(!funds.contains("<form"))
            #expect(form.text.contains("id=\"request-delivery\" type=\"submit\">Request delivery</button>"))
            let folded = try #require(form.text.range(of: "<details"))
            for field in ["title", "from", "to", "weight", "reward", "moneyLock"] {
                let place = try #require(form.text.range(of: "id=\"\(field)\""))
                #expect(place.lowerBound < folded.lowerBound, "\(field)")
            }
            let reply = try await ada.submit(
                "/carrepsa/packages",
                [
                    "title": "Piano", "from": "Aachen", "to": "Bonn", "weight": "200,5", "reward": "100,01",
                    "moneyLock": "5", "description": "Heavy",
                ]
            )
            #expect(reply.status == 409)
            #expect(reply.text.contains("role=\"alert\">Not enough money. Your balance is €100.00.</p>"))
            for typed in ["value=\"Piano\"", "value=\"200,5\"", "value=\"100,01\"", ">Heavy</textarea>"] {
                #expect(reply.text.contains(typed), "\(typed)")
            }
            #expect(reply.text.contains("<details class=\"fold fold-row\" open>"))
            #expect(try await ada.titles("/carrepsa/packages?role=owner") == [])
            #expect(try await ada.balances() == [CarrepsaTestServer.start, 0])
        }
    }

    @Test("Every invalid field has an error in the reader's language", arguments: Engine.allCases)
    func messages(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let form: KeyValuePairs = [
                "title": "", "from": "", "to": "", "weight": "0", "reward": "0", "moneyLock": "1.234",
                "deadlineDay": "2020-01-01",
            ]
            let english = try await ada.submit("/carrepsa/packages", form)
            #expect(english.status == 422)
            #expect(english.text.contains("id=\"title-error\">Fill this in.</p>"))
            #expect(english.text.contains("Enter a weight such as 2.5, up to 1000 kg."))
            #expect(english.text.contains("Enter an amount such as 12.50, from €0.01 to €10,000,000,000.00."))
            #expect(english.text.contains("Choose a day that is not over yet."))
            let german = try await ada.submit("/carrepsa/packages", form, language: "de")
            #expect(german.text.contains("id=\"title-error\">Fülle das aus.</p>"))
            #expect(german.text.contains("Gib einen Betrag wie 12,50 ein, von 0,01\u{a0}€ bis "))
        }
    }

    @Test(
        "C-03: Accept delivery is aria-disabled with its reason, focusable, and rejected with a toast",
        arguments: Engine.allCases)
    func lockTooHigh(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer(with: ["moneyLock": 10_001])
            let page = try await ben.page(path)
            #expect(page.text.contains("aria-disabled=\"true\" aria-describedby=\"why-accept\""))
            #expect(page.text.contains("Your balance of €100.00 is insufficient for the deposit of €100.01."))
            #expect(!page.text.contains(" disabled"))
            let refused = try await ben.submit(path + "/acceptance", [:])
            #expect(refused.status == 303)
            #expect(refused.header("location") == path)
            #expect(try refused.toast() == "Not enough money in your wallet for the deposit.")
            let german = try await ben.submit(path + "/acceptance", [:], language: "de")
            #expect(try german.toast() == "In deiner Geldbörse ist nicht genug Geld für das Pfand.")
            #expect(try await ben.page(path, language: "de").text.contains("<span class=\"row-note\">Absender</span>"))
        }
    }

    @Test(
        "C-04, C-05, C-06: Each way of ending returns to the list that the reader came from",
        arguments: Engine.allCases)
    func waysOut(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let cleo = try await site.person("Cleo")
            let path = try await ada.offer()
            _ = try await ben.submit(path + "/acceptance", [:])
            let byCarrier = try await ben.submit(path + "/acceptance?_method=delete", [:])
            #expect(byCarrier.header("location") == "/carrepsa/packages?role=carrier")
            _ = try await cleo.submit(path + "/acceptance", [:])
            let byOwner = try await ada.submit(path + "/acceptance?_method=delete", [:])
            #expect(byOwner.header("location") == "/carrepsa/packages?role=owner")
            let withdrawn = try await ada.submit(path + "?_method=delete", [:])
            #expect(withdrawn.header("location") == "/carrepsa/packages?role=owner")
            #expect(try withdrawn.toast() == "Request cancelled")
            #expect(try await !ada.page("/carrepsa/packages?role=owner").text.contains("Bike helmet"))
            let late = try await ben.submit(path + "/acceptance", [:])
            #expect(late.header("location") == "/carrepsa/packages")
            #expect(try late.toast() == "The owner cancelled the request.")
        }
    }

    @Test("Without scripts, irreversible actions have a confirmation page", arguments: Engine.allCases)
    func questions(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer()
            #expect(try await ada.page(path).text.contains("<input type=\"hidden\" name=\"ask\" value=\"withdraw\">"))
            let asked = try await ada.submit(path + "?_method=delete", ["ask": "yes"])
            #expect(asked.status == 303)
            let question = try #require(asked.header("location"))
            #expect(question == path + "/questions/withdraw")
            let page = try await ada.page(question)
            #expect(page.text.contains("Cancel this request?</h1>"))
            #expect(page.text.contains("It disappears, and the reward comes back to you."))
            #expect(page.text.contains("action=\"\(path)?_method=delete\""))
            #expect(page.text.contains("href=\"\(path)\">Keep it</a>"))
            #expect(!page.text.contains("name=\"ask\""))
            #expect(try await ada.balances() == [8_800, 1_200])
            #expect(try await ada.page(question, language: "de").text.contains("Behalten"))
            #expect(try await ben.page(question).header("location") == path)
            for other in ["accept", "nonsense"] {
                let there = try await ada.page(path + "/questions/\(other)")
                #expect(there.status == (other == "accept" ? 303 : 404))
            }

            _ = try await ben.submit(path + "/acceptance", [:])
            #expect(try await ada.page(question).header("location") == path)
            for side in [ada, ben] {
                let cancel = try await side.submit(path + "/acceptance?_method=delete", ["ask": "yes"])
                #expect(cancel.header("location") == path + "/questions/cancelAcceptance")
                let text = try await side.page(path + "/questions/cancelAcceptance").text
                #expect(text.contains("Cancel this delivery?</h1>"))
            }
            #expect(try await ben.balances() == [6_000, 4_000])
            _ = try await ada.submit(path + "/pickup", [:])
            _ = try await ben.submit(path + "/cancellation-request", [:])
            let agree = try await ada.submit(path + "/cancellation-request", ["ask": "yes"])
            #expect(agree.header("location") == path + "/questions/agreeCancellation")
            #expect(try await ada.send(.get, path).object().text("state") == "travelling")
            // Programs need no confirmation.
            _ = try await ada.send(.post, path + "/cancellation-request", json: ["ask": "yes"])
            #expect(try await ada.send(.get, path).object().text("state") == "cancelled")
        }
    }

    @Test("A reward above the owner's balance is marked, and the button gives the reason", arguments: Engine.allCases)
    func unfunded(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer(with: ["reward": 9_000])
            _ = try await ben.send(.post, path + "/acceptance")
            _ = try await ada.send(.delete, path + "/acceptance")
            _ = try await ada.offer("Other", with: ["reward": 2_000])
            #expect(try await ben.page("/carrepsa/packages").text.contains(">Reward not funded</span>"))
            let offered = try await ben.page(path).text
            #expect(offered.contains("The owner’s wallet doesn’t cover the reward."))
            #expect(offered.contains("aria-disabled=\"true\" aria-describedby=\"why-accept\""))
            #expect(try await ada.page(path).text.contains("Your wallet no longer covers the reward."))
            let refused = try await ben.send(.post, path + "/acceptance")
            #expect(refused.status == 409)
            #expect(try refused.error().text("code") == "reward_not_funded")
            #expect(try await ada.balances() == [8_000, 2_000])
            #expect(try await ben.balances() == [CarrepsaTestServer.start, 0])
            let free = try await ada.send(.delete, path)
            #expect(free.status == 204)
            #expect(try await ada.balances() == [8_000, 2_000])
            let amounts = try await ada.send(.get, "/carrepsa/wallet/entries").object().list("items").map {
                $0.number("amount")
            }
            #expect(!amounts.isEmpty && !amounts.contains(nil))
            #expect(amounts.allSatisfy { $0 != 0 }, "a withdrawal without a reward moves no money")
        }
    }

    @Test(
        "C-09, C-10: While the package is live, the profiles of owner and carrier have links to call and to write",
        arguments: Engine.allCases)
    func contacts(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer()
            let before = try await ben.page("/carrepsa/people/\(ada.id)")
            #expect(before.text.contains("Contact details are hidden"))
            _ = try await ben.send(.post, path + "/acceptance")
            let page = try await ada.page(path)
            #expect(page.text.contains("href=\"/carrepsa/people/\(ben.id)?package="))
            let profile = try await ada.page("/carrepsa/people/\(ben.id)")
            #expect(profile.text.contains("href=\"tel:+491515550100\""))
            #expect(profile.text.contains("href=\"mailto:ben@example.org\""))
        }
    }

    @Test("C-11: Name, phone and email are changed in popups, or on separate pages", arguments: Engine.allCases)
    func profile(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            _ = try await site.person("Ben")
            let page = try await ada.page("/carrepsa/profile")
            for (field, title) in [("name", "Name"), ("phone", "Phone"), ("email", "Mail")] {
                #expect(page.text.contains("data-sheet=\"popup-\(field)\""))
                #expect(page.text.contains("id=\"popup-\(field)-title\">\(title)</h2>"))
                let own = try await ada.page("/account/fields/\(field)?return=/carrepsa/profile")
                #expect(own.text.contains("\(title)</h1>"))
            }
            #expect(page.text.contains("type=\"tel\" value=\"+491515550100\""))
            let url = "/account?_method=patch"
            func change(_ field: String, _ value: String, isFragment: Bool) async throws -> Reply {
                try await ada.submit(
                    url,
                    [
                        "view": field, "return": "/carrepsa/profile", field: value,
                        "password": field == "email" ? "correct horse" : "",
                    ], isFragment: isFragment)
            }
            for value in ["12", "", "call me"] {
                let bad = try await change("phone", value, isFragment: true)
                #expect(bad.status == 422)
                #expect(!bad.text.contains("<html"))
                #expect(bad.text.contains("id=\"phone-input-error\" role=\"alert\">Enter "))
            }
            let taken = try await change("email", "ben@example.org", isFragment: true)
            #expect(taken.status == 422)
            #expect(taken.text.contains("An account with this email already exists."))
            #expect(taken.text.contains("id=\"email-input-error\" role=\"alert\">An account "))
            #expect(taken.text.contains("aria-invalid=\"true\""))
            #expect(taken.text.contains("value=\"ben@example.org\""))
            #expect(try await ada.send(.get, "/account").object().text("email") == "ada@example.org")
            let plain = try await change("email", "nonsense", isFragment: false)
            #expect(plain.status == 422)
            #expect(plain.text.contains("Mail</h1>"))
            #expect(plain.text.contains("value=\"nonsense\""))
            let good = try await change("phone", "+49 151 777", isFragment: true)
            #expect(good.status == 200)
            #expect(good.header("hx-redirect") == "/carrepsa/profile")
            let without = try await change("name", "Ada L.", isFragment: false)
            #expect(without.header("location") == "/carrepsa/profile")
            let after = try await ada.page("/carrepsa/profile")
            #expect(after.text.contains(">+49151777</span>"))
            #expect(after.text.contains(">Ada L.</span>"))
        }
    }

    @Test("A wrong code shows an error at its field; the right one confirms for both", arguments: Engine.allCases)
    func handover(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer()
            _ = try await ben.send(.post, path + "/acceptance")
            let page = try await ben.page(path)
            #expect(!page.text.contains(">Confirm pickup</button>"))
            #expect(page.text.contains("Enter Ada’s code"))
            let shown = try await ada.submit(path + "/handover-codes", ["step": "pickup"], isFragment: true)
            #expect(shown.status == 201)
            #expect(!shown.text.contains("<html"))
            #expect(shown.text.contains("<svg class=\"qr-code\""))
            #expect(shown.text.contains(">Hide my code</button>"))
            let match = try #require(shown.text.firstMatch(of: #/>(\d{3})\x{a0}(\d{3})<\/output>/#))
            let code = "\(match.output.1)\(match.output.2)"
            let alone = try await ada.submit(path + "/handover-codes", ["step": "pickup"])
            #expect(alone.text.contains("Your code</h1>"))
            for typed in ["", code] {
                // The second code invalidates the first.
                let wrong = try await ben.submit(path + "/pickup", ["code": typed])
                #expect(wrong.status == 422)
                #expect(wrong.text.contains("aria-invalid=\"true\""))
            }
            let fresh = try #require(alone.text.firstMatch(of: #/>(\d{3})\x{a0}(\d{3})<\/output>/#))
            let scanned = try await ben.page(path + "?code=\(fresh.output.1)\(fresh.output.2)")
            #expect(scanned.text.contains("name=\"code\" value=\"\(fresh.output.1)\(fresh.output.2)\""))
            let done = try await ben.submit(path + "/pickup", ["code": "\(fresh.output.1) \(fresh.output.2)"])
            #expect(done.header("location") == "/carrepsa/packages?role=carrier")
        }
    }

    @Test("The list is live, refreshable, filtered automatically, and helps when empty", arguments: Engine.allCases)
    func list(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let empty = try await ada.page("/carrepsa/packages")
            #expect(empty.text.contains("data-live=\"package\" data-live-resource=\"/carrepsa/packages\""))
            #expect(empty.text.contains(" data-refreshable"))
            #expect(empty.text.contains("Nothing to carry right now"))
            _ = try await ada.offer("<script>\"'&</script>")
            let none = try await ada.page("/carrepsa/packages?to=Köln")
            #expect(none.text.contains("Nothing on this way yet"))
            #expect(none.text.contains("hx-get=\"/carrepsa/packages?to=K%C3%B6ln\""))
            let part = try await ada.fragment("/carrepsa/packages?to=bonn")
            #expect(!part.text.contains("<html"))
            #expect(part.text.contains("&lt;script&gt;"))
            #expect(!part.text.contains("<script>\""))
            let odd = try await ada.page("/carrepsa/packages?kilograms=heavy")
            #expect(odd.text.contains("Enter a weight such as 2.5."))
            let german = try await ada.page("/carrepsa/packages", language: "de")
            #expect(german.text.contains("Pfand 40,00\u{a0}€"))
            #expect(german.text.contains(">Meine Liefe\u{ad}rungen<"))
        }
    }

    @Test("Only administrators see disputes and the ledger", arguments: Engine.allCases)
    func operators(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben, olga, path) = try await site.packageInTransit()
            let empty = try await ada.submit(path + "/dispute", ["reason": " "])
            #expect(empty.status == 422)
            #expect(empty.text.contains("id=\"reason-error\">Say what is wrong.</p>"))
            _ = try await ada.submit(path + "/dispute", ["reason": "It broke."])
            #expect(try await ada.page("/carrepsa/disputes").status == 403)
            #expect(try await ada.page("/carrepsa/ledger").status == 403)
            #expect(try await olga.page("/carrepsa/disputes").text.contains("It broke."))
            #expect(try await !olga.page(path).text.contains("name=\"outcome\""), "Ben can still answer")
            _ = try await ben.submit(path + "/statements", ["statement": "It was broken before."])
            let page = try await olga.page(path)
            for outcome in ["delivered", "refunded", "lost", "split"] {
                #expect(page.text.contains("name=\"outcome\" value=\"\(outcome)\""))
            }
            let unfounded = try await olga.submit(path + "/decision", ["outcome": "refunded", "note": ""])
            #expect(unfounded.text.contains("id=\"note-error\">Give the reason. Owner and carrier read it.</p>"))
            let decided = try await olga.submit(path + "/decision", ["outcome": "refunded", "note": "Agreed"])
            #expect(decided.header("location") == "/carrepsa/disputes")
            for party in [ada, ben] { _ = try await party.submit(path + "/decision/acceptance", [:]) }
            #expect(try await ada.balances() == [CarrepsaTestServer.start, 0])
            let cases = try await olga.page("/carrepsa/disputes?past=true").text
            for text in ["The delivery is cancelled: ", "<q class=\"row-note\">Agreed</q>", ">Ended</span>"] {
                #expect(cases.contains(text))
            }
            let ended = try await olga.page(path).text
            #expect(ended.contains("An administrator cancelled it. Owner and carrier got their money back."))
            #expect(ended.contains("It has taken effect."))
            #expect(!ended.contains("id=\"contact\""))
            let item = try #require(
                try await olga.send(.get, "/carrepsa/disputes?past=true").object().list("items").first)
            #expect(item.text("decisionReason") == "Agreed")
            #expect(try item.object("decision").text("outcome") == "refunded")
            #expect(try await olga.page("/carrepsa/ledger").text.contains("No money was created or lost."))
        }
    }
}
