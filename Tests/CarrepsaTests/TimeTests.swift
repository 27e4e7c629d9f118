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
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let deadline = fixture.now.adding(seconds: 3_600)
            let read = try await fixture.accepted(by: ben, of: ada, deadline: deadline)
            let acted = try await fixture.accepted(by: ben, of: ada, deadline: deadline)
            fixture.clock.set(Instant(millisecondsSince1970: deadline.millisecondsSince1970 - 1))
            #expect(try await fixture.balances(ada, ben) == [90_00, 60_00])
            fixture.clock.set(deadline)
            let late = await refusal {
                _ = try await fixture.carrepsa.handovers.confirmPickup(acted, code: nil, by: Change(actor: ada))
            }
            #expect(late?.code == .conflict)
            // The scheduled job hasn't run; the read expires the package.
            let view = try await fixture.carrepsa.packages.details(of: read, for: ada)
            #expect(view.package.state == .available)
            #expect(view.package.carrier == nil)
            #expect(view.history.last?.event == .action(.expire))
            #expect(view.history.last?.role == .clock)
            #expect(try await fixture.balances(ada, ben) == [100_00, 100_00])
            let offer = try await fixture.carrepsa.packages.details(of: read, for: ben)
            #expect(offer.blocked == [.accept: .deadlinePassed])
            let refused = await refusal {
                _ = try await fixture.carrepsa.acceptances.accept(read, by: Change(actor: ben))
            }
            #expect(refused?.code == .conflict)
            try await fixture.carrepsa.packages.withdraw(read, by: Change(actor: ada))
            try await fixture.checkMoney()
        }
    }

    @Test("The scheduled job expires overdue packages and publishes their events", arguments: Engine.allCases)
    func job(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.accepted(by: ben, of: ada, deadline: fixture.now.adding(seconds: 60))
            let picked = try await fixture.accepted(by: ben, of: ada, deadline: fixture.now.adding(seconds: 60))
            _ = try await fixture.carrepsa.handovers.confirmPickup(picked, code: nil, by: Change(actor: ada))
            fixture.clock.advance(seconds: 60)
            let before = try await fixture.events().count
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.stored(id)?.state == .available)
            #expect(try await fixture.stored(picked)?.state == .travelling)
            let told = try await fixture.events().dropFirst(before)
            #expect(Set(told.map(\.audience)) == [ChangeEvent.everyone, ada.person, ben.person])
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.events().count == before + told.count)
        }
    }

    @Test("Money released by a deadline can be spent at once", arguments: Engine.allCases)
    func freedMoney(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.post(by: ada, reward: 90_00, deadline: fixture.now.adding(seconds: 60))
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
            fixture.clock.advance(seconds: 60)
            _ = try await fixture.post(by: ada, reward: 95_00)
            #expect(try await fixture.balance(ada) == 5_00)
            try await fixture.checkMoney()
        }
    }

    @Test("A reported delivery goes to the administrators after 72 hours", arguments: Engine.allCases)
    func escalation(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let olga = try await fixture.person("Olga", phone: nil, isOperator: true)
            let id = try await fixture.travelling(by: ben, of: ada)
            _ = try await fixture.carrepsa.handovers.reportDelivery(id, by: Change(actor: ben))
            let again = await refusal {
                _ = try await fixture.carrepsa.handovers.reportDelivery(id, by: Change(actor: ben))
            }
            #expect(again?.code == .conflict)
            fixture.clock.advance(seconds: Limits.deliveryReportSeconds - 1)
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.carrepsa.disputes.list(for: olga, after: nil, limit: 50).items.isEmpty)
            fixture.clock.advance(seconds: 1)
            let before = try await fixture.events().count
            try await fixture.carrepsa.housekeeping.run()
            let disputes = try await fixture.carrepsa.disputes.list(for: olga, after: nil, limit: 50).items
            #expect(disputes.map(\.package.id) == [id])
            #expect(disputes.first?.package.disputedBy == .clock)
            let told = try await fixture.events().dropFirst(before).map(\.audience)
            #expect(Set(told) == [ada.person, ben.person, olga.person])
            let view = try await fixture.carrepsa.packages.details(of: id, for: olga)
            #expect(view.role == .operator)
            #expect(view.dispute?.awaited == .owner, "the carrier has reported the delivery")
            #expect(view.actions == [])
            fixture.clock.advance(seconds: Limits.disputeAnswerSeconds)
            #expect(
                try await fixture.carrepsa.packages.details(of: id, for: olga).actions
                    == [.decideDelivered, .decideRefunded, .decideLost, .decideSplit])
            // The administrator can contact owner and carrier.
            #expect(try await fixture.carrepsa.contacts.person(ben.person, for: olga).phone != nil)
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
            Decision(
                outcome: .split, state: .cancelled, balances: [99_00, 101_00], ownerKind: .settled,
                carrierKind: .settled
            ),
        ]
    }

    @Test("Only an administrator who isn't a party can decide a dispute", arguments: Engine.allCases, Decision.all)
    func decision(engine: Engine, decision: Decision) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben", isOperator: true)
            let olga = try await fixture.person("Olga", isOperator: true)
            let id = try await fixture.travelling(by: ben, of: ada)
            func decide(_ actor: Actor) async -> AppError? {
                await refusal {
                    _ = try await fixture.carrepsa.disputes.decide(
                        id, outcome: decision.outcome, split: MoneySplit(rewardToCarrier: 3_00, depositToOwner: 2_00),
                        note: "Seen the receipt", by: Change(actor: actor)
                    )
                }
            }
            let early = await decide(olga)
            #expect(early?.code == .conflict)
            let empty = await refusal {
                _ = try await fixture.carrepsa.disputes.open(id, reason: " ", by: Change(actor: ada))
            }
            #expect(empty?.fields["reason"] != nil)
            _ = try await fixture.carrepsa.disputes.open(id, reason: "It never came", by: Change(actor: ada))
            for actor in [ada, ben] {
                let error = await decide(actor)
                #expect(error?.code == .forbidden)
            }
            let list = await refusal { _ = try await fixture.carrepsa.disputes.list(for: ada, after: nil, limit: 5) }
            #expect(list?.code == .forbidden)
            let unheard = await decide(olga)
            #expect(unheard?.message == CarrepsaMessage.notHeard.text)
            _ = try await fixture.carrepsa.disputes.addStatement(id, text: "It is there", by: Change(actor: ben))
            let done = await decide(olga)
            #expect(done == nil)
            #expect(try await fixture.state(id) == .travelling, "the decision takes effect later")
            fixture.clock.advance(seconds: Limits.appealSeconds - 1)
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.state(id) == .travelling)
            fixture.clock.advance(seconds: 1)
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.state(id) == decision.state)
            #expect(try await fixture.balances(ada, ben) == decision.balances)
            let owner = try await fixture.carrepsa.wallets.entries(of: ada, after: nil, limit: 1).items
            let carrier = try await fixture.carrepsa.wallets.entries(of: ben, after: nil, limit: 1).items
            #expect(owner.first?.kind == decision.ownerKind)
            #expect(carrier.first?.kind == decision.carrierKind)
            let history = try await fixture.carrepsa.packages.details(of: id, for: ada).history
            #expect(history.suffix(4).map(\.note) == ["It never came", "It is there", "Seen the receipt", nil])
            let again = await decide(olga)
            #expect(again?.code == .conflict)
            try await fixture.checkMoney()
        }
    }

    @Test("A delivery is cancelled if owner or carrier requests it and the other agrees", arguments: Engine.allCases)
    func mutualCancellation(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.travelling(by: ben, of: ada)
            let alone = await refusal { _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ada)) }
            #expect(alone?.code == .conflict)
            let asked = try await fixture.carrepsa.cancellations.request(id, by: Change(actor: ada))
            #expect(asked.package.cancellationRequestedBy == .owner)
            let again = await refusal {
                _ = try await fixture.carrepsa.cancellations.request(id, by: Change(actor: ada))
            }
            #expect(again?.code == .conflict)
            _ = try await fixture.carrepsa.cancellations.retract(id, by: Change(actor: ada))
            _ = try await fixture.carrepsa.cancellations.request(id, by: Change(actor: ben))
            let agreed = try await fixture.carrepsa.cancellations.request(id, by: Change(actor: ada))
            #expect(agreed.package.state == .cancelled)
            #expect(try await fixture.balances(ada, ben) == [100_00, 100_00])
            #expect(try await fixture.ids(.owned, ada, past: true) == [id])
            #expect(try await fixture.ids(.carried, ben, past: true) == [id])
            try await fixture.checkMoney()
        }
    }
}
