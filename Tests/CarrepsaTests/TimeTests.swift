import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Deadlines and disputes")
struct TimeTests {
    @Test("A deadline takes effect at its exact time, for reads and for actions", arguments: Engine.allCases)
    func deadline(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person("Ada")
            let ben = try await house.person("Ben")
            let deadline = house.now.adding(seconds: 3_600)
            let read = try await house.accepted(by: ben, of: ada, deadline: deadline)
            let acted = try await house.accepted(by: ben, of: ada, deadline: deadline)
            house.clock.set(Instant(millisecondsSince1970: deadline.millisecondsSince1970 - 1))
            #expect(try await house.balances(ada, ben) == [90_00, 60_00])
            house.clock.set(deadline)
            let late = await refusal {
                _ = try await house.service.confirmPickup(acted, code: nil, by: Change(actor: ada))
            }
            #expect(late?.code == .conflict)
            // The scheduled job hasn't run; the read expires the package.
            let view = try await house.service.package(read, for: ada)
            #expect(view.package.state == .available)
            #expect(view.package.carrier == nil)
            #expect(view.story.last?.event == .action(.expire))
            #expect(view.story.last?.role == .clock)
            #expect(try await house.balances(ada, ben) == [100_00, 100_00])
            let offer = try await house.service.package(read, for: ben)
            #expect(offer.blocked == [.accept: .deadlinePassed])
            let refused = await refusal { _ = try await house.service.accept(read, by: Change(actor: ben)) }
            #expect(refused?.code == .conflict)
            try await house.service.withdraw(read, by: Change(actor: ada))
            try await house.checkMoney()
        }
    }

    @Test("The scheduled job expires overdue packages and publishes their events", arguments: Engine.allCases)
    func job(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person("Ada")
            let ben = try await house.person("Ben")
            let id = try await house.accepted(by: ben, of: ada, deadline: house.now.adding(seconds: 60))
            let picked = try await house.accepted(by: ben, of: ada, deadline: house.now.adding(seconds: 60))
            _ = try await house.service.confirmPickup(picked, code: nil, by: Change(actor: ada))
            house.clock.advance(seconds: 60)
            let before = try await house.events().count
            try await house.service.housekeeping()
            #expect(try await house.stored(id)?.state == .available)
            #expect(try await house.stored(picked)?.state == .travelling)
            let told = try await house.events().dropFirst(before)
            #expect(Set(told.map(\.audience)) == [ChangeEvent.everyone, ada.person, ben.person])
            try await house.service.housekeeping()
            #expect(try await house.events().count == before + told.count)
        }
    }

    @Test("Money released by a deadline can be spent at once", arguments: Engine.allCases)
    func freedMoney(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person("Ada")
            let ben = try await house.person("Ben")
            let id = try await house.post(by: ada, reward: 90_00, deadline: house.now.adding(seconds: 60))
            _ = try await house.service.accept(id, by: Change(actor: ben))
            house.clock.advance(seconds: 60)
            _ = try await house.post(by: ada, reward: 95_00)
            #expect(try await house.balance(ada) == 5_00)
            try await house.checkMoney()
        }
    }

    @Test("A reported delivery goes to the administrators after 72 hours", arguments: Engine.allCases)
    func escalation(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person("Ada")
            let ben = try await house.person("Ben")
            let olga = try await house.person("Olga", phone: nil, isOperator: true)
            let id = try await house.travelling(by: ben, of: ada)
            _ = try await house.service.reportDelivery(id, by: Change(actor: ben))
            let again = await refusal { _ = try await house.service.reportDelivery(id, by: Change(actor: ben)) }
            #expect(again?.code == .conflict)
            house.clock.advance(seconds: 72 * 60 * 60 - 1)
            try await house.service.housekeeping()
            #expect(try await house.service.disputes(for: olga, after: nil, limit: 50).items.isEmpty)
            house.clock.advance(seconds: 1)
            let before = try await house.events().count
            try await house.service.housekeeping()
            let disputes = try await house.service.disputes(for: olga, after: nil, limit: 50).items
            #expect(disputes.map(\.id) == [id])
            #expect(disputes.first?.disputedBy == .clock)
            let told = try await house.events().dropFirst(before).map(\.audience)
            #expect(Set(told) == [ada.person, ben.person, olga.person])
            let view = try await house.service.package(id, for: olga)
            #expect(view.role == .operator)
            #expect(view.actions == [.decideDelivered, .decideRefunded, .decideLost])
            // The administrator can contact both parties.
            #expect(try await house.service.person(ben.person, for: olga).phone != nil)
        }
    }

    struct Decision: Sendable, CustomTestStringConvertible {
        let outcome: DisputeOutcome
        let state: PackageState
        let balances: [Int64]
        let ownerKind: WalletEntryKind
        let carrierKind: WalletEntryKind
        var testDescription: String { outcome.rawValue }

        static let all = [
            Decision(
                outcome: .delivered, state: .delivered, balances: [95_00, 105_00], ownerKind: .rewardHeld,
                carrierKind: .earned
            ),
            Decision(
                outcome: .refunded, state: .cancelled, balances: [100_00, 100_00], ownerKind: .rewardReturned,
                carrierKind: .moneyLockReturned
            ),
            Decision(
                outcome: .lost, state: .cancelled, balances: [120_00, 80_00], ownerKind: .compensated,
                carrierKind: .moneyLockHeld
            ),
        ]
    }

    @Test("Only an administrator who isn't a party can decide a dispute", arguments: Engine.allCases, Decision.all)
    func decision(engine: Engine, decision: Decision) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person("Ada")
            let ben = try await house.person("Ben", isOperator: true)
            let olga = try await house.person("Olga", isOperator: true)
            let id = try await house.travelling(by: ben, of: ada)
            func decide(_ actor: Actor) async -> AppError? {
                await refusal {
                    _ = try await house.service.decide(
                        id, outcome: decision.outcome, note: "Seen the receipt", by: Change(actor: actor)
                    )
                }
            }
            let early = await decide(olga)
            #expect(early?.code == .conflict)
            let empty = await refusal { _ = try await house.service.dispute(id, reason: " ", by: Change(actor: ada)) }
            #expect(empty?.fields["reason"] != nil)
            _ = try await house.service.dispute(id, reason: "It never came", by: Change(actor: ada))
            for actor in [ada, ben] {
                let error = await decide(actor)
                #expect(error?.code == .forbidden)
            }
            let list = await refusal { _ = try await house.service.disputes(for: ada, after: nil, limit: 5) }
            #expect(list?.code == .forbidden)
            let done = await decide(olga)
            #expect(done == nil)
            #expect(try await house.state(id) == decision.state)
            #expect(try await house.balances(ada, ben) == decision.balances)
            let owner = try await house.service.entries(for: ada, after: nil, limit: 1).items
            let carrier = try await house.service.entries(for: ben, after: nil, limit: 1).items
            #expect(owner.first?.kind == decision.ownerKind)
            #expect(carrier.first?.kind == decision.carrierKind)
            let story = try await house.service.package(id, for: ada).story
            #expect(story.last?.note == "Seen the receipt")
            #expect(story.dropLast().last?.note == "It never came")
            let again = await decide(olga)
            #expect(again?.code == .conflict)
            try await house.checkMoney()
        }
    }

    @Test("Cancelling a delivery needs a request and the other party's agreement", arguments: Engine.allCases)
    func mutualCancellation(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person("Ada")
            let ben = try await house.person("Ben")
            let id = try await house.travelling(by: ben, of: ada)
            let alone = await refusal { _ = try await house.service.cancelAcceptance(id, by: Change(actor: ada)) }
            #expect(alone?.code == .conflict)
            let asked = try await house.service.requestCancellation(id, by: Change(actor: ada))
            #expect(asked.package.cancellationRequestedBy == .owner)
            let again = await refusal { _ = try await house.service.requestCancellation(id, by: Change(actor: ada)) }
            #expect(again?.code == .conflict)
            _ = try await house.service.retractCancellation(id, by: Change(actor: ada))
            _ = try await house.service.requestCancellation(id, by: Change(actor: ben))
            let agreed = try await house.service.requestCancellation(id, by: Change(actor: ada))
            #expect(agreed.package.state == .cancelled)
            #expect(try await house.balances(ada, ben) == [100_00, 100_00])
            #expect(try await house.ids(.owned, ada, past: true) == [id])
            #expect(try await house.ids(.carried, ben, past: true) == [id])
            try await house.checkMoney()
        }
    }
}
