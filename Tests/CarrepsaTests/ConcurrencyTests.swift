import Accounts
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Concurrent requests")
struct ConcurrencyTests {
    private static let crowd = 100

    @Test("A hundred carriers accept one package: one wins, the others are unchanged", arguments: Engine.allCases)
    func oneWins(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let id = try await fixture.post(by: ada)
            let carriers = try await fixture.people(Self.crowd)
            var before: [[String]] = []
            for carrier in carriers { before.append(try await fixture.traces(of: carrier)) }
            let codes = await together(
                carriers.map { carrier in
                    {
                        let change = Change.keyed(carrier, "/carrepsa/packages/\(id)/acceptance", "k")
                        _ = try await fixture.carrepsa.acceptances.accept(id, by: change)
                    }
                }
            )
            #expect(codes.count { $0 == nil } == 1)
            #expect(codes.count { $0 == .conflict } == Self.crowd - 1)
            for (index, carrier) in carriers.enumerated() {
                let after = try await fixture.traces(of: carrier)
                if codes[index] == nil {
                    #expect(try await fixture.balance(carrier) == 80_00)
                } else {
                    #expect(after == before[index])
                }
            }
            try await fixture.checkMoney()
        }
    }

    @Test("Of two concurrent offers, only the one that the balance covers is posted", arguments: Engine.allCases)
    func fundsForOne(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            for _ in 0..<Counts.races {
                let ada = try await fixture.person()
                try await fixture.carrepsa.memberships.ensureWallet(of: ada)
                let codes = await together(
                    (0..<2).map { _ in { _ = try await fixture.post(by: ada, reward: 60_00) } }
                )
                #expect(codes.count { $0 == nil } == 1)
                #expect(codes.count { $0 == .insufficientFunds } == 1)
                #expect(try await fixture.balance(ada) == 40_00)
                #expect(try await fixture.ids(.owned, ada).count == 1)
            }
            try await fixture.checkMoney()
        }
    }

    @Test("A hundred concurrent confirmations pay the carrier once", arguments: Engine.allCases, [true, false])
    func onePayout(engine: Engine, isKeyed: Bool) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.travelling(by: ben, of: ada)
            let codes = await together(
                (0..<Self.crowd).map { _ in
                    {
                        let path = "/carrepsa/packages/\(id)/delivery"
                        let change = isKeyed ? Change.keyed(ada, path, "k") : Change(actor: ada)
                        _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: change)
                    }
                }
            )
            #expect(codes.count { $0 == nil } == (isKeyed ? Self.crowd : 1))
            #expect(codes.allSatisfy { $0 == nil || $0 == .conflict })
            #expect(try await fixture.balances(ada, ben) == [95_00, 105_00])
            try await fixture.checkMoney()
            let result = try await fixture.verify()
            #expect(result.isSound)
        }
    }

    /// Two actions that exclude each other.
    struct Race: Sendable, CustomTestStringConvertible {
        enum Runner: Sendable {
            case accept, withdraw, cancelByOwner, cancelByCarrier, pickup, deliverByOwner, deliverWithCode, expire
            case acceptSplit, retractSplit, offerSplit, decide, acceptRead, edit
        }

        let one: Runner
        let other: Runner
        var testDescription: String { "\(one) against \(other)" }

        static let all = [
            Race(one: .accept, other: .withdraw), Race(one: .pickup, other: .cancelByCarrier),
            Race(one: .cancelByOwner, other: .cancelByCarrier), Race(one: .deliverByOwner, other: .deliverByOwner),
            Race(one: .deliverByOwner, other: .deliverWithCode), Race(one: .expire, other: .pickup),
            Race(one: .acceptSplit, other: .retractSplit), Race(one: .acceptSplit, other: .deliverByOwner),
            Race(one: .decide, other: .decide), Race(one: .acceptRead, other: .edit),
            Race(one: .acceptSplit, other: .offerSplit),
        ]
    }

    @Test("Exactly one of two conflicting actions succeeds", arguments: Engine.allCases, Race.all)
    func races(engine: Engine, race: Race) async throws {
        try await withFixture(engine, welcome: 1_000_000_00) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            _ = try await fixture.person("Olga", isOperator: true)
            for actor in [ada, ben] { try await fixture.carrepsa.memberships.ensureWallet(of: actor) }
            for round in 0..<Counts.races {
                let id = try await prepared(for: race, ada, ben, fixture)
                let code =
                    race.other == .deliverWithCode
                    ? try await fixture.carrepsa.handovers.createCode(id, step: .delivery, by: ada).code : nil
                let version = try await fixture.stored(id)?.version
                var runners = [race.one, race.other]
                if round % 2 == 1 { runners.reverse() }
                let codes = await together(
                    runners.map { runner in { try await run(runner, id, ada, ben, code: code, version, fixture) } }
                )
                #expect(codes.count { $0 == nil } == 1, "round \(round): \(codes)")
                #expect(codes.count { $0 == .conflict || $0 == .notFound } == 1, "round \(round): \(codes)")
                let winner = runners[codes[0] == nil ? 0 : 1]
                #expect(try await fixture.state(id) == Self.outcome(winner))
            }
            try await fixture.checkMoney()
            let result = try await fixture.verify()
            #expect(result.isSound)
        }
    }

    private static func outcome(_ runner: Race.Runner) -> PackageState {
        switch runner {
        case .accept, .acceptRead: .accepted
        case .withdraw: .cancelled
        case .cancelByOwner, .cancelByCarrier, .expire, .edit: .available
        case .pickup, .retractSplit, .offerSplit, .decide: .travelling
        case .acceptSplit: .cancelled
        case .deliverByOwner, .deliverWithCode: .delivered
        }
    }

    private func prepared(
        for race: Race, _ ada: Actor, _ ben: Actor, _ fixture: CarrepsaFixture
    ) async throws -> ID<Package> {
        switch race.one {
        case .accept: return try await fixture.post(by: ada)
        case .acceptRead:
            // The edits of one owner are limited.
            fixture.clock.advance(seconds: Limits.offerEditSeconds)
            return try await fixture.post(by: ada)
        case .deliverByOwner: return try await fixture.travelling(by: ben, of: ada)
        case .acceptSplit, .decide:
            let id = try await fixture.travelling(by: ben, of: ada)
            let split = MoneySplit(rewardToCarrier: 1_00, depositToOwner: 1_00)
            _ = try await fixture.carrepsa.disputes.open(id, reason: "Late", by: Change(actor: ada))
            _ = try await fixture.carrepsa.disputes.offerSplit(id, split, statement: "Half?", by: Change(actor: ben))
            return id
        case .expire: return try await fixture.accepted(by: ben, of: ada, deadline: fixture.now.adding(seconds: 60))
        default: return try await fixture.accepted(by: ben, of: ada)
        }
    }

    private func run(
        _ runner: Race.Runner, _ id: ID<Package>, _ ada: Actor, _ ben: Actor, code: String?, _ version: Int64?,
        _ fixture: CarrepsaFixture
    ) async throws {
        let carrepsa = fixture.carrepsa
        switch runner {
        case .accept: _ = try await carrepsa.acceptances.accept(id, by: Change(actor: ben))
        case .withdraw: try await carrepsa.packages.withdraw(id, by: Change(actor: ada))
        case .cancelByOwner: _ = try await carrepsa.acceptances.cancel(id, by: Change(actor: ada))
        case .cancelByCarrier: _ = try await carrepsa.acceptances.cancel(id, by: Change(actor: ben))
        case .pickup: _ = try await carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: ada))
        case .deliverByOwner: _ = try await carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: ada))
        case .deliverWithCode: _ = try await carrepsa.handovers.confirmDelivery(id, code: code, by: Change(actor: ben))
        // As the pages do: with the version that the person read.
        case .acceptRead: _ = try await carrepsa.acceptances.accept(id, by: Change(actor: ben, ifVersion: version))
        case .edit:
            let terms = CarrepsaFixture.parcel(reward: 1_00, moneyLock: 90_00)
            _ = try await carrepsa.packages.edit(id, terms, by: Change(actor: ada, ifVersion: version))
        case .acceptSplit:
            _ = try await carrepsa.disputes.acceptSplit(id, by: Change(actor: ada, ifVersion: version))
        case .offerSplit:
            let worse = MoneySplit(rewardToCarrier: 5_00, depositToOwner: 0)
            _ = try await carrepsa.disputes.offerSplit(id, worse, statement: nil, by: Change(actor: ben))
        case .retractSplit: _ = try await carrepsa.disputes.removeOffer(id, by: Change(actor: ben))
        case .decide:
            let olga = try await fixture.database.read { tx in try PeopleStore.operators(in: tx)[0] }
            let actor = Actor(person: olga, session: ID(at: fixture.now, random: fixture.random), role: .adult)
            _ = try await carrepsa.disputes.decide(id, outcome: .lost, note: "Lost", by: Change(actor: actor))
        case .expire:
            // A node whose clock is ahead: its deadline has passed, while the pickup is still in time on the other
            // node.
            let ahead = TestClock(fixture.now.adding(seconds: 60))
            let other = try CarrepsaFixture(fixture.database, clock: ahead, seed: fixture.random.uint64())
            let command = other.command(.expire, id, by: .clock)
            try await other.execute(command)
        }
    }
}
