import Accounts
import Kernel
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Decided disputes")
struct DecidedCaseTests {
    /// A dispute that Olga decided, with its people; another administrator is Omar.
    private struct Case {
        let fixture: CarrepsaFixture
        let id: ID<Package>
        let owner: Actor
        let carrier: Actor
        let olga: Actor
        let omar: Actor

        init(_ fixture: CarrepsaFixture) async throws {
            self.fixture = fixture
            owner = try await fixture.person("Ada")
            carrier = try await fixture.person("Ben")
            olga = try await fixture.person("Olga", isOperator: true)
            omar = try await fixture.person("Omar", isOperator: true)
            id = try await fixture.travelling(by: carrier, of: owner)
            _ = try await fixture.carrepsa.messages.send(
                PackageMessageInput(text: "Hello", pictureID: nil, place: nil), about: id, by: Change(actor: owner))
            _ = try await fixture.carrepsa.disputes.open(
                id, kind: .damaged, reason: "It is broken", by: Change(actor: owner))
            try await fixture.decide(id, .refunded, by: olga, between: owner, and: carrier)
        }

        func acceptByBoth() async throws {
            for party in [owner, carrier] {
                _ = try await fixture.carrepsa.disputes.acceptDecision(id, by: Change(actor: party))
            }
        }

        /// What an administrator could try after the end.
        var writes: [@Sendable () async throws -> Void] {
            let (disputes, id, change) = (fixture.carrepsa.disputes, id, Change(actor: omar))
            return [
                { _ = try await disputes.decide(id, outcome: .lost, note: "Lost", by: change) },
                { _ = try await disputes.addStatement(id, text: "I saw it", by: change) },
                { _ = try await disputes.appeal(id, reason: "It is wrong", by: change) },
                { _ = try await disputes.acceptDecision(id, by: change) },
            ]
        }

        func listed(isDecided: Bool) async throws -> [ID<Package>] {
            try await fixture.carrepsa.disputes.list(isDecided: isDecided, for: omar, after: nil, limit: 10).items
                .map(\.package.id)
        }

        func opened(by actor: Actor) async throws -> PackageDetails {
            try await fixture.carrepsa.packages.details(of: id, for: actor)
        }
    }

    @Test(
        "An administrator opens a decided case read-only until 14 days after its end, the messages only before the end",
        arguments: Engine.allCases)
    func opened(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let decided = try await Case(fixture)
            #expect(try await decided.listed(isDecided: false) == [])
            let pending = try await fixture.carrepsa.disputes.list(
                isDecided: true, for: decided.omar, after: nil, limit: 10)
            #expect(pending.items.map(\.decision?.outcome) == [.refunded])
            #expect(pending.items.map(\.reason) == ["Seen the receipt"])
            #expect(
                try await fixture.carrepsa.messages.conversation(about: decided.id, for: decided.omar)
                    .messages.items.count == 1)
            try await decided.acceptByBoth()
            for administrator in [decided.olga, decided.omar] {
                let details = try await decided.opened(by: administrator)
                #expect(details.role == .operator)
                #expect(details.actions == [])
                #expect(details.history.contains { $0.note == "Seen the receipt" })
                let messages = await refusal {
                    _ = try await fixture.carrepsa.messages.conversation(
                        about: decided.id, for: administrator)
                }
                #expect(messages?.code == .notFound)
            }
            let before = try await fixture.balances(decided.owner)
            for write: @Sendable () async throws -> Void in decided.writes {
                #expect(await refusal(write) != nil)
            }
            #expect(try await fixture.balances(decided.owner) == before)
            #expect(try await decided.listed(isDecided: true) == [decided.id])
            fixture.clock.advance(seconds: Limits.decidedCaseSeconds - 1)
            #expect(try await decided.opened(by: decided.omar).role == .operator)
            fixture.clock.advance(seconds: 1)
            let late = await refusal { _ = try await decided.opened(by: decided.omar) }
            #expect(late?.code == .notFound)
            #expect(try await decided.listed(isDecided: true) == [])
        }
    }

    @Test("A decision against which a party appealed is in the list of open disputes", arguments: Engine.allCases)
    func appealed(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let decided = try await Case(fixture)
            _ = try await fixture.carrepsa.disputes.appeal(
                decided.id, reason: "It is unfair", by: Change(actor: decided.carrier))
            #expect(try await decided.listed(isDecided: false) == [decided.id])
            #expect(try await decided.listed(isDecided: true) == [])
        }
    }

    @Test("A dispute that ended without a decision is no decided case", arguments: Engine.allCases)
    func settledWithoutDecision(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let decided = try await Case(fixture)
            let other = try await fixture.travelling(by: decided.carrier, of: decided.owner)
            _ = try await fixture.carrepsa.disputes.open(
                other, kind: .late, reason: "It is late", by: Change(actor: decided.owner))
            _ = try await fixture.carrepsa.handovers.confirmDelivery(other, code: nil, by: Change(actor: decided.owner))
            #expect(try await decided.listed(isDecided: true) == [decided.id])
            let error = await refusal {
                _ = try await fixture.carrepsa.packages.details(of: other, for: decided.omar)
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test(
        "A dispute that ended otherwise after its decision is no decided case", arguments: Engine.allCases,
        [OtherEnd.confirmation, .division, .divisionAfterAppeal])
    func endedOtherwise(engine: Engine, end: OtherEnd) async throws {
        try await withFixture(engine) { fixture in
            let decided = try await Case(fixture)
            let disputes = fixture.carrepsa.disputes
            if end == .divisionAfterAppeal {
                _ = try await disputes.appeal(decided.id, reason: "It is unfair", by: Change(actor: decided.carrier))
            }
            if end == .confirmation {
                _ = try await fixture.carrepsa.handovers.confirmDelivery(
                    decided.id, code: nil, by: Change(actor: decided.owner))
            } else {
                _ = try await disputes.offerSplit(
                    decided.id, MoneySplit(rewardToCarrier: 1, depositToOwner: 0), statement: nil,
                    by: Change(actor: decided.owner))
                let version = try await decided.opened(by: decided.carrier).package.version
                _ = try await disputes.acceptSplit(
                    decided.id, by: Change(actor: decided.carrier, ifVersion: version))
            }
            #expect(try await decided.opened(by: decided.owner).package.finishedAt != nil)
            #expect(try await decided.listed(isDecided: true) == [])
            let error = await refusal { _ = try await decided.opened(by: decided.omar) }
            #expect(error?.code == .notFound)
        }
    }

    /// How a dispute with a decision ends without it.
    enum OtherEnd { case confirmation, division, divisionAfterAppeal }

    @Test("Only administrators list cases; strangers can't open one", arguments: Engine.allCases)
    func forbidden(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let decided = try await Case(fixture)
            try await decided.acceptByBoth()
            let cleo = try await fixture.person("Cleo")
            for isDecided in [false, true] {
                let error = await refusal {
                    _ = try await fixture.carrepsa.disputes.list(
                        isDecided: isDecided, for: cleo, after: nil, limit: 10)
                }
                #expect(error?.code == .forbidden)
            }
            let error = await refusal { _ = try await decided.opened(by: cleo) }
            #expect(error?.code == .notFound)
        }
    }

    @Test("Pages of decided cases follow the time of the decision", arguments: Engine.allCases)
    func pages(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let decided = try await Case(fixture)
            fixture.clock.advance(seconds: 60)
            let later = try await fixture.travelling(by: decided.carrier, of: decided.owner)
            _ = try await fixture.carrepsa.disputes.open(
                later, kind: .late, reason: "It is late", by: Change(actor: decided.owner))
            try await fixture.decide(later, .lost, by: decided.omar, between: decided.owner, and: decided.carrier)
            let first = try await fixture.carrepsa.disputes.list(
                isDecided: true, for: decided.omar, after: nil, limit: 1)
            #expect(first.items.map(\.package.id) == [later])
            let second = try await fixture.carrepsa.disputes.list(
                isDecided: true, for: decided.omar, after: first.next, limit: 1)
            #expect(second.items.map(\.package.id) == [decided.id])
            #expect(second.next == nil)
        }
    }
}
