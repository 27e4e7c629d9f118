import Accounts
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Deliveries")
struct DeliveryTests {
    @Test("C-01: A complete delivery pays the reward and returns the deposit", arguments: Engine.allCases)
    func complete(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.post(by: ada, reward: 5_00, moneyLock: 20_00)
            #expect(try await fixture.balances(ada, ben) == [95_00, 100_00])
            #expect(try await fixture.ids(.offers, ben) == [id])
            let wallet = try await fixture.carrepsa.wallets.wallet(of: ada)
            #expect(wallet.held == 5_00)

            let view = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
            #expect(view.package.state == .accepted)
            #expect(view.package.carrier == Party(id: ben.person, name: "Ben"))
            #expect(view.package.owner == Party(id: ada.person, name: "Ada"))
            #expect(try await fixture.balances(ada, ben) == [95_00, 80_00])
            #expect(try await fixture.ids(.offers, ben).isEmpty)
            #expect(try await fixture.ids(.carried, ben, past: false) == [id])

            let travelling = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: ada))
            #expect(travelling.package.state == .travelling)
            #expect(try await fixture.balances(ada, ben) == [95_00, 80_00])
            #expect(try await fixture.carrepsa.wallets.wallet(of: ben).held == 20_00)

            let delivered = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: ada))
            #expect(delivered.package.state == .delivered)
            #expect(delivered.package.deliveredAt == fixture.now)
            #expect(delivered.actions.isEmpty)
            #expect(try await fixture.balances(ada, ben) == [95_00, 105_00])
            #expect(try await fixture.carrepsa.wallets.wallet(of: ben).held == 0)
            #expect(try await fixture.ids(.carried, ben, past: false).isEmpty)
            #expect(try await fixture.ids(.carried, ben, past: true) == [id])
            #expect(try await fixture.ids(.owned, ada, past: true) == [id])
            try await fixture.checkMoney()
            let result = try await fixture.verify()
            #expect(result.isSound)
        }
    }

    @Test("C-02: A reward above the balance is rejected, a reward equal to it is accepted", arguments: Engine.allCases)
    func unaffordable(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let error = await refusal { _ = try await fixture.post(by: ada, reward: 100_01) }
            #expect(error?.code == .insufficientFunds)
            #expect(error?.fields["reward"] != nil)
            #expect(try await fixture.count("carrepsa_package") == 0)
            #expect(try await fixture.balance(ada) == 100_00)
            _ = try await fixture.post(by: ada, reward: 100_00)
            #expect(try await fixture.balance(ada) == 0)
            try await fixture.checkMoney()
        }
    }

    @Test("C-03: A deposit above the balance is rejected, and the button gives the reason", arguments: Engine.allCases)
    func lockUnaffordable(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.post(by: ada, moneyLock: 100_01)
            let view = try await fixture.carrepsa.packages.details(of: id, for: ben)
            #expect(view.actions == [.accept])
            #expect(view.blocked == [.accept: .insufficientFunds])
            let before = try await fixture.traces(of: ben)
            let error = await refusal { _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben)) }
            #expect(error?.code == .insufficientFunds)
            #expect(error?.fields["moneyLock"] != nil)
            #expect(try await fixture.traces(of: ben) == before)
            #expect(try await fixture.state(id) == .available)
            try await fixture.checkMoney()
        }
    }

    @Test("C-04: A withdrawn package is in no list, and its wallet entries remain", arguments: Engine.allCases)
    func withdrawn(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.post(by: ada)
            try await fixture.carrepsa.packages.withdraw(id, by: Change(actor: ada))
            #expect(try await fixture.balance(ada) == 100_00)
            #expect(try await fixture.ids(.owned, ada).isEmpty)
            #expect(try await fixture.ids(.offers, ada).isEmpty)
            let again = await refusal { try await fixture.carrepsa.packages.withdraw(id, by: Change(actor: ada)) }
            #expect(again?.code == .notFound)
            let look = await refusal { _ = try await fixture.carrepsa.packages.details(of: id, for: ada) }
            #expect(look?.code == .notFound)
            // Actions give the same error as reading.
            for actor in [ada, ben] {
                let look = await refusal { _ = try await fixture.carrepsa.packages.details(of: id, for: actor) }
                #expect(look?.code == .notFound)
                let late = await refusal {
                    _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: actor))
                }
                #expect(late?.code == .notFound)
                let cancel = await refusal {
                    _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: actor))
                }
                #expect(cancel?.code == .notFound)
            }
            let entries = try await fixture.carrepsa.wallets.entries(of: ada, after: nil, limit: 50).items
            #expect(entries.map(\.kind) == [.rewardReturned, .rewardHeld, .welcome])
            #expect(entries.map(\.amount) == [5_00, -5_00, 100_00])
            #expect(entries.map(\.balanceAfter) == [100_00, 95_00, 100_00])
            #expect(entries[0].packageTitle == "A box of books")
            #expect(!entries[0].isPackageShown)
            try await fixture.checkMoney()
        }
    }

    @Test("C-05, C-07: The owner cancels the acceptance, and another carrier delivers", arguments: Engine.allCases)
    func ownerCancels(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            try await cancelAndDeliver(fixture, canceller: { ada, _ in ada })
        }
    }

    @Test("C-06, C-08: The carrier cancels the acceptance, and another carrier delivers", arguments: Engine.allCases)
    func carrierCancels(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            try await cancelAndDeliver(fixture, canceller: { _, ben in ben })
        }
    }

    private func cancelAndDeliver(_ fixture: CarrepsaFixture, canceller: (Actor, Actor) -> Actor) async throws {
        let ada = try await fixture.person("Ada")
        let ben = try await fixture.person("Ben")
        let cleo = try await fixture.person("Cleo")
        let id = try await fixture.accepted(by: ben, of: ada)
        #expect(try await fixture.balances(ada, ben, cleo) == [95_00, 80_00, 100_00])
        let view = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: canceller(ada, ben)))
        #expect(view.package.state == .available)
        #expect(view.package.carrier == nil)
        #expect(view.package.funded)
        #expect(try await fixture.balances(ada, ben, cleo) == [100_00, 100_00, 100_00])
        #expect(try await fixture.ids(.carried, ben).isEmpty)
        #expect(try await fixture.ids(.offers, cleo) == [id])
        _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: cleo))
        #expect(try await fixture.balances(ada, ben, cleo) == [95_00, 100_00, 80_00])
        _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: ada))
        #expect(try await fixture.balances(ada, ben, cleo) == [95_00, 100_00, 80_00])
        _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: ada))
        #expect(try await fixture.balances(ada, ben, cleo) == [95_00, 100_00, 105_00])
        let history = try await fixture.carrepsa.packages.details(of: id, for: ada).history.map(\.event)
        let actions: [PackageAction] = [
            .create, .accept, .cancelAcceptance, .accept, .confirmPickup, .confirmDelivery,
        ]
        #expect(history == actions.map { PackageHistoryEntry.Event.action($0) })
        try await fixture.checkMoney()
    }

    @Test("An offer whose reward isn't covered is marked and can't be accepted", arguments: Engine.allCases)
    func notFunded(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.accepted(by: ben, of: ada)
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ada))
            let other = try await fixture.post(by: ada, reward: 98_00)
            let listed = try await fixture.carrepsa.packages.list(.offers, for: ben, after: nil, limit: 50).items
            #expect(listed.map(\.id) == [other, id])
            #expect(listed.map(\.funded) == [true, false])
            #expect(
                try await fixture.carrepsa.packages.details(of: id, for: ben).blocked == [.accept: .rewardNotFunded])

            let before = try await fixture.traces(of: ben)
            let events = try await fixture.events().count
            for _ in 0..<2 {
                let error = await refusal {
                    _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
                }
                #expect(error?.code == .rewardNotFunded)
            }
            #expect(try await fixture.traces(of: ben) == before)
            let told = try await fixture.events().dropFirst(events)
            #expect(told.map(\.audience) == [ada.person])
            #expect(told.first?.resource == "/carrepsa/packages/\(id)")
            #expect(
                try await fixture.carrepsa.packages.details(of: id, for: ada).history.last?.event == .rewardNotFunded)

            // Withdrawing an offer without a reward in escrow moves no money.
            try await fixture.carrepsa.packages.withdraw(id, by: Change(actor: ada))
            #expect(try await fixture.balance(ada) == 2_00)
            try await fixture.checkMoney()
        }
    }

    @Test("If both balances are too low, the carrier gets the error about the deposit", arguments: Engine.allCases)
    func bothShort(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            for round in 0..<4 {
                let ada = try await fixture.person("Ada \(round)")
                let ben = try await fixture.person("Ben \(round)")
                let cleo = try await fixture.person("Cleo \(round)")
                let id = try await fixture.post(by: ada, reward: 60_00, moneyLock: 70_00)
                _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
                _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ada))
                _ = try await fixture.post(by: ada, reward: 100_00)
                _ = try await fixture.post(by: cleo, reward: 50_00)
                let error = await refusal {
                    _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: cleo))
                }
                #expect(error?.code == .insufficientFunds)
            }
        }
    }

    @Test("An owner can't accept their own package", arguments: Engine.allCases)
    func ownPackage(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let id = try await fixture.post(by: ada)
            let before = try await fixture.traces(of: ada)
            let error = await refusal { _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ada)) }
            #expect(error?.code == .forbidden)
            #expect(try await fixture.traces(of: ada) == before)
            #expect(try await fixture.carrepsa.packages.details(of: id, for: ada).actions == [.withdraw, .edit])
        }
    }

    @Test(
        "C-09, C-10: Owner and carrier see each other's contact details while under way", arguments: Engine.allCases)
    func contact(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let cleo = try await fixture.person("Cleo")
            let id = try await fixture.post(by: ada)
            func isOpen(_ initiator: Actor, _ person: Actor) async throws -> Bool {
                let neighbour = try await fixture.carrepsa.contacts.person(person.person, for: initiator)
                #expect(!neighbour.name.isEmpty)
                #expect((neighbour.email == nil) == (neighbour.phone == nil))
                return neighbour.phone != nil
            }
            #expect(try await !isOpen(ben, ada))
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
            #expect(try await isOpen(ada, ben))
            #expect(try await isOpen(ben, ada))
            #expect(try await !isOpen(cleo, ada))
            #expect(try await !isOpen(cleo, ben))
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: ada))
            #expect(try await isOpen(ada, ben))
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: ada))
            #expect(try await !isOpen(ada, ben))
            #expect(try await !isOpen(ben, ada))
            let unknown = PersonID(at: fixture.now, random: fixture.random)
            let error = await refusal { _ = try await fixture.carrepsa.contacts.person(unknown, for: ada) }
            #expect(error?.code == .notFound)
        }
    }

    @Test("C-14: Everyone gets an event when an offer is posted and when it is accepted", arguments: Engine.allCases)
    func everybodyIsTold(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.accepted(by: ben, of: ada)
            let events = try await fixture.events().filter { $0.kind == "package" }
            #expect(events.map(\.audience) == [ChangeEvent.everyone, ChangeEvent.everyone])
            #expect(Set(events.map(\.resource)) == ["/carrepsa/packages/\(id)"])
            #expect(events.map(\.version) == [1, 2])
        }
    }

    @Test("A repeated post with its key returns the package even after the deadline", arguments: Engine.allCases)
    func lateRepetition(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let input = CarrepsaFixture.parcel(deadline: fixture.now.adding(seconds: 60))
            let change = Change.keyed(ada, "/carrepsa/packages", "k1")
            let first = try await fixture.carrepsa.packages.create(input, by: change).package.id
            fixture.clock.advance(seconds: 60)
            #expect(try await fixture.carrepsa.packages.create(input, by: change).package.id == first)
            let new = await refusal { _ = try await fixture.carrepsa.packages.create(input, by: Change(actor: ada)) }
            #expect(new?.fields["deadline"] != nil)
            // The deadline has passed, so the reward is back in the wallet.
            #expect(try await fixture.balance(ada) == 100_00)
        }
    }

    @Test("An idempotency key acts once and rejects another body", arguments: Engine.allCases)
    func idempotency(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let input = CarrepsaFixture.parcel()
            let change = Change.keyed(ada, "/carrepsa/packages", "k1")
            let first = try await fixture.carrepsa.packages.create(input, by: change).package.id
            let second = try await fixture.carrepsa.packages.create(input, by: change).package.id
            #expect(first == second)
            #expect(try await fixture.balance(ada) == 95_00)
            let other = Change.keyed(ada, "/carrepsa/packages", "k1", body: "other")
            let error = await refusal { _ = try await fixture.carrepsa.packages.create(input, by: other) }
            #expect(error?.code == .conflict)
            let accept = Change.keyed(ben, "/carrepsa/packages/\(first)/acceptance", "k1")
            _ = try await fixture.carrepsa.acceptances.accept(first, by: accept)
            let again = try await fixture.carrepsa.acceptances.accept(first, by: accept)
            #expect(again.package.state == .accepted)
            #expect(try await fixture.balance(ben) == 80_00)
            let withoutKey = await refusal {
                _ = try await fixture.carrepsa.acceptances.accept(first, by: Change(actor: ben))
            }
            #expect(withoutKey?.code == .conflict)
        }
    }
}
