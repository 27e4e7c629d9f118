import Kernel

@testable import Carrepsa

/// A second, simple implementation of Carrepsa's rules: people are numbers and money is a list of numbers. It doesn't
/// use the service's table.
struct ReferenceModel {
    struct Parcel: Equatable {
        var state = PackageState.available
        let owner: Int
        var carrier: Int?
        var reward: Int64
        var lock: Int64
        var deadline: Instant?
        var isHeld = true
        var isWithdrawn = false
        var isReported = false
        var reportedAt: Instant?
        var askedToCancel: Int?
        var isDisputed = false
        /// Until when owner and carrier may write; `nil` when the time is over.
        var statementsUntil: Instant?
        /// The person who hasn't written.
        var awaited: Int?
        var statements: [Int: Int] = [:]
        var offer: Offer?
        var decision: Decision?
        var hasAppealed = false
        /// Those who carried it before.
        var carriers: Set<Int> = []
        var isRefused = false
        var version: Int64 = 1
        /// Whether the newest history entry is an acceptance that failed because the reward isn't covered.
        var isOwnerTold = false
        /// The times of each person's wrong codes.
        var wrongCodes: [Int: [Instant]] = [:]
        /// When each carrier cancelled the acceptance.
        var cancelledAt: [Int: Instant] = [:]

        var isLive: Bool { state != .delivered && state != .cancelled }
    }

    /// An offer to divide the money: what the carrier gets of the reward, and the owner of the lock.
    struct Offer: Equatable {
        let by: Int
        let reward: Int64
        let lock: Int64
    }

    struct Decision: Equatable {
        let outcome: DisputeOutcome
        let reward: Int64
        let lock: Int64
        var effectiveAt: Instant?
        var acceptedBy: Int?
    }

    enum Deed: Equatable {
        case post(reward: Int64, lock: Int64, deadline: Instant?)
        case edit(reward: Int64, lock: Int64)
        case withdraw, accept, cancel, pickup, deliver
        case pickupWithCode(isRight: Bool), deliverWithCode(isRight: Bool)
        case report, request, retract, dispute
        case decide(DisputeOutcome, reward: Int64, lock: Int64)
        case write, offer(reward: Int64, lock: Int64), removeOffer, acceptOffer, acceptDecision, appeal
        /// By the recipient; the person has no part in it.
        case refuse
    }

    private(set) var balances: [Int64]
    private(set) var parcels: [Parcel] = []
    let operatorNumber: Int
    private let hour: Int64 = 60 * 60

    init(people: Int, each balance: Int64) {
        balances = [Int64](repeating: balance, count: people)
        operatorNumber = people - 1
    }

    // MARK: Time

    /// Applies the deadlines that have passed at `now`.
    mutating func pass(_ now: Instant) {
        for index in parcels.indices where parcels[index].state == .accepted {
            if let deadline = parcels[index].deadline, deadline <= now { giveBack(index) }
        }
        for index in parcels.indices where parcels[index].state == .available && parcels[index].isHeld {
            if let deadline = parcels[index].deadline, deadline <= now { giveBack(index) }
        }
    }

    /// Opens the disputes that housekeeping opens for unanswered delivery reports.
    mutating func askOperators(_ now: Instant) {
        for index in parcels.indices {
            let parcel = parcels[index]
            guard parcel.state == .travelling, !parcel.isDisputed, let reportedAt = parcel.reportedAt else { continue }
            if reportedAt.adding(seconds: 72 * hour) <= now {
                parcels[index].isDisputed = true
                parcels[index].statementsUntil = now.adding(seconds: 72 * hour)
                parcels[index].awaited = parcel.owner
                grow(index)
            }
        }
    }

    /// Ends the time for statements, and lets decisions take effect, as housekeeping does.
    mutating func endDisputes(_ now: Instant) {
        for index in parcels.indices where parcels[index].state == .travelling {
            if let until = parcels[index].statementsUntil, until <= now {
                parcels[index].statementsUntil = nil
                parcels[index].awaited = nil
                grow(index)
            }
            enforce(index, now)
        }
    }

    private mutating func enforce(_ index: Int, _ now: Instant) {
        let parcel = parcels[index]
        guard let decision = parcel.decision, let effectiveAt = decision.effectiveAt, effectiveAt <= now else { return }
        divide(index, reward: decision.reward, lock: decision.lock)
        finish(index, decision.outcome == .delivered ? .delivered : .cancelled)
    }

    private mutating func divide(_ index: Int, reward: Int64, lock: Int64) {
        let parcel = parcels[index]
        balances[parcel.owner] += parcel.reward - reward + lock
        if let carrier = parcel.carrier { balances[carrier] += parcel.lock - lock + reward }
        parcels[index].isHeld = false
    }

    // MARK: Actions

    /// Performs an action; returns the error code if it is rejected.
    mutating func perform(_ deed: Deed, on index: Int, by person: Int, now: Instant) -> AppError.Code? {
        if case .post(let reward, let lock, let deadline) = deed {
            if reward < 1 || lock < 1 { return .invalid }
            if let deadline, deadline <= now { return .invalid }
            if balances[person] < reward { return .insufficientFunds }
            balances[person] -= reward
            parcels.append(Parcel(owner: person, carrier: nil, reward: reward, lock: lock, deadline: deadline))
            return nil
        }
        let parcel = parcels[index]
        if parcel.isWithdrawn { return .notFound }
        let isOwner = parcel.owner == person
        let isCarrier = parcel.carrier == person
        switch deed {
        case .post: return nil
        case .accept: return accept(index, by: person, now: now)
        case .edit(let reward, let lock): return edit(index, reward: reward, lock: lock, by: person)
        case .withdraw:
            if let code = gate(parcel, person, during: .available, may: isOwner) { return code }
            if parcel.isHeld { balances[person] += parcel.reward }
            parcels[index].isHeld = false
            parcels[index].isWithdrawn = true
            finish(index, .cancelled)
        case .cancel:
            if let code = gate(parcel, person, during: .accepted, may: isOwner || isCarrier) { return code }
            giveBack(index)
            if isCarrier { parcels[index].cancelledAt[person] = now }
        case .pickup:
            if let code = gate(parcel, person, during: .accepted, may: isOwner || isCarrier) { return code }
            if isCarrier { return .invalid }
            parcels[index].state = .travelling
            grow(index)
        case .pickupWithCode(let isRight):
            if let code = prove(index, person, during: .accepted, isRight: isRight, now: now) { return code }
            parcels[index].state = .travelling
            grow(index)
        case .deliver:
            if let code = gate(parcel, person, during: .travelling, may: isOwner || isCarrier) { return code }
            if isCarrier { return .invalid }
            pay(index)
        case .deliverWithCode(let isRight):
            if let code = prove(index, person, during: .travelling, isRight: isRight, now: now) { return code }
            pay(index)
        case .report, .request, .retract, .dispute: return talk(deed, index, by: person, now: now)
        case .refuse: return refuse(index)
        case .write, .offer, .removeOffer, .acceptOffer, .acceptDecision, .appeal:
            return discuss(deed, index, by: person, now: now)
        case .decide(let outcome, let reward, let lock):
            return decide(outcome, reward, lock, index, by: person, now: now)
        }
        return nil
    }

    private mutating func discuss(_ deed: Deed, _ index: Int, by person: Int, now: Instant) -> AppError.Code? {
        let parcel = parcels[index]
        let isOwner = parcel.owner == person
        if let code = gate(parcel, person, during: .travelling, may: isOwner || parcel.carrier == person) {
            return code
        }
        let isDecisionOpen = parcel.decision?.effectiveAt.map { $0 > now } ?? false
        switch deed {
        case .write:
            guard let until = parcel.statementsUntil, until > now, parcel.statements[person, default: 0] < 10 else {
                return .conflict
            }
            recordStatement(index, person)
        case .offer(let reward, let lock):
            guard parcel.isDisputed, parcel.statements[person, default: 0] < 10 else { return .conflict }
            guard (0...parcel.reward).contains(reward), (0...parcel.lock).contains(lock) else { return .invalid }
            // The offers have no text, so a decision still waits for a statement.
            parcels[index].statements[person, default: 0] += 1
            parcels[index].offer = Offer(by: person, reward: reward, lock: lock)
        case .removeOffer:
            if parcel.offer == nil { return .conflict }
            parcels[index].offer = nil
        case .acceptOffer:
            guard let offer = parcel.offer, offer.by != person else { return .conflict }
            divide(index, reward: offer.reward, lock: offer.lock)
            finish(index, .cancelled)
            return nil
        case .acceptDecision:
            guard isDecisionOpen, parcel.decision?.acceptedBy != person else { return .conflict }
            grow(index)
            if parcel.decision?.acceptedBy != nil {
                parcels[index].decision?.effectiveAt = now
                enforce(index, now)
            } else {
                parcels[index].decision?.acceptedBy = person
            }
            return nil
        default:
            guard isDecisionOpen, !parcel.hasAppealed, parcel.decision?.acceptedBy != person else { return .conflict }
            parcels[index].decision?.effectiveAt = nil
            parcels[index].hasAppealed = true
            parcels[index].statementsUntil = now.adding(seconds: 72 * hour)
            parcels[index].awaited = isOwner ? parcel.carrier : parcel.owner
        }
        grow(index)
        return nil
    }

    private mutating func recordStatement(_ index: Int, _ person: Int) {
        parcels[index].statements[person, default: 0] += 1
        if parcels[index].awaited == person { parcels[index].awaited = nil }
    }

    private mutating func accept(_ index: Int, by person: Int, now: Instant) -> AppError.Code? {
        let parcel = parcels[index]
        if parcel.owner == person { return .forbidden }
        if parcel.state != .available { return .conflict }
        if let deadline = parcel.deadline, deadline <= now { return .conflict }
        if let cancelled = parcel.cancelledAt[person], cancelled.adding(seconds: 24 * hour) > now { return .conflict }
        if balances[person] < parcel.lock { return .insufficientFunds }
        if !parcel.isHeld, balances[parcel.owner] < parcel.reward {
            if !parcel.isOwnerTold {
                grow(index)
                parcels[index].isOwnerTold = true
            }
            return .rewardNotFunded
        }
        if !parcel.isHeld { balances[parcel.owner] -= parcel.reward }
        balances[person] -= parcel.lock
        parcels[index].isHeld = true
        parcels[index].carrier = person
        parcels[index].carriers.insert(person)
        parcels[index].state = .accepted
        grow(index)
        return nil
    }

    /// The edited offer has no deadline.
    private mutating func edit(_ index: Int, reward: Int64, lock: Int64, by person: Int) -> AppError.Code? {
        let parcel = parcels[index]
        if let code = gate(parcel, person, during: .available, may: parcel.owner == person) { return code }
        let difference = reward - (parcel.isHeld ? parcel.reward : 0)
        if balances[person] < difference { return .insufficientFunds }
        balances[person] -= difference
        parcels[index].reward = reward
        parcels[index].lock = lock
        parcels[index].deadline = nil
        parcels[index].isHeld = true
        grow(index)
        return nil
    }

    private mutating func talk(_ deed: Deed, _ index: Int, by person: Int, now: Instant) -> AppError.Code? {
        let parcel = parcels[index]
        let isParty = parcel.owner == person || parcel.carrier == person
        let may = deed == .report ? parcel.carrier == person : isParty
        if let code = gate(parcel, person, during: .travelling, may: may) { return code }
        switch deed {
        case .report:
            if parcel.isReported { return .conflict }
            parcels[index].isReported = true
            parcels[index].reportedAt = now
        case .request:
            if parcel.askedToCancel == person { return .conflict }
            if parcel.askedToCancel != nil {
                balances[parcel.owner] += parcel.reward
                if let carrier = parcel.carrier { balances[carrier] += parcel.lock }
                parcels[index].isHeld = false
                finish(index, .cancelled)
                return nil
            }
            parcels[index].askedToCancel = person
        case .retract:
            if parcel.askedToCancel != person { return .conflict }
            parcels[index].askedToCancel = nil
        default:
            if parcel.isDisputed { return .conflict }
            parcels[index].isDisputed = true
            parcels[index].statementsUntil = now.adding(seconds: 72 * hour)
            parcels[index].awaited = parcel.owner == person ? parcel.carrier : parcel.owner
        }
        grow(index)
        return nil
    }

    private mutating func refuse(_ index: Int) -> AppError.Code? {
        let parcel = parcels[index]
        guard parcel.state == .accepted || parcel.state == .travelling, !parcel.isRefused else { return .conflict }
        parcels[index].isRefused = true
        grow(index)
        return nil
    }

    private mutating func decide(
        _ outcome: DisputeOutcome, _ reward: Int64, _ lock: Int64, _ index: Int, by person: Int, now: Instant
    ) -> AppError.Code? {
        let parcel = parcels[index]
        if person != operatorNumber || parcel.owner == person || parcel.carriers.contains(person) { return .forbidden }
        guard parcel.state == .travelling, parcel.isDisputed else { return .conflict }
        let isHeard = parcel.awaited == nil || parcel.statementsUntil.map { $0 <= now } ?? true
        guard isHeard, parcel.decision == nil || (parcel.hasAppealed && parcel.decision?.effectiveAt == nil) else {
            return .conflict
        }
        if outcome == .split, !(0...parcel.reward).contains(reward) || !(0...parcel.lock).contains(lock) {
            return .invalid
        }
        let share = outcome == .split ? reward : outcome == .delivered ? parcel.reward : 0
        let forfeit = outcome == .split ? lock : outcome == .lost ? parcel.lock : 0
        parcels[index].decision = Decision(
            outcome: outcome, reward: share, lock: forfeit,
            effectiveAt: parcel.hasAppealed ? now : now.adding(seconds: 72 * hour), acceptedBy: nil)
        parcels[index].statementsUntil = nil
        parcels[index].awaited = nil
        parcels[index].offer = nil
        parcels[index].askedToCancel = nil
        grow(index)
        if parcel.hasAppealed { enforce(index, now) }
        return nil
    }

    // MARK: Helpers

    /// Returns why an action of owner or carrier is rejected: not visible, too late or not permitted; `nil` if it is
    /// allowed.
    private func gate(
        _ parcel: Parcel, _ person: Int, during state: PackageState, may: Bool
    ) -> AppError.Code? {
        if parcel.state == state, may { return nil }
        let isParty = parcel.owner == person || parcel.carrier == person
        if parcel.isWithdrawn || (!isParty && parcel.state != .available) { return .notFound }
        return parcel.state == state ? .forbidden : .conflict
    }

    private mutating func prove(
        _ index: Int, _ person: Int, during state: PackageState, isRight: Bool, now: Instant
    ) -> AppError.Code? {
        let parcel = parcels[index]
        let isParty = parcel.owner == person || parcel.carrier == person
        if let code = gate(parcel, person, during: state, may: isParty) { return code }
        let recent = parcel.wrongCodes[person, default: []].filter { $0.adding(seconds: hour / 2) > now }
        if recent.count >= 5 { return .throttled }
        guard isRight else {
            parcels[index].wrongCodes[person] = recent + [now]
            return .invalid
        }
        parcels[index].wrongCodes[person] = []
        return nil
    }

    private mutating func giveBack(_ index: Int) {
        let parcel = parcels[index]
        balances[parcel.owner] += parcel.reward
        if let carrier = parcel.carrier { balances[carrier] += parcel.lock }
        parcels[index].isHeld = false
        parcels[index].carrier = nil
        parcels[index].state = .available
        grow(index)
    }

    private mutating func pay(_ index: Int) {
        let parcel = parcels[index]
        if let carrier = parcel.carrier { balances[carrier] += parcel.reward + parcel.lock }
        parcels[index].isHeld = false
        finish(index, .delivered)
    }

    private mutating func finish(_ index: Int, _ state: PackageState) {
        parcels[index].state = state
        parcels[index].statementsUntil = nil
        parcels[index].awaited = nil
        parcels[index].decision?.effectiveAt = nil
        grow(index)
    }

    private mutating func grow(_ index: Int) {
        parcels[index].version += 1
        parcels[index].isOwnerTold = false
    }
}
