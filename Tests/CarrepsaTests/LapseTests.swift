import Accounts
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Expired offers and damaged ledger accounts")
struct LapseTests {
    @Test("At its deadline an offer's reward returns, and the offer leaves the list", arguments: Engine.allCases)
    func lapse(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let deadline = fixture.now.adding(seconds: 60)
            let id = try await fixture.post(by: ada, deadline: deadline)
            #expect(try await fixture.ids(.offers, ben) == [id])
            #expect(try await fixture.balance(ada) == 95_00)
            fixture.clock.set(deadline)
            let before = try await fixture.events().count
            try await fixture.carrepsa.housekeeping.run()
            let told = try await fixture.events().dropFirst(before)
            #expect(Set(told.map(\.audience)) == [ChangeEvent.everyone, ada.person])
            #expect(try await fixture.balances(ada, ben) == [100_00, 100_00])
            #expect(try await fixture.ids(.offers, ben).isEmpty)
            #expect(try await fixture.ids(.owned, ada, past: false) == [id])
            let view = try await fixture.carrepsa.packages.details(of: id, for: ada)
            #expect(view.package.state == .available)
            #expect(view.package.isLapsed(fixture.now))
            #expect(view.history.last?.event == .action(.expire))
            let late = await refusal { _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben)) }
            #expect(late?.message == CarrepsaMessage.deadlinePassed.text)
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.events().count == before + told.count)
            try await fixture.carrepsa.packages.withdraw(id, by: Change(actor: ada))
            #expect(try await fixture.balance(ada) == 100_00)
            try await fixture.checkMoney()
        }
    }

    @Test("A reward can be spent from its deadline on, before the scheduled job runs", arguments: Engine.allCases)
    func freed(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let deadline = fixture.now.adding(seconds: 60)
            let first = try await fixture.post(by: ada, reward: 90_00, deadline: deadline)
            fixture.clock.set(deadline)
            _ = try await fixture.post(by: ada, reward: 95_00)
            #expect(try await fixture.balance(ada) == 5_00)
            try await fixture.carrepsa.packages.withdraw(first, by: Change(actor: ada))
            #expect(try await fixture.balance(ada) == 5_00)
            try await fixture.checkMoney()
        }
    }

    private func damage(_ actor: Actor, _ fixture: CarrepsaFixture) async throws {
        let wallet = CarrepsaLedgerAccounts.wallet(actor.person)
        try await fixture.database.write { tx in
            try tx.execute("UPDATE ledger_account SET balance = balance + 1 WHERE id = \(wallet)")
        }
    }

    @Test(
        "A damaged account neither blocks other refunds nor changes other errors", arguments: Engine.allCases
    )
    func damaged(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(4)
            let (ada, ben, cleo, dora) = (people[0], people[1], people[2], people[3])
            let deadline = fixture.now.adding(seconds: 60)
            // The damaged one has been overdue the longest, so it comes first.
            let bad = try await fixture.accepted(by: ben, of: ada, deadline: deadline)
            let good = try await fixture.accepted(by: dora, of: cleo, deadline: deadline.adding(seconds: 1))
            let reported = try await fixture.travelling(by: dora, of: cleo)
            _ = try await fixture.carrepsa.handovers.reportDelivery(reported, by: Change(actor: dora))
            _ = try await fixture.carrepsa.handovers.confirmPickup(
                try await fixture.accepted(by: dora, of: cleo), code: nil, by: Change(actor: cleo))
            _ = try await fixture.carrepsa.handovers.createCode(reported, step: .delivery, by: cleo)
            try await damage(ada, fixture)
            fixture.clock.advance(seconds: Limits.deliveryReportSeconds + 60 * 60)

            // Reads expire overdue packages, as actions do.
            #expect(try await fixture.carrepsa.packages.details(of: good, for: cleo).package.state == .available)
            #expect(try await fixture.carrepsa.packages.details(of: bad, for: ben).package.state == .accepted)
            for _ in 0..<2 {
                let refused = await refusal { _ = try await fixture.post(by: ben, reward: 1_000_00) }
                #expect(refused?.code == .insufficientFunds)
                let short = try await fixture.post(by: dora, reward: 1, moneyLock: 1_000_00)
                let lock = await refusal {
                    _ = try await fixture.carrepsa.acceptances.accept(short, by: Change(actor: ben))
                }
                #expect(lock?.code == .insufficientFunds)
                try await fixture.carrepsa.housekeeping.run()
            }
            #expect(try await fixture.stored(reported)?.disputedAt != nil, "the operators are asked all the same")
            #expect(try await fixture.count("carrepsa_handover_code") == 0, "old codes go all the same")
            #expect(try await fixture.stored(bad)?.state == .accepted)
        }
    }

    @Test("A whole batch of failing packages doesn't block the next one")
    func fullBatch() async throws {
        try await withFixture(.sqlite) { fixture in
            let people = try await fixture.people(2)
            let (ada, ben) = (people[0], people[1])
            let deadline = fixture.now.adding(seconds: 60)
            let good = try await fixture.accepted(by: ben, of: ada, deadline: deadline.adding(seconds: 1))
            let ids = (0..<Limits.housekeepingBatch).map { _ in ID<Package>(at: fixture.now, random: fixture.random) }
            try await fixture.database.write { tx in
                // These packages have no escrow account, so their refunds fail.
                for id in ids {
                    try tx.execute(
                        """
                        INSERT INTO carrepsa_package (id, owner_id, carrier_id, title, origin, origin_folded, destination,
                            destination_folded, weight_grams, reward, money_lock, deadline_at, state, reward_held,
                            created_at, accepted_at, version)
                        VALUES (\(id), \(ada.person), \(ben.person), 'X', 'A', 'a', 'B', 'b', 1, 1, 1, \(deadline),
                            'accepted', 1, \(deadline), \(deadline), 1)
                        """
                    )
                }
            }
            fixture.clock.advance(seconds: 120)
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.stored(good)?.state == .available)
            #expect(try await fixture.balances(ada, ben) == [100_00, 100_00])
        }
    }

    @Test("The audit finds a package whose escrow balance doesn't match its state", arguments: Engine.allCases)
    func misplaced(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.post(by: ada, reward: 3_00)
            _ = try await fixture.travelling(by: ben, of: ada)
            #expect(try await fixture.carrepsa.escrowAudit.mismatches().isEmpty)
            try await fixture.database.write { tx in
                try tx.execute("UPDATE carrepsa_package SET reward_held = 0 WHERE id = \(id)")
            }
            #expect(try await fixture.verify().isSound, "the ledger itself is as it was written")
            let found = try await fixture.carrepsa.escrowAudit.mismatches()
            #expect(found == [EscrowMismatch(package: id, held: 3_00, expected: 0)])
        }
    }

    @Test("Strangers see only the owner's name in the history; the parties see both", arguments: Engine.allCases)
    func namesInTheHistory(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let cleo = try await fixture.person("Cleo")
            let id = try await fixture.accepted(by: ben, of: ada)
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ben))
            let seen = try await fixture.carrepsa.packages.details(of: id, for: cleo).history
            #expect(seen.map(\.event) == [.action(.create), .action(.accept), .action(.cancelAcceptance)])
            #expect(seen.map(\.byName) == ["Ada", nil, nil])
            #expect(seen.map(\.by) == [ada.person, nil, nil])
            let own = try await fixture.carrepsa.packages.details(of: id, for: ben).history
            #expect(own.map(\.byName) == ["Ada", "Ben", "Ben"])
            let owners = try await fixture.carrepsa.packages.details(of: id, for: ada).history
            #expect(owners.map(\.byName) == ["Ada", "Ben", "Ben"])
        }
    }

    @Test("Wallet entries show the outcome of amounts in escrow", arguments: Engine.allCases, DisputeOutcome.allCases)
    func fates(engine: Engine, outcome: DisputeOutcome) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let olga = try await fixture.person("Olga", isOperator: true)
            let id = try await fixture.accepted(by: ben, of: ada)
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ada))
            fixture.clock.advance(seconds: 1)
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
            func fates(_ actor: Actor, _ kind: WalletEntryKind) async throws -> [EscrowOutcome?] {
                try await fixture.carrepsa.wallets.entries(of: actor, after: nil, limit: 50).items
                    .filter { $0.kind == kind }.map(\.outcome)
            }
            #expect(try await fates(ben, .moneyLockHeld) == [nil, .returned])
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: ada))
            _ = try await fixture.carrepsa.disputes.open(id, reason: "?", by: Change(actor: ada))
            let split = MoneySplit(rewardToCarrier: 0, depositToOwner: 1_00)
            try await fixture.settle(id, outcome, split: split, by: olga, between: ada, and: ben)
            let lock: EscrowOutcome = outcome == .lost ? .forfeited : outcome == .split ? .divided : .returned
            #expect(try await fates(ben, .moneyLockHeld) == [lock, .returned])
            let reward: EscrowOutcome = outcome == .delivered ? .paid : outcome == .split ? .divided : .returned
            #expect(try await fates(ada, .rewardHeld) == [reward, .returned])
        }
    }

    @Test(
        "A form with an outdated version is rejected even if the action is still possible",
        arguments: Engine.allCases)
    func staleVersion(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.travelling(by: ben, of: ada)
            let version = try await fixture.carrepsa.packages.details(of: id, for: ada).package.version
            _ = try await fixture.carrepsa.cancellations.request(id, by: Change(actor: ben))
            // Requesting and agreeing use the same endpoint.
            let stale = await refusal {
                _ = try await fixture.carrepsa.cancellations.request(id, by: Change(actor: ada, ifVersion: version))
            }
            #expect(stale?.message == CarrepsaMessage.stateMovedOn.text)
            #expect(try await fixture.state(id) == .travelling)
            let fresh = Change(actor: ada, ifVersion: version + 1)
            #expect(try await fixture.carrepsa.cancellations.request(id, by: fresh).package.state == .cancelled)
            // An impossible action gets its own error, whatever the version.
            let offer = try await fixture.post(by: ada)
            _ = try await fixture.carrepsa.acceptances.accept(offer, by: Change(actor: ben))
            let cleo = try await fixture.person("Cleo")
            let late = await refusal {
                _ = try await fixture.carrepsa.acceptances.accept(offer, by: Change(actor: cleo, ifVersion: 1))
            }
            #expect(late?.message == CarrepsaMessage.notAvailable.text)
        }
    }
}
