import Kernel

@testable import Carrepsa

/// A second, simple implementation of Carrepsa's rules: people are numbers and money is a list of numbers. It doesn't
/// use the service's table.
struct ReferenceModel {
    struct Parcel: Equatable {
        var state = PackageState.available
        let owner: Int
        var carrier: Int?
        let reward: Int64
        let lock: Int64
        let deadline: Instant?
        var isHeld = true
        var isWithdrawn = false
        var isReported = false
        var reportedAt: Instant?
        var askedToCancel: Int?
        var isDisputed = false
        var version: Int64 = 1
        /// Whether the newest history entry is an acceptance that failed because the reward isn't covered.
        var isOwnerTold = false
        /// The times of each person's wrong codes.
        var wrongCodes: [Int: [Instant]] = [:]

        var isLive: Bool { state != .delivered && state != .cancelled }
    }

    enum Deed: Equatable {
        case post(reward: Int64, lock: Int64, deadline: Instant?)
        case withdraw, accept, cancel, pickup, deliver
        case pickupWithCode(isRight: Bool), deliverWithCode(isRight: Bool)
        case report, request, retract, dispute
        case decide(DisputeOutcome)
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
                grow(index)
            }
        }
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
        case .withdraw:
            if let code = gate(parcel, person, during: .available, may: isOwner) { return code }
            if parcel.isHeld { balances[person] += parcel.reward }
            parcels[index].isHeld = false
            parcels[index].isWithdrawn = true
            finish(index, .cancelled)
        case .cancel:
            if let code = gate(parcel, person, during: .accepted, may: isOwner || isCarrier) { return code }
            giveBack(index)
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
        case .decide(let outcome): return decide(outcome, index, by: person)
        }
        return nil
    }

    private mutating func accept(_ index: Int, by person: Int, now: Instant) -> AppError.Code? {
        let parcel = parcels[index]
        if parcel.owner == person { return .forbidden }
        if parcel.state != .available { return .conflict }
        if let deadline = parcel.deadline, deadline <= now { return .conflict }
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
        parcels[index].state = .accepted
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
        }
        grow(index)
        return nil
    }

    private mutating func decide(_ outcome: DisputeOutcome, _ index: Int, by person: Int) -> AppError.Code? {
        let parcel = parcels[index]
        if person != operatorNumber || parcel.owner == person || parcel.carrier == person { return .forbidden }
        guard parcel.state == .travelling, parcel.isDisputed, let carrier = parcel.carrier else { return .conflict }
        switch outcome {
        case .delivered: balances[carrier] += parcel.reward + parcel.lock
        case .refunded:
            balances[parcel.owner] += parcel.reward
            balances[carrier] += parcel.lock
        case .lost: balances[parcel.owner] += parcel.reward + parcel.lock
        }
        parcels[index].isHeld = false
        finish(index, outcome == .delivered ? .delivered : .cancelled)
        return nil
    }

    // MARK: Helpers

    /// Returns why a party's action is rejected: not visible, too late or not permitted; `nil` if it is allowed.
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
        grow(index)
    }

    private mutating func grow(_ index: Int) {
        parcels[index].version += 1
        parcels[index].isOwnerTold = false
    }
}
