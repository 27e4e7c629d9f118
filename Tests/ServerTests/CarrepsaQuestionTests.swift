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

    /// A form that asks first, and what another person does before it is confirmed.
    struct Overtaken: Sendable, CustomTestStringConvertible {
        enum Role: Sendable { case owner, carrier, other }
        enum Stage: Sendable { case available, accepted, travelling, ownerAsked, carrierAsked }

        let reader: Role
        let stage: Stage
        let action: String
        let doer: Role
        let method: HTTPRequest.Method
        let step: String

        init(
            _ reader: Role, _ stage: Stage, _ action: String, by doer: Role, _ method: HTTPRequest.Method,
            _ step: String
        ) {
            (self.reader, self.stage, self.action) = (reader, stage, action)
            (self.doer, self.method, self.step) = (doer, method, step)
        }

        var testDescription: String { "\(reader), \(stage), \(action): \(method) \(step) by \(doer)" }

        static let all = [
            Overtaken(.owner, .available, "withdraw", by: .other, .post, "/acceptance"),
            Overtaken(.owner, .accepted, "confirmPickup", by: .carrier, .post, "/pickup"),
            Overtaken(.owner, .accepted, "confirmPickup", by: .carrier, .delete, "/acceptance"),
            Overtaken(.owner, .accepted, "cancelAcceptance", by: .carrier, .post, "/pickup"),
            Overtaken(.owner, .accepted, "cancelAcceptance", by: .carrier, .delete, "/acceptance"),
            Overtaken(.owner, .travelling, "confirmDelivery", by: .carrier, .post, "/delivery"),
            Overtaken(.owner, .travelling, "confirmDelivery", by: .carrier, .post, "/delivery-report"),
            Overtaken(.owner, .travelling, "confirmDelivery", by: .carrier, .post, "/cancellation-request"),
            Overtaken(.owner, .travelling, "confirmDelivery", by: .carrier, .post, "/dispute"),
            Overtaken(.owner, .travelling, "requestCancellation", by: .carrier, .post, "/cancellation-request"),
            Overtaken(.owner, .travelling, "requestCancellation", by: .carrier, .post, "/delivery"),
            Overtaken(.owner, .carrierAsked, "agreeCancellation", by: .carrier, .delete, "/cancellation-request"),
            Overtaken(.owner, .carrierAsked, "agreeCancellation", by: .carrier, .post, "/delivery"),
            Overtaken(.carrier, .available, "accept", by: .other, .post, "/acceptance"),
            Overtaken(.carrier, .available, "accept", by: .owner, .delete, ""),
            Overtaken(.carrier, .accepted, "cancelAcceptance", by: .owner, .post, "/pickup"),
            Overtaken(.carrier, .accepted, "cancelAcceptance", by: .owner, .delete, "/acceptance"),
            Overtaken(.carrier, .travelling, "reportDelivery", by: .owner, .post, "/delivery"),
            Overtaken(.carrier, .travelling, "reportDelivery", by: .owner, .post, "/cancellation-request"),
            Overtaken(.carrier, .travelling, "requestCancellation", by: .owner, .post, "/cancellation-request"),
            Overtaken(.carrier, .travelling, "requestCancellation", by: .owner, .post, "/dispute"),
            Overtaken(.carrier, .ownerAsked, "agreeCancellation", by: .owner, .delete, "/cancellation-request"),
            Overtaken(.carrier, .ownerAsked, "agreeCancellation", by: .owner, .post, "/delivery"),
        ]
    }

    /// The path of a package of Ada's in a stage, which Ben carries from the acceptance on.
    private static func package(
        _ stage: Overtaken.Stage, of ada: CarrepsaTestClient, carriedBy ben: CarrepsaTestClient
    ) async throws -> String {
        let path = try await ada.offer()
        guard stage != .available else { return path }
        #expect(try await ben.send(.post, path + "/acceptance").status == 201)
        guard stage != .accepted else { return path }
        #expect(try await ada.send(.post, path + "/pickup").status == 201)
        guard stage != .travelling else { return path }
        let asking = stage == .ownerAsked ? ada : ben
        #expect(try await asking.send(.post, path + "/cancellation-request").status == 201)
        return path
    }

    /// The address and the version of the form with an action's button; `nil` if the page has none.
    private static func form(_ action: String, on page: String) -> (url: String, version: String)? {
        guard let start = page.range(of: "<form id=\"step-\(action)\"")?.lowerBound else { return nil }
        let rest = page[start...]
        guard let url = rest.firstMatch(of: #/action="([^"]*)"/#)?.output.1,
            let version = rest.firstMatch(of: #/name="version" value="(\d+)"/#)?.output.1
        else { return nil }
        return (String(url), String(version))
    }

    @Test(
        "A form that another person's step overtook is gone with the live update, and sending it changes nothing",
        arguments: Overtaken.all)
    func overtaken(form: Overtaken) async throws {
        try await withCarrepsa { site in
            let (ada, ben, cleo) = (
                try await site.person("Ada"), try await site.person("Ben"), try await site.person("Cleo")
            )
            func person(_ role: Overtaken.Role) -> CarrepsaTestClient {
                switch role {
                case .owner: ada
                case .carrier: ben
                case .other: cleo
                }
            }
            let path = try await Self.package(form.stage, of: ada, carriedBy: ben)
            func facts() async throws -> [String] {
                var facts: [String] = []
                for reader in [ada, ben, cleo] {
                    let reply = try await reader.send(.get, path)
                    let package = try reply.object()
                    let balances = try await reader.balances()
                    let version = package.number("version") ?? 0
                    facts.append("\(reply.status) \(package.text("state") ?? "") \(version) \(balances)")
                }
                return facts
            }
            let reader = person(form.reader)
            let page = try await reader.page(path).text
            let shown = Self.form(form.action, on: page)
            let read = try #require(shown)

            var body: [String: any Sendable] = [:]
            if form.step == "/dispute" { body["reason"] = "Where is it?" }
            if form.doer == .carrier, form.step == "/pickup" || form.step == "/delivery" {
                let step = String(form.step.dropFirst())
                let made = try await ada.send(.post, path + "/handover-codes", json: ["step": step])
                let code: String = try #require(try made.object().text("code"))
                body["code"] = code
            }
            let done = try await person(form.doer).send(
                form.method, path + form.step, json: form.method == .post ? body : nil)
            #expect((200...204).contains(done.status), "\(done.text)")

            let before = try await facts()
            let update = try await reader.fragment(path)
            #expect(Self.form(form.action, on: update.text)?.version != read.version)
            let stale = try await reader.submit(read.url, ["version": read.version])
            #expect([303, 409].contains(stale.status))
            #expect(try await facts() == before)
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
