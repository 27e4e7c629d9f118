import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Suggested prices")
struct PriceTests {
    private static func input(weightGrams: Int64 = 1_000, size: PackageSize? = nil) -> PackageInput {
        var input = CarrepsaFixture.parcel()
        input.origin = PackageEndInput(latitude: 50.775, longitude: 6.084)
        input.destination = PackageEndInput(latitude: 50.737, longitude: 7.098)
        input.weightGrams = weightGrams
        input.size = size
        return input
    }

    @Test("A longer way, more weight and a larger size never cost less")
    func formula() {
        func reward(_ kilometres: Double, _ grams: Int64, _ size: PackageSize?) -> Int64 {
            PriceRule.reward(
                distanceMetres: kilometres * 1_000, weightGrams: grams, size: size, currency: .euro)
        }
        #expect(reward(0, 500, nil) == 2_00)
        for (one, other) in [
            (reward(10, 1_000, .bag), reward(90, 1_000, .bag)), (reward(90, 1_000, .bag), reward(900, 1_000, .bag)),
            (reward(10, 1_000, .bag), reward(10, 20_000, .bag)), (reward(10, 1_000, .bag), reward(10, 1_000, .boot)),
        ] { #expect(one < other) }
        #expect(PriceRule.middle(of: [9, 1, 4]) == 4)
        #expect(PriceRule.middle(of: [9, 1]) == 1)
        #expect(PriceRule.middle(of: []) == nil)
    }

    @Test("A price is worth about the same in every currency, in whole steps", arguments: CurrencyScale.codes)
    func currencies(code: String) throws {
        let currency = try #require(Currency(code: code))
        let minorPerEuro = CurrencyScale.unitsPerEuro(currency) * pow(10, Double(currency.exponent))
        func reward(_ metres: Double, _ grams: Int64 = 1_000) -> Int64 {
            PriceRule.reward(distanceMetres: metres, weightGrams: grams, size: nil, currency: currency)
        }
        for (metres, euros) in [(0.0, 2.0), (50_000, 6.0), (255_000, 16.2)] {
            let worth = Double(reward(metres)) / minorPerEuro
            #expect((euros...euros + 0.6).contains(worth + 1e-9), "\(worth)")
        }
        let deposit = PriceRule.deposit(reward: reward(0), currency: currency)
        #expect((10.0...10.6).contains(Double(deposit) / minorPerEuro + 1e-9))
        // Nothing overflows, and no suggestion is refused.
        for grams in [Int64.max, .min] {
            let amount = reward(40_000_000, grams)
            #expect(1...Limits.packageMoneyMinor ~= amount)
            #expect(1...Limits.packageMoneyMinor ~= PriceRule.deposit(reward: amount, currency: currency))
        }
    }

    @Test("Weights outside the limits are refused, and the formula doesn't overflow", arguments: [Int64.min, .max])
    func extremes(grams: Int64) async throws {
        let reward = PriceRule.reward(distanceMetres: nil, weightGrams: grams, size: .boot, currency: .euro)
        #expect(reward >= 2_00)
        try await withFixture(.sqlite) { fixture in
            let error = #expect(throws: AppError.self) {
                try fixture.carrepsa.priceSuggestions.check(
                    Self.input(weightGrams: grams), requiresWeight: false)
            }
            #expect(error.map { Array($0.fields.keys) } == ["weight"])
        }
    }

    @Test(
        "Three finished deliveries on the same way give their middle; fewer, and open ones, don't",
        arguments: Engine.allCases)
    func deliveries(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let service = fixture.carrepsa.priceSuggestions
            func deliver(_ reward: Int64) async throws {
                var input = Self.input()
                input.reward = reward
                input.moneyLock = 2 * reward + 1
                let id = try await fixture.carrepsa.packages.create(input, by: Change(actor: people[0])).package.id
                _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: people[1]))
                _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: people[0]))
                _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: people[0]))
            }
            for reward in [1_00, 7_00] as [Int64] { try await deliver(reward) }
            _ = try await fixture.carrepsa.packages.create(Self.input(), by: Change(actor: people[0]))
            let few = try await service.suggestion(for: Self.input(), of: people[1])
            #expect(few.basis == .formula && few.distanceMetres.map { 70_000...73_000 ~= $0 } == true)
            try await deliver(3_00)
            let enough = try await service.suggestion(for: Self.input(), of: people[1])
            #expect(enough.basis == .deliveries(3) && enough.reward == 3_00 && enough.deposit == 6_01)
            // Another way, or words without points, know of no deliveries.
            var away = Self.input()
            away.destination = PackageEndInput(latitude: 48, longitude: 11)
            #expect(try await service.suggestion(for: away, of: people[1]).basis == .formula)
            let words = try await service.suggestion(for: CarrepsaFixture.parcel(), of: people[1])
            #expect(words.basis == .formula && words.distanceMetres == nil)
            // After a year they no longer count.
            fixture.clock.advance(seconds: Limits.priceHistorySeconds + 1)
            #expect(try await service.suggestion(for: Self.input(), of: people[1]).basis == .formula)
        }
    }

    @Test("Of many deliveries the latest ones count", arguments: Engine.allCases)
    func latest(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let owner = try await fixture.people(1)[0].person
            let from = try #require(Coordinate(latitude: 50.775, longitude: 6.084))
            let to = try #require(Coordinate(latitude: 50.737, longitude: 7.098))
            let (now, random) = (fixture.now, fixture.random)
            let name = try PlaceName("A")
            let draft = try PackageDraft(CarrepsaFixture.parcel(), now: now)
            try await fixture.database.write { tx in
                for number in 0...Limits.priceDeliveriesRead {
                    var package = StoredPackage(draft, id: ID(at: now, random: random), owner: owner, now: now)
                    package.route.origin.area = from
                    package.route.destination.area = to
                    package.reward = Int64(number + 1)
                    let entry = PackageHistoryRow(package, "post", role: .owner, by: owner, note: nil, now: now)
                    try PackageStore.insert(package, from: name, to: name, history: entry, in: tx)
                    let finished = now.adding(seconds: Int64(number))
                    try tx.execute(

                        """
                        UPDATE carrepsa_package SET state = 'delivered', finished_at = \(finished) WHERE id = \(package.id)
                        """)
                }
            }
            let paid = try await fixture.database.read { tx in
                try PriceHistoryStore.paid(from, to, since: now.adding(seconds: -1), in: tx)
            }
            #expect(paid.count == Limits.priceDeliveriesRead)
            // All but the first one.
            #expect(paid.map(\.reward).min() == 2)
        }
    }

    @Test("The link of an offer shows it without points and ends with it", arguments: Engine.allCases)
    func link(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let links = fixture.carrepsa.offerLinks
            var input = Self.input()
            input.deadline = fixture.now.adding(seconds: 3_600)
            let id = try await fixture.carrepsa.packages.create(input, by: Change(actor: people[0])).package.id
            let other = try await fixture.carrepsa.packages.create(input, by: Change(actor: people[0])).package.id
            let secret = links.secret(of: id)
            let offer = try await links.offer(id, secret: secret)
            #expect(offer.ownerFirstName == "Person")
            #expect(offer.package.route.origin.point == nil && offer.package.route.origin.area != nil)
            for wrong in ["", "x", links.secret(of: other)] {
                let error = await refusal { _ = try await links.offer(id, secret: wrong) }
                #expect(error?.code == .notFound)
            }
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: people[1]))
            let taken = await refusal { _ = try await links.offer(id, secret: secret) }
            #expect(taken?.code == .notFound)
            fixture.clock.advance(seconds: 3_600)
            let lapsed = await refusal { _ = try await links.offer(other, secret: links.secret(of: other)) }
            #expect(lapsed?.code == .notFound)
        }
    }
}
