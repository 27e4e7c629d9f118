import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The page about money in and out, and the administrators' pages about payout requests.
@Suite("Carrepsa: pages about payouts")
struct CarrepsaPayoutPageTests {
    private static let request: KeyValuePairs = ["amount": "40", "destination": "Cash"]

    /// The notifications about payout requests, the newest first.
    private static func notices(_ person: CarrepsaTestClient) async throws -> [String] {
        try await person.notifications().filter { $0.text("kind") == "payoutRequest" }.compactMap { $0.text("body") }
    }

    @Test("C-15: A person with too little money finds the administrator's explanation and a reference of their own")
    func topUp() async throws {
        try await withCarrepsa { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            let olga = try await site.person("Olga", isOperator: true)
            try await olga.proveAdministration()
            func save(iban: String) async throws -> Reply {
                try await olga.submit(
                    "/admin/payment-instructions?_method=put",
                    [
                        "topUpText": "By transfer.\nOr in cash on Mondays.", "payoutText": "",
                        "accountHolder": "Neighbours", "iban": iban, "bic": "",
                    ])
            }
            let wrong = try await save(iban: "DE89 3704 0044 0532 0130 01")
            #expect(wrong.status == 422)
            #expect(wrong.marked == ["iban"])
            #expect(wrong.text.contains("This is no IBAN.") && wrong.text.contains("value=\"Neighbours\""))
            #expect(try await save(iban: "DE89 3704 0044 0532 0130 00").toast() == "Saved")
            let path = try await ada.offer(with: ["moneyLock": 20_000])
            let package = try await ben.page(path).text
            #expect(package.contains("insufficient for the deposit of €200.00."))
            #expect(package.contains("<a href=\"/carrepsa/money\">How to top up</a>"))
            let guide = try await ben.page("/carrepsa/money").text
            #expect(guide.contains("Or in cash on Mondays.") && guide.contains(">Neighbours</dd>"))
            let shown = #/id="reference"[^>]*>(HW-[0-9A-Z]{4}-[0-9A-Z]{4})</#
            let reference = String(try #require(guide.firstMatch(of: shown)).output.1)
            // The administrator finds whose transfer it was.
            let wallets = try await olga.page("/admin/wallets?search=\(reference)").text
            #expect(wallets.contains("/admin/wallets/\(ben.id)") && !wallets.contains("/admin/wallets/\(ada.id)"))
            #expect(try await olga.page("/admin/wallets/\(ben.id)").text.contains(reference))
        }
    }

    @Test("C-16: A person asks for a payout and withdraws the request on its page", arguments: Engine.allCases)
    func withdrawn(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, olga) = (try await site.person("Ada"), try await site.person("Olga", isOperator: true))
            #expect(try await ada.balances() == [CarrepsaTestServer.start, 0])
            try await ada.topUp(50_00)
            let tooMuch = try await ada.submit(
                "/carrepsa/payout-requests", ["amount": "50.01", "destination": "In cash at home"])
            #expect(tooMuch.status == 409)
            #expect(tooMuch.text.contains("Welcome money can’t be paid out. The maximum is €50.00."))
            #expect(tooMuch.text.contains("In cash at home"))
            let asked = try await ada.submit("/carrepsa/payout-requests", Self.request)
            #expect(asked.header("location") == "/carrepsa/money")
            #expect(try asked.toast() == "Payout requested")
            let open = try await ada.page("/carrepsa/money").text
            #expect(open.contains("Waits for the administrator"))
            #expect(!open.contains("id=\"payout-form\""))
            #expect(!open.contains("id=\"past-requests\""))
            let form = #/action="(\/carrepsa\/payout-requests\/[0-9a-f-]{36}\?_method=delete)" data-confirm="Withdraw/#
            let withdrawal = String(try #require(open.firstMatch(of: form)).output.1)
            let withdrawn = try await ada.submit(withdrawal, [:])
            #expect(withdrawn.header("location") == "/carrepsa/money")
            #expect(try withdrawn.toast() == "Request withdrawn")
            let past = try await ada.page("/carrepsa/money").text
            #expect(past.contains("€40.00 · Withdrawn"))
            #expect(past.contains("id=\"payout-form\""))
            #expect(try await Self.notices(olga).first == "Ada no longer asks to be paid €40.00.")
            #expect(try await ada.balances() == [150_00, 0])
        }
    }

    @Test(
        "C-16, C-17: An administrator declines a request with a reason, which the person reads",
        arguments: Engine.allCases)
    func declined(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, olga) = (try await site.person("Ada"), try await site.person("Olga", isOperator: true))
            #expect(try await ada.balances() == [CarrepsaTestServer.start, 0])
            try await ada.topUp(50_00)
            #expect(try await ada.submit("/carrepsa/payout-requests", Self.request).status == 303)
            let wallet = "/admin/wallets/\(ada.id)"
            #expect(try await olga.page("/admin/payout-requests").text.contains("href=\"\(wallet)\""))
            let waiting = try await olga.send(.get, "/admin/payout-requests").object().list("items")
            let request = try #require(waiting.first)
            let refusal = "/admin/payout-requests/\(try #require(request.text("id")))/refusal"
            #expect(try await !olga.page(wallet).text.contains("action=\"\(refusal)\""), "without a proof")
            try await olga.proveAdministration()
            #expect(try await olga.page(wallet).text.contains("action=\"\(refusal)\""))
            let silent = try await olga.submit(refusal, ["reason": " "])
            #expect(silent.status == 422)
            #expect(silent.text.contains("id=\"reason-error\">Say what happened.</p>"))
            #expect(silent.text.contains("aria-describedby=\"reason-error reason-hint\" aria-invalid=\"true\""))
            let declined = try await olga.submit(refusal, ["reason": "Come to the town hall"])
            #expect(declined.header("location") == wallet)
            #expect(try declined.toast() == "Payout declined")
            let page = try await ada.page("/carrepsa/money").text
            #expect(page.contains("€40.00 · Declined"))
            #expect(page.contains("Come to the town hall"))
            let notice = "Your payout of €40.00 was declined: Come to the town hall"
            #expect(try await Self.notices(ada).first == notice)
            #expect(try await ada.balances() == [150_00, 0])
        }
    }
}
