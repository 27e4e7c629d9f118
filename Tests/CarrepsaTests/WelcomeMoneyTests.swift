import Accounts
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Welcome money")
struct WelcomeMoneyTests {
    private static let mailboxes: [(typed: String, mailbox: String)] = [
        ("Ada@Example.org", "ada@example.org"), ("ada+carrepsa@example.org", "ada@example.org"),
        ("+ada@example.org", "+ada@example.org"), ("a.d.a@example.org", "a.d.a@example.org"),
        ("A.d.a+1@Gmail.com", "ada@gmail.com"), ("ada@googlemail.com", "ada@gmail.com"),
        ("ada@\u{ff47}mail.com", "ada@gmail.com"),
    ]

    @Test("Spellings of one mailbox are the same", arguments: mailboxes)
    func mailbox(address: (typed: String, mailbox: String)) throws {
        let email = try #require(EmailAddress(address.typed))
        #expect(WelcomedAddresses.mailbox(of: email) == address.mailbox)
    }

    @Test("A mailbox gets one welcome amount, also after its account was deleted", arguments: Engine.allCases)
    func oncePerMailbox(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            for address in ["ada@example.org", "Ada@example.org", "ada+2@example.org"] {
                let ada = try await fixture.person(email: address)
                let isFirst = address == "ada@example.org"
                #expect(try await fixture.balance(ada) == (isFirst ? CarrepsaFixture.welcome : 0))
                try await fixture.erase(ada)
            }
            let ben = try await fixture.person(email: "ben@example.org")
            #expect(try await fixture.balance(ben) == CarrepsaFixture.welcome)
            #expect(try await fixture.count("carrepsa_welcomed_address") == 2)
            try await fixture.checkMoney()
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("Accounts of one mailbox at the same time get it once in total", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            var people: [Actor] = []
            for tag in 0..<4 { people.append(try await fixture.person(email: "ada+\(tag)@example.org")) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for actor in people {
                    group.addTask { try await fixture.carrepsa.memberships.ensureWallet(of: actor) }
                }
                try await group.waitForAll()
            }
            var total: Int64 = 0
            for actor in people { total += try await fixture.balance(actor) }
            #expect(total == CarrepsaFixture.welcome)
        }
    }

    @Test("An account without an email gets the welcome amount with its first address", arguments: Engine.allCases)
    func withoutEmail(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person(email: "")
            #expect(try await fixture.balance(ada) == 0)
            let now = fixture.now
            for address in ["ada@example.org", "other@example.org"] {
                try await fixture.database.write { tx in
                    try tx.execute(
                        "UPDATE account SET email = \(address), email_key = \(address) WHERE id = \(ada.person)")
                    try fixture.carrepsa.walletAccounts.emailChanged(of: ada.person, now: now, in: tx)
                }
                #expect(try await fixture.balance(ada) == CarrepsaFixture.welcome)
            }
            // The second address got nothing, so its mailbox still may.
            #expect(try await fixture.count("carrepsa_welcomed_address") == 1)
        }
    }

    /// Pays money in from outside.
    private func topUp(_ amount: Int64, _ actor: Actor, _ fixture: CarrepsaFixture) async throws {
        _ = try await fixture.carrepsa.payments.topUp(
            email: "\(actor.person)", amountMinor: amount, transferID: ID(at: fixture.now, random: fixture.random))
    }

    private func payOut(_ amount: Int64, _ actor: Actor, _ fixture: CarrepsaFixture) async throws {
        _ = try await fixture.carrepsa.payments.payOut(
            email: "\(actor.person)", amountMinor: amount, transferID: ID(at: fixture.now, random: fixture.random))
    }

    private func payable(_ actor: Actor, _ fixture: CarrepsaFixture) async throws -> Int64 {
        try await fixture.carrepsa.wallets.wallet(of: actor).payable
    }

    @Test("Welcome money is neither requested nor paid out; other money is", arguments: Engine.allCases)
    func payouts(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            try await topUp(30_00, ada, fixture)
            #expect(try await payable(ada, fixture) == 30_00)
            func ask(_ amount: Int64) async -> AppError? {
                await refusal {
                    _ = try await fixture.carrepsa.payoutRequests.create(
                        PayoutRequestInput(amount: amount, destination: "Cash"), by: Change(actor: ada))
                }
            }
            for error in [await ask(30_01), await refusal { try await payOut(30_01, ada, fixture) }] {
                #expect(error?.code == .insufficientFunds)
                #expect(error?.message == CarrepsaMessage.welcomeMoneyStays.text)
            }
            #expect(await ask(130_01)?.message == CarrepsaMessage.balanceTooSmall.text)
            try await payOut(30_00, ada, fixture)
            #expect(try await fixture.balance(ada) == CarrepsaFixture.welcome)
            #expect(try await payable(ada, fixture) == 0)
            #expect(await refusal { try await payOut(1, ada, fixture) }?.code == .insufficientFunds)
        }
    }

    @Test("Welcome money that is earned in a sham delivery stays welcome money", arguments: Engine.allCases)
    func sham(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            for (owner, carrier) in [(people[0], people[1]), (people[1], people[0]), (people[0], people[1])] {
                let id = try await fixture.post(by: owner, reward: 60_00, moneyLock: 10_00)
                _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: carrier))
                _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: owner))
                _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: owner))
                for actor in people { #expect(try await payable(actor, fixture) == 0) }
            }
            #expect(try await fixture.balances(people[0], people[1]) == [40_00, 160_00])
            try await fixture.checkMoney()
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test(
        "A wallet spends welcome money first; what it earns from other money can be paid out",
        arguments: Engine.allCases)
    func mixed(engine: Engine) async throws {
        try await withFixture(engine, welcome: 10_00) { fixture in
            let people = try await fixture.people(2)
            try await topUp(50_00, people[0], fixture)
            try await topUp(50_00, people[1], fixture)
            let id = try await fixture.post(by: people[0], reward: 25_00, moneyLock: 30_00)
            #expect(try await payable(people[0], fixture) == 35_00)
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: people[1]))
            #expect(try await payable(people[1], fixture) == 30_00)
            // Back before the pickup: everyone has what they had.
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: people[0]))
            #expect(try await payable(people[1], fixture) == 50_00)
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: people[1]))
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: people[0]))
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: people[0]))
            // 15.00 of the reward wasn't welcome money.
            #expect(try await payable(people[0], fixture) == 35_00)
            #expect(try await payable(people[1], fixture) == 65_00)
            #expect(try await fixture.balances(people[0], people[1]) == [35_00, 85_00])
            try await fixture.checkMoney()
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("Raising and lowering a reward, and dividing the money, keep the welcome money", arguments: Engine.allCases)
    func edited(engine: Engine) async throws {
        try await withFixture(engine, welcome: 10_00) { fixture in
            let people = try await fixture.people(2)
            let administrator = try await fixture.person("Olga", isOperator: true)
            try await topUp(50_00, people[0], fixture)
            try await topUp(50_00, people[1], fixture)
            let id = try await fixture.post(by: people[0], reward: 5_00, moneyLock: 20_00)
            for reward in [25_00, 8_00, 20_00] as [Int64] {
                _ = try await fixture.carrepsa.packages.edit(
                    id, CarrepsaFixture.parcel(reward: reward), by: Change(actor: people[0]))
                try await fixture.checkMoney()
            }
            #expect(try await payable(people[0], fixture) == 40_00)
            let version = try await fixture.stored(id)?.version
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: people[1], ifVersion: version))
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: people[0]))
            _ = try await fixture.carrepsa.disputes.open(id, reason: "Broken", by: Change(actor: people[0]))
            try await fixture.settle(
                id, .split, split: MoneySplit(rewardToCarrier: 15_00, depositToOwner: 15_00), by: administrator,
                between: people[0], and: people[1])
            #expect(try await fixture.balances(people[0], people[1]) == [60_00, 60_00])
            var total: Int64 = 0
            for actor in people { total += try await payable(actor, fixture) }
            #expect(total == 100_00)
            try await fixture.checkMoney()
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("Deleting an account takes its welcome money back, but no other money", arguments: Engine.allCases)
    func deletion(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            try await topUp(5_00, ada, fixture)
            #expect(await refusal { try await fixture.erase(ada) }?.message == CarrepsaMessage.balanceLeft.text)
            try await payOut(5_00, ada, fixture)
            let note = try await fixture.database.read { tx in
                try fixture.carrepsa.dataHandler.erasureNote(of: ada.person, in: tx)
            }
            #expect(note == CarrepsaMessage.welcomeMoneyIsLost.text)
            try await fixture.erase(ada)
            let left = try await fixture.database.read { tx in
                try tx.rows("SELECT id FROM ledger_account WHERE balance <> 0").count
            }
            #expect(left == 0)
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("A welcome amount of an earlier version counts as welcome money, once", arguments: Engine.allCases)
    func earlierVersion(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person(email: "ada@example.org")
            let now = fixture.now
            try await fixture.database.write { tx in
                let (wallet, outside) = (
                    CarrepsaLedgerAccounts.wallet(ada.person), CarrepsaLedgerAccounts.outside(.euro)
                )
                try fixture.ledger.open(outside, unit: "EUR", mayOverdraw: true, now: now, in: tx)
                try fixture.ledger.open(wallet, unit: "EUR", now: now, in: tx)
                let transfer = Transfer(
                    id: ada.person.cast(to: Transfer.self), kind: TransferKind.welcome.rawValue, at: now,
                    amount: CarrepsaFixture.welcome, from: outside, to: wallet)
                try fixture.ledger.post(transfer, in: tx)
            }
            try await topUp(20_00, ada, fixture)
            #expect(await refusal { try await payOut(20_01, ada, fixture) }?.code == .insufficientFunds)
            for _ in 0..<2 { #expect(try await payable(ada, fixture) == 20_00) }
            #expect(try await fixture.balance(ada) == CarrepsaFixture.welcome + 20_00)
            try await payOut(20_00, ada, fixture)
            try await fixture.erase(ada)
            let again = try await fixture.person(email: "ada@example.org")
            #expect(try await fixture.balance(again) == 0)
            try await fixture.checkMoney()
            #expect(try await fixture.verify().isSound)
        }
    }
}
