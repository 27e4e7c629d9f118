import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Ledger
import NIOCore
import Server
import TestSupport
import Testing

@Suite("Payouts and payment instructions over HTTP")
struct PayoutRoutesTests {
    private struct Fixture {
        let administration: AdministrationFixture

        var harness: ServerHarness { administration.harness }

        init(_ harness: ServerHarness) async throws {
            administration = try await AdministrationFixture(harness)
            _ = try await harness.send(
                .patch, "/account", #"{"phone":"+4930123456"}"#, token: administration.ben)
        }

        /// Puts 20 euros into Ben's wallet.
        func fund() async throws {
            try await administration.prove()
            let paid = try await keyed(
                "/admin/wallets/\(administration.benID)/payments",
                #"{"kind":"top_up","amount":2000,"note":"Cash"}"#, token: administration.mia)
            #expect(paid.status == .created, "\(paid.html)")
        }

        func keyed(_ path: String, _ body: String, token: String) async throws -> TestResponse {
            harness.clock.advance(milliseconds: 1)
            let headers: HTTPFields = [
                .authorization: "Bearer \(token)", .accept: "application/json", .contentType: "application/json",
                try #require(HTTPField.Name("Idempotency-Key")): UUID().uuidString,
            ]
            return try await harness.client.executeRequest(
                uri: path, method: .post, headers: headers, body: ByteBuffer(string: body))
        }

        /// Opens a page as the administrator, or submits a form.
        func browse(_ path: String, _ form: String? = nil) async throws -> String {
            harness.clock.advance(milliseconds: 1)
            var headers = HTTPFields.page
            headers[.authorization] = "Bearer \(administration.mia)"
            if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
            return try await harness.client.executeRequest(
                uri: path, method: form == nil ? .get : .post, headers: headers,
                body: form.map { ByteBuffer(string: $0) }
            ).html
        }

        func ask(_ amount: Int) async throws -> TestResponse {
            try await keyed(
                "/carrepsa/payout-requests", #"{"amount":\#(amount),"destination":"DE89 3704"}"#,
                token: administration.ben)
        }

        func guide() async throws -> [String: Any] {
            try await harness.send(.get, "/carrepsa/money", token: administration.ben).object()
        }

        func states() async throws -> [String] {
            try #require(try await guide()["requests"] as? [[String: Any]]).compactMap { $0["state"] as? String }
        }

        func waiting() async throws -> [[String: Any]] {
            let page = try await administration.act(.get, "/payout-requests", nil).object()
            return try #require(page["items"] as? [[String: Any]])
        }

        func notices(_ token: String) async throws -> [String] {
            let items = try await harness.send(.get, "/notifications", token: token).object()["items"]
            return try #require(items as? [[String: Any]]).compactMap { $0["body"] as? String }
        }
    }

    @Test("Recording the payment ends a request, and everyone concerned is notified", arguments: Engine.allCases)
    func paid(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await Fixture(harness)
            try await fixture.fund()
            #expect(try await fixture.ask(15_00).status == .created)
            #expect(try await fixture.waiting().map { $0["amount"] as? Int } == [15_00])
            let mia = fixture.administration.mia
            let asked = try await fixture.notices(mia)
            #expect(asked == ["Mia asks to be paid €15.00. Pay it, record it, or decline it."])
            let wallet = "/admin/wallets/\(fixture.administration.benID)"
            let shown = try await harness.send(.get, wallet, token: mia).object()
            #expect((shown["payoutRequest"] as? [String: Any])?["destination"] as? String == "DE89 3704")
            // A top-up doesn't end it.
            try await fixture.fund()
            #expect(try await fixture.states() == ["open"])
            let request = try #require((shown["payoutRequest"] as? [String: Any])?["id"] as? String)
            func pay(_ kind: String, _ request: String?) async throws -> TestResponse {
                let named = request.map { #","request":"\#($0)""# } ?? ""
                return try await fixture.keyed(
                    "\(wallet)/payments", #"{"kind":"\#(kind)","amount":1500,"note":"Transfer"\#(named)}"#, token: mia)
            }
            // A payout names the request that it pays: not another one, and not with a top-up.
            for (kind, named) in [
                ("pay_out", nil), ("pay_out", UUID().uuidString.lowercased()), ("top_up", request),
            ] as [(String, String?)] {
                let refused = try await pay(kind, named)
                #expect(refused.status == .unprocessableContent && refused.html.contains(#""request":"#))
            }
            #expect(try await fixture.states() == ["open"])
            let paid = try await pay("pay_out", request)
            #expect(paid.status == .created)
            let payments = try #require(try paid.object()["payments"] as? [[String: Any]])
            #expect(payments.map { $0["request"] as? String } == [request, nil, nil])
            #expect(try await fixture.states() == ["paid"])
            // Another administrator who still has the page open doesn't pay it again.
            #expect(try await pay("pay_out", request).status == .conflict)
            #expect(try await fixture.waiting().isEmpty)
            #expect(try await fixture.guide()["balance"] as? Int == 25_00)
            #expect(try await harness.services.verifier.verify().isSound)
        }
    }

    @Test("A payout opened from its request offers only “Pay out”, and asks without scripts too")
    func page() async throws {
        try await withServer { harness async throws in
            let fixture = try await Fixture(harness)
            try await fixture.fund()
            _ = try await fixture.ask(15_00)
            let wallet = "/admin/wallets/\(fixture.administration.benID)"
            let page = try await fixture.browse(wallet)
            let form = try #require(page.firstMatch(of: #/<form id="payment-form"[\s\S]*?<\/form>/#)).output
            #expect(form.contains(#"value="pay_out""#) && !form.contains(#"value="top_up""#))
            #expect(form.contains(#"name="request""#) && form.contains(#"value="15.00""#))
            let topUp = try #require(page.firstMatch(of: #/<form id="top-up-form"[\s\S]*?<\/form>/#)).output
            #expect(topUp.contains(#"value="top_up""#) && !topUp.contains(#"value="pay_out""#))
            // Every button that records a payment asks.
            for button in page.matches(of: #/<button[^>]*name="kind"[^>]*>/#) {
                #expect(button.output.contains("data-confirm="))
            }
            let request = try #require(form.firstMatch(of: #/name="request" value="([^"]*)"/#)).output.1
            let fields = "kind=pay_out&amount=15.00&note=Cash&request=\(request)&idempotencyKey=one"
            let asked = try await fixture.browse("\(wallet)/payments", fields + "&ask=yes")
            #expect(asked.contains("Pay €15.00 out of Mia’s wallet?"))
            #expect(asked.contains(#"name="idempotencyKey" value="one""#) && !asked.contains(#"name="ask""#))
            #expect(try await fixture.states() == ["open"])
            _ = try await fixture.browse("\(wallet)/payments", fields)
            #expect(try await fixture.states() == ["paid"])
            let general = try await fixture.browse(wallet)
            #expect(general.contains(#"value="top_up""#) && general.contains(#"value="pay_out""#))
            let add = try await fixture.browse(
                "\(wallet)/payments", "kind=top_up&amount=1&note=Cash&idempotencyKey=two&ask=yes")
            #expect(add.contains("Add €1.00 to Mia’s wallet?"))
            #expect(try await fixture.guide()["balance"] as? Int == 5_00)
        }
    }

    @Test("A request is declined once, with a proof and a reason", arguments: Engine.allCases)
    func declined(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await Fixture(harness)
            try await fixture.fund()
            let created = try await fixture.ask(15_00)
            let id = try #require(try created.object()["id"] as? String)
            let administration = fixture.administration
            let path = "/payout-requests/\(id)/refusal"
            let silent = try await administration.act(.post, path, #"{"reason":" "}"#)
            #expect(silent.status == .unprocessableContent && silent.html.contains(#""reason":"#))
            #expect(try await fixture.states() == ["open"])
            let refusal = #"{"reason":"Come to the town hall"}"#
            #expect(try await administration.act(.post, path, refusal).status == .ok)
            #expect(try await administration.act(.post, path, refusal).status == .conflict)
            #expect(try await fixture.states() == ["declined"])
            let notices = try await fixture.notices(administration.ben)
            #expect(notices.first == "Your payout of €15.00 was declined: Come to the town hall")
            #expect(try await administration.log().first == "decline-payout")
            let unknown = "/payout-requests/\(UUID().uuidString.lowercased())/refusal"
            #expect(try await administration.act(.post, unknown, refusal).status == .notFound)
        }
    }

    @Test("Payment instructions need a proof and the current version, and lead people to an account")
    func instructions() async throws {
        try await withServer { harness async throws in
            let fixture = try await Fixture(harness)
            let administration = fixture.administration
            let body = #"""
                {"topUpText":"By bank transfer","accountHolder":"Neighbours","iban":"DE89 3704 0044 0532 0130 00"}
                """#
            let unproven = try await administration.act(.put, "/payment-instructions", body)
            #expect(unproven.status == .unprocessableContent && unproven.html.contains(#""password""#))
            try await administration.prove()
            let wrong = try await administration.act(
                .put, "/payment-instructions", #"{"iban":"DE89 3704 0044 0532 0130 01","bic":"X"}"#)
            #expect(wrong.status == .unprocessableContent)
            for field in ["iban", "bic", "accountHolder"] { #expect(wrong.html.contains(#""\#(field)":"#)) }
            let saved = try await administration.act(.put, "/payment-instructions", body)
            #expect(saved.status == .ok, "\(saved.html)")
            #expect(try saved.object()["version"] as? Int == 1)
            let guide = try await fixture.guide()
            #expect(guide["topUpText"] as? String == "By bank transfer")
            #expect((guide["bankAccount"] as? [String: Any])?["iban"] as? String == "DE89370400440532013000")
            let reference = try #require(guide["reference"] as? String)
            let found = try await administration.act(.get, "/wallets?search=\(reference.lowercased())", nil).object()
            let ids = try #require(found["items"] as? [[String: Any]]).compactMap { $0["id"] as? String }
            #expect(ids == [administration.benID])
            #expect(try await administration.log().first == "change-payment-instructions")
        }
    }
}
