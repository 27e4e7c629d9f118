import Carrepsa
import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing

/// Actions that ask first, and acceptances of offers that were edited.
@Suite("Carrepsa: questions and edited offers")
struct CarrepsaQuestionTests {
    private static func terms(reward: Int) -> [String: any Sendable] {
        ["title": "Bike helmet", "from": "Aachen", "to": "Bonn", "weight": 1_200, "reward": reward, "moneyLock": 4_000]
    }

    @Test("An edited offer can be accepted only in the version that was read", arguments: Engine.allCases)
    func edited(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let never = try await ada.offer()
            #expect(try await ben.send(.post, never + "/acceptance").status == 201)
            let path = try await ada.offer()
            _ = try await ada.send(.put, path, json: Self.terms(reward: 600))
            let blind = try await ben.send(.post, path + "/acceptance")
            #expect(blind.status == 428)
            #expect(try blind.object().object("error").text("code") == "conflict")
            let stale = try await ben.send(.post, path + "/acceptance", headers: ["If-Match": "\"1\""])
            #expect(stale.status == 409)
            #expect(try await ben.balances() == [6_000, 4_000])
            let read = try await ben.send(.post, path + "/acceptance", headers: ["If-Match": "\"2\""])
            #expect(read.status == 201, "\(read.text)")
        }
    }

    @Test("The page of an offer that was edited in the meantime says what changed")
    func changes() async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer()
            let form = try #require(
                try await ben.page(path).text.firstMatch(of: #/<form id="step-accept"[\s\S]*?<\/form>/#)
            ).output
            #expect(form.contains(#"name="read" value="Reward: €12.00""#))
            let fields = try await ada.send(.put, path, json: Self.terms(reward: 600))
            #expect(fields.status == 200)
            let late = try await ben.submit(path + "/acceptance", ["version": "1", "read": "Reward: €12.00"])
            #expect(late.status == 409)
            #expect(late.text.contains("The owner changed this offer: "))
            #expect(late.text.contains("Reward: €6.00 instead of €12.00"))
            #expect(!late.text.contains("Deposit: €40.00 instead"))
            #expect(late.text.contains(#"name="version" value="2""#))
            #expect(try await ben.balances() == [10_000, 0])
        }
    }

    @Test("Each line of an offer has its own label, so that changes are compared with what they replace")
    func labels() async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer()
            var terms = Self.terms(reward: 1200)
            terms["fromOpeningTimes"] = "Mon–Fri 9–17"
            terms["toOpeningTimes"] = "Sat 10–12"
            #expect(try await ada.send(.put, path, json: terms).status == 200)
            let lines = try await ben.page(path).text.matches(of: #/name="read" value="([^:"]+):/#).map(\.output.1)
            #expect(lines.count > 6 && Set(lines).count == lines.count)
        }
    }

    @Test("Without scripts, everything that asks in a dialog asks on a page first", arguments: Engine.allCases)
    func questions(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer()
            var asked: Set<String> = []
            /// Submits each form of the page that asks, and returns to the same state.
            func ask(_ person: CarrepsaTestClient) async throws {
                let page = try await person.page(path).text
                let before = try await person.send(.get, path).object().number("version")
                for form in page.matches(of: #/<form[^>]*action="(\/carrepsa\/packages\/[^"]*)"[^>]*>[\s\S]*?<\/form>/#)
                where form.output.0.contains("data-confirm=") {
                    let action = try #require(form.output.0.firstMatch(of: #/name="ask" value="([^"]*)"/#)).output.1
                    let url = form.output.1.replacing("&amp;", with: "&")
                    let reply = try await person.submit(
                        String(url), ["version": "\(before ?? 0)", "ask": String(action)])
                    #expect(reply.status == 303)
                    let question = try #require(reply.header("location"))
                    #expect(question.hasPrefix("\(path)/questions/\(action)?version="))
                    let answer = try await person.page(question)
                    #expect(answer.status == 200 && answer.text.contains("action=\"\(form.output.1)\""))
                    #expect(!answer.text.contains("name=\"ask\""))
                    asked.insert(String(action))
                }
                #expect(try await person.send(.get, path).object().number("version") == before)
            }
            try await ask(ada)
            try await ask(ben)
            #expect(try await ben.balances() == [10_000, 0])
            // A question about another version leads back to the package.
            #expect(try await ben.page(path + "/questions/accept?version=9").status == 303)
            _ = try await ben.submit(path + "/acceptance", ["version": "1"])
            #expect(try await ben.balances() == [6_000, 4_000])
            for person in [ada, ben] { try await ask(person) }
            _ = try await ada.send(.post, path + "/pickup")
            for person in [ada, ben] { try await ask(person) }
            _ = try await ben.send(.post, path + "/cancellation-request")
            try await ask(ada)
            _ = try await ben.send(.delete, path + "/cancellation-request")
            _ = try await ben.send(.post, path + "/dispute", json: ["reason": "?"])
            _ = try await ada.send(
                .post, path + "/split-offer", json: ["rewardToCarrier": 0, "depositToOwner": 0, "statement": "!"])
            try await ask(ben)
            let olga = try await site.person("Olga", isOperator: true)
            _ = try await olga.send(.post, path + "/decision", json: ["outcome": "refunded", "note": "Seen"])
            try await ask(ben)
            #expect(
                asked == [
                    "accept", "withdraw", "cancelAcceptance", "confirmPickup", "confirmDelivery", "reportDelivery",
                    "requestCancellation", "agreeCancellation", "acceptSplit", "acceptDecision",
                ])
        }
    }
}
