import Accounts
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("The service against a reference model")
struct ModelTests {
    @Test("Random actions of random people give the same state as the model", arguments: Engine.allCases)
    func sameState(engine: Engine) async throws {
        print(
            "Carrepsa's model test on \(engine): HOMEWARD_TEST_MODEL_SEED=\(Counts.modelSeed) over \(Counts.actions) deeds"
        )
        try await withFixture(engine) { fixture in
            var run = try await ModelRun(fixture, seed: Counts.modelSeed)
            for number in 0..<Counts.actions {
                guard try await run.step(number) else { return }
            }
            try await run.compareAll()
            try await fixture.checkMoney()
            let result = try await fixture.verify()
            #expect(result.isSound)
        }
    }
}

/// A random generator with its own seed, independent of the one for ids.
private struct SeededChoice {
    private let random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    func roll(_ sides: Int) -> Int { Int(random.uint64() % UInt64(sides)) }
    func happens(oneIn sides: Int) -> Bool { roll(sides) == 0 }
}

private struct ModelRun {
    private static let recent = 10

    private let fixture: CarrepsaFixture
    private let people: [Actor]
    private let dice: SeededChoice
    private let seed: UInt64
    private var model: ReferenceModel
    private var ids: [ID<Package>] = []
    /// The previous action, for repetitions.
    private var last: (deed: ReferenceModel.Deed, index: Int, person: Int, key: String, wasDone: Bool)?

    init(_ fixture: CarrepsaFixture, seed: UInt64) async throws {
        self.fixture = fixture
        self.seed = seed
        dice = SeededChoice(seed: seed)
        var people = try await fixture.people(5)
        let judge = try await fixture.person("Olga", isOperator: true)
        try await fixture.carrepsa.memberships.ensureWallet(of: judge)
        people.append(judge)
        self.people = people
        model = ReferenceModel(people: people.count, each: CarrepsaFixture.welcome)
    }

    /// - Returns: whether service and model agree.
    mutating func step(_ number: Int) async throws -> Bool {
        if dice.happens(oneIn: 12) { try await passTime() }
        if let last, dice.happens(oneIn: 15) { return try await repeatLast(last, number) }
        let deed = draw()
        let index = ids.isEmpty ? 0 : max(0, ids.count - 1 - dice.roll(min(ids.count, Self.recent)))
        let person = drawPerson(for: deed, index)
        let key = "k\(number)"
        let code = try await code(for: deed, index, person)
        let expected = model.perform(code.deed, on: index, by: person, now: fixture.now)
        let got = await perform(code.deed, index, person, key: key, code: code.text)
        last = (code.deed, index, person, key, got == nil)
        return try await check(number, code.deed, index, person, expected: expected, got: got)
    }

    private mutating func repeatLast(
        _ last: (deed: ReferenceModel.Deed, index: Int, person: Int, key: String, wasDone: Bool), _ number: Int
    ) async throws -> Bool {
        switch last.deed {
        // The code may no longer be valid.
        case .pickupWithCode, .deliverWithCode: return true
        default: break
        }
        let expected =
            last.wasDone ? nil : model.perform(last.deed, on: last.index, by: last.person, now: fixture.now)
        let got = await perform(last.deed, last.index, last.person, key: last.key, code: nil)
        self.last = (last.deed, last.index, last.person, last.key, got == nil)
        return try await check(number, last.deed, last.index, last.person, expected: expected, got: got)
    }

    private mutating func passTime() async throws {
        let seconds = dice.happens(oneIn: 8) ? 30 * 60 * 60 : Int64(1 + dice.roll(40 * 60))
        fixture.clock.advance(seconds: seconds)
        model.pass(fixture.now)
        if dice.happens(oneIn: 2) {
            try await fixture.carrepsa.housekeeping.run()
            model.askOperators(fixture.now)
            model.endDisputes(fixture.now)
        }
    }

    private func draw() -> ReferenceModel.Deed {
        if ids.isEmpty { return .post(reward: 5_00, lock: 10_00, deadline: nil) }
        switch dice.roll(42) {
        case 0...5:
            let reward = dice.happens(oneIn: 12) ? Int64(-dice.roll(2)) : Int64(1 + dice.roll(60_00))
            let lock = dice.happens(oneIn: 12) ? 0 : Int64(1 + dice.roll(70_00))
            let deadline = dice.happens(oneIn: 3) ? fixture.now.adding(seconds: Int64(dice.roll(60 * 60))) : nil
            return .post(reward: reward, lock: lock, deadline: deadline)
        case 6: return .withdraw
        case 7...13: return .accept
        case 14, 15: return .cancel
        case 16...18: return .pickup
        case 19: return .pickupWithCode(isRight: !dice.happens(oneIn: 3))
        case 20, 21: return .deliver
        case 22: return .deliverWithCode(isRight: !dice.happens(oneIn: 3))
        case 23: return .report
        case 24, 25: return .request
        case 26: return .retract
        case 27: return .dispute
        case 28...30: return .write
        case 31, 32: return .offer(reward: Int64(dice.roll(20_00)) - 1_00, lock: Int64(dice.roll(30_00)) - 1_00)
        case 33: return .removeOffer
        case 34: return .acceptOffer
        case 35: return .acceptDecision
        case 36: return .appeal
        case 37: return .edit(reward: Int64(1 + dice.roll(60_00)), lock: Int64(1 + dice.roll(70_00)))
        case 38: return .refuse
        default:
            return .decide(
                DisputeOutcome.allCases[dice.roll(DisputeOutcome.allCases.count)],
                reward: Int64(dice.roll(20_00)) - 1_00, lock: Int64(dice.roll(30_00)) - 1_00)
        }
    }

    /// Returns a person who is involved in the package in most cases, so that many actions succeed.
    private func drawPerson(for deed: ReferenceModel.Deed, _ index: Int) -> Int {
        guard index < model.parcels.count, !dice.happens(oneIn: 3) else { return dice.roll(people.count) }
        let parcel = model.parcels[index]
        switch deed {
        case .post, .accept: return dice.roll(people.count)
        case .decide: return model.operatorNumber
        case .withdraw, .edit, .pickup, .deliver: return parcel.owner
        default: return dice.happens(oneIn: 2) ? parcel.owner : parcel.carrier ?? parcel.owner
        }
    }

    /// Returns the other person's code or a wrong one. If the other person has no code, changes the action to one with
    /// a wrong code.
    private func code(
        for deed: ReferenceModel.Deed, _ index: Int, _ person: Int
    ) async throws -> (deed: ReferenceModel.Deed, text: String?) {
        let step: HandoverStep
        let isRight: Bool
        switch deed {
        case .pickupWithCode(let right): (step, isRight) = (.pickup, right)
        case .deliverWithCode(let right): (step, isRight) = (.delivery, right)
        default: return (deed, nil)
        }
        let parcel = model.parcels[index]
        let other = parcel.owner == person ? parcel.carrier : parcel.owner
        if isRight, let other {
            let code = try? await fixture.carrepsa.handovers.createCode(ids[index], step: step, by: people[other])
            if let code { return (deed, code.code) }
        }
        return (step == .pickup ? .pickupWithCode(isRight: false) : .deliverWithCode(isRight: false), "nonsense")
    }

    private mutating func perform(
        _ deed: ReferenceModel.Deed, _ index: Int, _ person: Int, key: String, code: String?
    ) async -> AppError.Code? {
        let carrepsa = fixture.carrepsa
        let change = Change.keyed(people[person], "/deeds", key)
        if case .post(let reward, let lock, let deadline) = deed {
            let input = CarrepsaFixture.parcel(reward: reward, moneyLock: lock, deadline: deadline)
            do {
                let id = try await carrepsa.packages.create(input, by: change).package.id
                if !ids.contains(id) { ids.append(id) }
                return nil
            } catch {
                return (error as? AppError)?.code ?? .internal
            }
        }
        let id = ids[index]
        return await refusal {
            switch deed {
            case .post: break
            case .withdraw: try await carrepsa.packages.withdraw(id, by: change)
            case .edit(let reward, let lock):
                let input = CarrepsaFixture.parcel(reward: reward, moneyLock: lock)
                _ = try await carrepsa.packages.edit(id, input, by: change)
            case .accept:
                // An edited offer requires the version.
                let read = Change(
                    actor: change.actor, idempotency: change.idempotency,
                    ifVersion: try await fixture.stored(id)?.version)
                _ = try await carrepsa.acceptances.accept(id, by: read)
            case .cancel: _ = try await carrepsa.acceptances.cancel(id, by: change)
            case .pickup, .pickupWithCode: _ = try await carrepsa.handovers.confirmPickup(id, code: code, by: change)
            case .deliver, .deliverWithCode:
                _ = try await carrepsa.handovers.confirmDelivery(id, code: code, by: change)
            case .report: _ = try await carrepsa.handovers.reportDelivery(id, by: change)
            case .request: _ = try await carrepsa.cancellations.request(id, by: change)
            case .retract: _ = try await carrepsa.cancellations.retract(id, by: change)
            case .refuse:
                try await fixture.execute(fixture.command(.refuse, id, by: .recipient), scope: change.idempotency)
            case .dispute: _ = try await carrepsa.disputes.open(id, reason: "It is late", by: change)
            case .decide(let outcome, let reward, let lock):
                let split = MoneySplit(rewardToCarrier: reward, depositToOwner: lock)
                _ = try await carrepsa.disputes.decide(
                    id, outcome: outcome, split: split, note: "Seen the receipt", by: change)
            case .write: _ = try await carrepsa.disputes.addStatement(id, text: "It wasn't me", by: change)
            case .offer(let reward, let lock):
                let split = MoneySplit(rewardToCarrier: reward, depositToOwner: lock)
                _ = try await carrepsa.disputes.offerSplit(id, split, statement: nil, by: change)
            case .removeOffer: _ = try await carrepsa.disputes.removeOffer(id, by: change)
            case .acceptOffer:
                let read = Change(
                    actor: change.actor, idempotency: change.idempotency,
                    ifVersion: try await fixture.stored(id)?.version)
                _ = try await carrepsa.disputes.acceptSplit(id, by: read)
            case .acceptDecision: _ = try await carrepsa.disputes.acceptDecision(id, by: change)
            case .appeal: _ = try await carrepsa.disputes.appeal(id, reason: "It is unfair", by: change)
            }
        }?.code
    }

    // MARK: Comparison

    private func check(
        _ number: Int, _ deed: ReferenceModel.Deed, _ index: Int, _ person: Int, expected: AppError.Code?,
        got: AppError.Code?
    ) async throws -> Bool {
        let place: Comment = "deed \(number) of seed \(seed): \(deed) on \(index) by \(person)"
        #expect(got == expected, place)
        let touched = ids.isEmpty ? nil : min(index, ids.count - 1)
        let (balances, rows) = try await state(of: touched.map { [$0] } ?? [])
        #expect(balances == model.balances, place)
        var isSame = got == expected && balances == model.balances && ids.count == model.parcels.count
        #expect(ids.count == model.parcels.count, place)
        if let touched, let row = rows.first {
            let wanted = shown(model.parcels[touched])
            #expect(row == wanted, place)
            isSame = isSame && row == wanted
        }
        return isSame
    }

    func compareAll() async throws {
        let (_, rows) = try await state(of: Array(ids.indices))
        #expect(rows == model.parcels.map(shown))
    }

    private func state(of indices: [Int]) async throws -> ([Int64], [String]) {
        // A read through the service first expires overdue packages in the database.
        _ = try await fixture.carrepsa.wallets.wallet(of: people[0])
        return try await fixture.database.read { [people, ids, fixture] tx in
            let balances = try people.map {
                try fixture.ledger.balance(of: CarrepsaLedgerAccounts.wallet($0.person), in: tx)
            }
            let rows = try indices.map { index -> String in
                guard var package = try PackageStore.find(ids[index], in: tx) else { return "gone" }
                try package.readDispute(in: tx)
                let carrier = people.firstIndex { $0.person == package.carrier }
                let asked = package.cancellationRequestedBy.map { $0 == .owner ? package.owner : package.carrier }
                let initiator = asked.flatMap { asked in people.firstIndex { $0.person == asked } }
                return """
                    \(package.state) \(carrier ?? -1) \(package.isRewardHeld) \(package.withdrawnAt != nil) \
                    \(package.deliveryReportedAt != nil) \(initiator ?? -1) \(package.disputedAt != nil) \(package.version) \
                    \(package.reward) \(package.moneyLock) \
                    \(Self.text(package.dispute, of: package, in: people.map(\.person)))
                    """
            }
            return (balances, rows)
        }
    }

    private func shown(_ parcel: ReferenceModel.Parcel) -> String {
        """
        \(parcel.state) \(parcel.carrier ?? -1) \(parcel.isHeld) \(parcel.isWithdrawn) \(parcel.isReported) \
        \(parcel.askedToCancel ?? -1) \(parcel.isDisputed) \(parcel.version) \(parcel.reward) \(parcel.lock) \
        \(parcel.isDisputed ? Self.text(parcel) : "-")
        """
    }

    private static func text(_ dispute: Dispute?, of package: StoredPackage, in people: [PersonID]) -> String {
        guard let dispute else { return "-" }
        func number(_ role: PackageRole?) -> Int {
            people.firstIndex { $0 == (role == .owner ? package.owner : role == .carrier ? package.carrier : nil) }
                ?? -1
        }
        let offer = dispute.offer.map { "\(number($0.by)) \($0.split.rewardToCarrier) \($0.split.depositToOwner)" }
        let decision = dispute.decision.map {
            """
            \($0.outcome) \($0.split.rewardToCarrier) \($0.split.depositToOwner) \
            \(String(describing: $0.effectiveAt))
            """
        }
        return """
            \(String(describing: dispute.statementsUntil)) \(number(dispute.awaited)) \(offer ?? "none") \
            \(decision ?? "none") \(dispute.appeal != nil)
            """
    }

    private static func text(_ parcel: ReferenceModel.Parcel) -> String {
        let offer = parcel.offer.map { "\($0.by) \($0.reward) \($0.lock)" }
        let decision = parcel.decision.map {
            "\($0.outcome) \($0.reward) \($0.lock) \(String(describing: $0.effectiveAt))"
        }
        return """
            \(String(describing: parcel.statementsUntil)) \(parcel.awaited ?? -1) \(offer ?? "none") \
            \(decision ?? "none") \(parcel.hasAppealed)
            """
    }
}
