import Accounts
import Carrepsa
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Ledger
import NIOCore
import Server
import TestSupport
import Testing

/// An administrator, Mia, and another adult, Ben, with a wallet.
private struct WalletFixture {
    private let administration: AdministrationFixture
    let path: String

    var harness: ServerHarness { administration.harness }
    var mia: String { administration.mia }
    var ben: String { administration.ben }

    init(_ harness: ServerHarness) async throws {
        administration = try await AdministrationFixture(harness)
        _ = try await harness.send(.patch, "/account", #"{"phone":"+4930123456"}"#, token: administration.ben)
        path = "/admin/wallets/\(administration.benID)"
    }

    func prove() async throws { try await administration.prove() }

    /// - Parameter key: the idempotency key; a new one by default, `nil` for none.
    func pay(
        _ kind: String, _ amount: Int64, note: String = "Cash", key: String? = UUID().uuidString,
        to wallet: String? = nil
    ) async throws -> TestResponse {
        harness.clock.advance(milliseconds: 1)
        var headers: HTTPFields = [
            .authorization: "Bearer \(mia)", .accept: "application/json", .contentType: "application/json",
        ]
        if let key { headers[try #require(HTTPField.Name("Idempotency-Key"))] = key }
        return try await harness.client.executeRequest(
            uri: "\(wallet ?? path)/payments", method: .post, headers: headers,
            body: ByteBuffer(string: #"{"kind":"\#(kind)","amount":\#(amount),"note":"\#(note)"}"#))
    }

    func balance() async throws -> Int? {
        try await harness.send(.get, "/carrepsa/wallet", token: ben).object()["balance"] as? Int
    }

    func list(_ path: String, _ token: String) async throws -> [[String: Any]] {
        let items = try await harness.send(.get, path, token: token).object()["items"]
        return try #require(items as? [[String: Any]])
    }
}

@Suite("Wallets, for administrators, over HTTP")
struct WalletAdministrationRoutesTests {
    @Test("A payment moves money once, and is logged, notified and shown with its note", arguments: Engine.allCases)
    func payments(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await WalletFixture(harness)
            let unproven = try await fixture.pay("top_up", 20_00)
            #expect(unproven.status == .unprocessableContent)
            #expect(unproven.html.contains(#""password""#))
            #expect(try await fixture.balance() == 0)
            try await fixture.prove()
            for _ in 0..<2 {
                let paid = try await fixture.pay("top_up", 20_00, note: "Cash at the market", key: "one")
                #expect(paid.status == .created, "\(paid.html)")
                #expect(try paid.object()["balance"] as? Int == 20_00)
            }
            #expect(try await fixture.pay("top_up", 21_00, note: "Cash at the market", key: "one").status == .conflict)
            let tooMuch = try await fixture.pay("pay_out", 20_01)
            #expect(tooMuch.status == .conflict)
            #expect(tooMuch.html.contains("insufficient_funds"))
            #expect(try await fixture.pay("pay_out", 5_00, note: "Paid back").status == .created)
            #expect(try await fixture.balance() == 15_00)
            let entries = try await fixture.list("/carrepsa/wallet/entries", fixture.ben)
            #expect(entries.map { $0["kind"] as? String } == ["pay_out", "top_up"])
            #expect(entries.map { $0["note"] as? String } == ["Paid back", "Cash at the market"])
            let notices = try await fixture.list("/notifications", fixture.ben)
            #expect(notices.first?["kind"] as? String == "walletPayment")
            #expect(notices.first?["body"] as? String == "€5.00 was paid out of your wallet: Paid back")
            #expect(notices.count == 2)
            let log = try await fixture.list("/admin/log", fixture.mia)
            #expect(
                log.prefix(2).map { $0["action"] as? String } == ["pay-out-wallet", "top-up-wallet"])
            #expect(log.first?["detail"] as? String == "5.00 EUR")
            let shown = try await harness.send(.get, fixture.path, token: fixture.mia).object()
            #expect((shown["payments"] as? [[String: Any]])?.map { $0["amount"] as? Int } == [5_00, 20_00])
            #expect(try await harness.services.verifier.verify().isSound)
        }
    }

    @Test(
        "Another administrator records the payments of an administrator's wallet, if there is one",
        arguments: Engine.allCases)
    func ownWallet(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await WalletFixture(harness)
            try await fixture.prove()
            let administrators = harness.services.accounts.administrators
            let account = try await harness.send(.get, "/account", token: fixture.mia).object()
            let own = "/admin/wallets/\(try #require(account["id"] as? String))"
            _ = try await harness.send(.patch, "/account", #"{"phone":"+4930123456"}"#, token: fixture.mia)
            #expect(try await fixture.pay("top_up", 20_00, to: own).status == .created)
            _ = try await administrators.setOperator(email: "ben@example.org", true)
            for kind in ["top_up", "pay_out"] {
                let refused = try await fixture.pay(kind, 5_00, to: own)
                #expect(refused.status == .forbidden, "\(refused.html)")
            }
            #expect(try await fixture.pay("top_up", 5_00).status == .created)
            var headers = HTTPFields.page
            headers[.authorization] = "Bearer \(fixture.mia)"
            let page = try await harness.client.executeRequest(uri: own, method: .get, headers: headers, body: nil).html
            #expect(page.contains("own-wallet") && !page.contains("payment-form"))
            let asked = try await harness.send(
                .post, "/carrepsa/payout-requests", #"{"amount":100,"destination":"Cash"}"#, token: fixture.mia)
            let id = try #require(try asked.object()["id"] as? String)
            let declined = try await harness.send(
                .post, "/admin/payout-requests/\(id)/refusal", #"{"reason":"No"}"#, token: fixture.mia)
            #expect(declined.status == .forbidden)
            // The host can always do it on the command line.
            _ = try await harness.services.carrepsa.payments.topUp(
                email: "mia@example.org", amountMinor: 1_00,
                transferID: ID(at: harness.clock.now, random: harness.services.random))
            let balance = try await harness.send(.get, "/carrepsa/wallet", token: fixture.mia).object()["balance"]
            #expect(balance as? Int == 21_00)
            // Alone again, as when the other account is disabled.
            _ = try await administrators.setOperator(email: "ben@example.org", false)
            #expect(try await fixture.pay("top_up", 5_00, to: own).status == .created)
        }
    }

    @Test("A payment without an idempotency key is refused and moves nothing", arguments: Engine.allCases)
    func keyless(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await WalletFixture(harness)
            try await fixture.prove()
            let refused = try await fixture.pay("top_up", 20_00, key: nil)
            #expect(refused.status == .unprocessableContent)
            #expect(refused.html.contains(#""idempotencyKey":"Send an idempotency key"#))
            #expect(try await fixture.pay("top_up", 20_00, key: "").status == .unprocessableContent)
            #expect(try await fixture.balance() == 0)
        }
    }

    @Test("A reloaded list keeps its search and its place, escaped")
    func reload() async throws {
        try await withServer { harness async throws in
            let fixture = try await WalletFixture(harness)
            var headers = HTTPFields.page
            headers[.authorization] = "Bearer \(fixture.mia)"
            func page(_ uri: String) async throws -> String {
                try await harness.client.executeRequest(uri: uri, method: .get, headers: headers, body: nil).html
            }
            for list in ["/admin/wallets", "/admin/people"] {
                #expect(try await page(list).contains(#"hx-get="\#(list)" hx-trigger="hw:refresh""#))
                let found = try await page("\(list)?search=ben%26%22")
                #expect(found.contains(#"hx-get="\#(list)?search=ben%26%22" hx-trigger="hw:refresh""#))
                let first = try await harness.send(.get, "\(list)?limit=1", token: fixture.mia).object()
                let next = try #require(first["next"] as? String)
                let second = try await page("\(list)?limit=1&after=\(next)")
                #expect(second.contains(#"hx-get="\#(list)?after=\#(next)" hx-trigger="hw:refresh""#))
            }
        }
    }

    @Test("Invalid payments are refused with their fields, and move nothing")
    func invalid() async throws {
        try await withServer { harness async throws in
            let fixture = try await WalletFixture(harness)
            try await fixture.prove()
            for amount in [0, -1, Limits.packageMoneyMinor + 1] {
                let refused = try await fixture.pay("top_up", amount)
                #expect(refused.status == .unprocessableContent)
                #expect(refused.html.contains(#""amount":"#))
            }
            let noteless = try await fixture.pay("top_up", 0, note: " ")
            #expect(noteless.html.contains(#""note":"Say what the payment is for.""#))
            #expect(noteless.html.contains(#""amount":"#))
            let long = String(repeating: "a", count: Limits.paymentNoteCharacters + 1)
            #expect(try await fixture.pay("top_up", 1, note: long).status == .unprocessableContent)
            #expect(try await fixture.pay("gift", 1).status == .unprocessableContent)
            #expect(try await fixture.balance() == 0)
        }
    }

    @Test("Wallets are listed with balances, found by name, email and id, without children", arguments: Engine.allCases)
    func listing(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await WalletFixture(harness)
            try await fixture.prove()
            _ = try await fixture.pay("top_up", 3_00)
            _ = try await harness.send(.patch, "/account", #"{"dateOfBirth":"1990-01-01"}"#, token: fixture.ben)
            let child = try await harness.send(
                .post, "/family/children", #"{"name":"Kim","dateOfBirth":"2018-01-01"}"#, token: fixture.ben)
            let childID = try #require(try child.object()["id"] as? String)
            let all = try await fixture.list("/admin/wallets", fixture.mia)
            #expect(all.map { $0["email"] as? String } == ["ben@example.org", "mia@example.org"])
            #expect(all.map { $0["balance"] as? Int } == [3_00, 0])
            let first = try await harness.send(.get, "/admin/wallets?limit=1", token: fixture.mia).object()
            let next = try #require(first["next"] as? String)
            let second = try await fixture.list("/admin/wallets?limit=1&after=\(next)", fixture.mia)
            #expect(second.map { $0["email"] as? String } == ["mia@example.org"])
            let found = try await fixture.list("/admin/wallets?search=BEN%40", fixture.mia)
            #expect(found.map { $0["email"] as? String } == ["ben@example.org"])
            #expect(try await fixture.list("/admin/wallets?search=Kim", fixture.mia).isEmpty)
            let missing = try await harness.send(.get, "/admin/wallets/\(childID)", token: fixture.mia)
            #expect(missing.status == .notFound)
        }
    }

    @Test("A page marks the invalid fields and keeps what was typed")
    func page() async throws {
        try await withServer { harness async throws in
            let fixture = try await WalletFixture(harness)
            let proof = try await harness.browse(fixture.path)
            #expect(proof.status == .seeOther)
            try await fixture.prove()
            var headers = HTTPFields.page
            headers[.authorization] = "Bearer \(fixture.mia)"
            headers[.contentType] = "application/x-www-form-urlencoded"
            let page = try await harness.client.executeRequest(
                uri: "\(fixture.path)/payments", method: .post, headers: headers,
                body: ByteBuffer(string: "kind=pay_out&amount=1.001&note=x%26y"))
            #expect(page.status == .unprocessableContent)
            #expect(page.html.contains(#"value="1.001""#))
            #expect(page.html.contains(#"value="x&amp;y""#))
            #expect(page.html.contains("Enter an amount such as 12.50"))
            let poor = try await harness.client.executeRequest(
                uri: "\(fixture.path)/payments", method: .post, headers: headers,
                body: ByteBuffer(string: "kind=pay_out&amount=1&note=x&idempotencyKey=one"))
            #expect(poor.html.contains("Not enough money. The balance is €0.00."))
        }
    }
}
