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
            let paid = try await fixture.keyed(
                "\(wallet)/payments", #"{"kind":"pay_out","amount":1500,"note":"Transfer"}"#, token: mia)
            #expect(paid.status == .created)
            #expect(try await fixture.states() == ["paid"])
            #expect(try await fixture.waiting().isEmpty)
            #expect(try await fixture.guide()["balance"] as? Int == 25_00)
            #expect(try await harness.services.verifier.verify().isSound)
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
