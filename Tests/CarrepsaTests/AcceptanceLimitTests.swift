import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Carrepsa

/// Accepting shows a carrier the exact points and the contacts.
@Suite("Acceptances of one person in a day")
struct AcceptanceLimitTests {
    private func accept(_ id: ID<Package>, by carrier: Actor, _ fixture: CarrepsaFixture) async -> AppError? {
        await refusal { _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: carrier)) }
    }

    private func cancel(_ id: ID<Package>, by person: Actor, _ fixture: CarrepsaFixture) async throws {
        _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: person))
    }

    /// Offers of several owners, with small amounts.
    private func offers(_ count: Int, _ fixture: CarrepsaFixture) async throws -> [(id: ID<Package>, owner: Actor)] {
        var offers: [(id: ID<Package>, owner: Actor)] = []
        for owner in try await fixture.people((count + 49) / 50) {
            for _ in 0..<min(50, count - offers.count) {
                offers.append((try await fixture.post(by: owner, reward: 1_00, moneyLock: 1), owner))
            }
        }
        return offers
    }

    @Test(
        "A new account accepts a few packages in a day, and is told when it can accept more", arguments: Engine.allCases
    )
    func newAccount(engine: Engine) async throws {
        try await withFixture(engine, limitFactor: 1) { fixture in
            let most = Limits.acceptancesOfNewAccounts
            let offers = try await offers(most + 2, fixture)
            let ben = try await fixture.person("Ben")
            for offer in offers.prefix(most) {
                #expect(await accept(offer.id, by: ben, fixture) == nil)
                fixture.clock.advance(seconds: 60)
            }
            let error = try #require(await accept(offers[most].id, by: ben, fixture))
            #expect(error.code == .throttled)
            #expect(error.retryAfterSeconds == Int(Limits.daySeconds) - 60 * most)
            #expect(error.message == "You’ve accepted too many packages today. Try again in 24 hours.")
            #expect(try await fixture.state(offers[most].id) == .available)
            fixture.clock.advance(seconds: Int64(try #require(error.retryAfterSeconds)))
            #expect(await accept(offers[most].id, by: ben, fixture) == nil)
        }
    }

    @Test("An experienced carrier accepts more packages, up to the daily limit", arguments: Engine.allCases)
    func establishedAccount(engine: Engine) async throws {
        try await withFixture(engine, limitFactor: 1) { fixture in
            let offers = try await offers(Limits.acceptancesPerDay + 2, fixture)
            let ben = try await fixture.person("Ben")
            let first = offers[0]
            #expect(await accept(first.id, by: ben, fixture) == nil)
            for step in [HandoverStep.pickup, .delivery] {
                let change = Change(actor: first.owner)
                if step == .pickup {
                    _ = try await fixture.carrepsa.handovers.confirmPickup(first.id, code: nil, by: change)
                } else {
                    _ = try await fixture.carrepsa.handovers.confirmDelivery(first.id, code: nil, by: change)
                }
            }
            fixture.clock.advance(seconds: Limits.newAccountSeconds + 1)
            for offer in offers.dropFirst().prefix(Limits.acceptancesPerDay) {
                #expect(await accept(offer.id, by: ben, fixture) == nil)
            }
            #expect(await accept(offers[Limits.acceptancesPerDay + 1].id, by: ben, fixture)?.code == .throttled)
        }
    }

    @Test("Three cancelled acceptances end the day, also for a replay and another offer", arguments: Engine.allCases)
    func cancelled(engine: Engine) async throws {
        try await withFixture(engine, limitFactor: 1) { fixture in
            let offers = try await offers(5, fixture)
            let ben = try await fixture.person("Ben")
            for (number, offer) in offers.prefix(3).enumerated() {
                #expect(await accept(offer.id, by: ben, fixture) == nil)
                // A repeated request neither cancels nor counts again.
                for _ in 0..<3 {
                    let change = Change.keyed(ben, method: "DELETE", "/acceptance", "key \(number)")
                    _ = try await fixture.carrepsa.acceptances.cancel(offer.id, by: change)
                }
                fixture.clock.advance(seconds: 60)
            }
            let error = try #require(await accept(offers[3].id, by: ben, fixture))
            #expect(error.code == .throttled && error.retryAfterSeconds == Int(Limits.daySeconds) - 180)
            #expect(
                error.message == "You’ve cancelled too many deliveries today. Try again in 24 hours.")
            let cem = try await fixture.person("Cem")
            #expect(await accept(offers[3].id, by: cem, fixture) == nil)
            fixture.clock.advance(seconds: Limits.daySeconds - 180)
            #expect(await accept(offers[4].id, by: ben, fixture) == nil)
        }
    }

    @Test(
        "An offer that its carrier cancelled can be accepted by another at once, and by the same a day later",
        arguments: Engine.allCases)
    func sameOffer(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(3)
            let id = try await fixture.accepted(by: people[1], of: people[0])
            try await cancel(id, by: people[1], fixture)
            let details = try await fixture.carrepsa.packages.details(of: id, for: people[1])
            #expect(details.blocked == [.accept: .cancelledRecently])
            let error = try #require(await accept(id, by: people[1], fixture))
            #expect(error == AppError(.conflict, .acceptanceCancelled))
            #expect(await accept(id, by: people[2], fixture) == nil)
            try await cancel(id, by: people[2], fixture)
            fixture.clock.advance(seconds: Limits.daySeconds)
            #expect(await accept(id, by: people[1], fixture) == nil)
        }
    }

    @Test("An owner's cancellation doesn't count against the carrier", arguments: Engine.allCases)
    func ownerCancels(engine: Engine) async throws {
        try await withFixture(engine, limitFactor: 1) { fixture in
            let offer = try await offers(1, fixture)[0]
            let ben = try await fixture.person("Ben")
            for _ in 0..<Limits.acceptancesOfNewAccounts {
                #expect(await accept(offer.id, by: ben, fixture) == nil)
                try await cancel(offer.id, by: offer.owner, fixture)
            }
            let now = fixture.now
            let cancelled = Budget("cancelled acceptances", limit: 1, windowSeconds: Limits.daySeconds)
            #expect(try await fixture.database.read { try cancelled.use(of: ben.person, now: now, in: $0) } == nil)
        }
    }

    @Test("A refused acceptance isn't counted, and neither is a repeated one", arguments: Engine.allCases)
    func notCounted(engine: Engine) async throws {
        try await withFixture(engine, limitFactor: 1) { fixture in
            let ada = try await fixture.people(1)[0]
            let ben = try await fixture.person("Ben")
            let dear = try await fixture.post(by: ada, moneyLock: 500_00)
            let id = try await fixture.post(by: ada)
            for _ in 0..<10 { #expect(await accept(dear, by: ben, fixture)?.code == .insufficientFunds) }
            for _ in 0..<10 {
                let change = Change.keyed(ben, "/acceptance", "key")
                _ = try await fixture.carrepsa.acceptances.accept(id, by: change)
            }
            let now = fixture.now
            let budget = Budget("acceptances", limit: 1, windowSeconds: Limits.daySeconds)
            #expect(try await fixture.database.read { try budget.use(of: ben.person, now: now, in: $0) }?.count == 1)
        }
    }
}
