package import Kernel

/// How reward and deposit of a package are divided between owner and carrier.
package struct MoneySplit: Sendable, Hashable {
    /// The carrier's part of the reward in minor units, 0 to the reward; the owner gets the rest.
    package let rewardToCarrier: Int64
    /// The owner's part of the deposit in minor units, 0 to the deposit; the carrier gets the rest.
    package let depositToOwner: Int64

    package init(rewardToCarrier: Int64, depositToOwner: Int64) {
        self.rewardToCarrier = rewardToCarrier
        self.depositToOwner = depositToOwner
    }

    /// Returns what the owner gets, in minor units.
    package func ownerShare(reward: Int64) -> Int64 { reward - rewardToCarrier + depositToOwner }

    /// Returns what the carrier gets, in minor units.
    package func carrierShare(deposit: Int64) -> Int64 { deposit - depositToOwner + rewardToCarrier }
}

/// What a dispute is about.
package enum DisputeKind: String, Sendable, Hashable, CaseIterable {
    /// It didn't arrive.
    case notDelivered
    case damaged
    /// It isn't what the offer says.
    case notAsDescribed
    case late
    /// The other person doesn't answer.
    case noAnswer
    case other
}

/// The decision of a dispute.
package enum DisputeOutcome: String, Sendable, Hashable, CaseIterable {
    /// It was delivered: the carrier gets deposit and reward.
    case delivered
    /// The owner gets the reward and the carrier the deposit back.
    case refunded
    /// The carrier lost it: the owner gets reward and deposit.
    case lost
    /// Reward and deposit are divided.
    case split
}

/// The dispute about a package: who may still write, what is offered, and what is decided.
package struct Dispute: Sendable, Hashable {
    /// The newest offer of owner or carrier to divide the money.
    package struct Offer: Sendable, Hashable {
        /// ``PackageRole/owner`` or ``PackageRole/carrier``.
        package let by: PackageRole
        package let split: MoneySplit
    }

    /// An administrator's decision.
    package struct Decision: Sendable, Hashable {
        package let outcome: DisputeOutcome
        /// The division of the money that the outcome means.
        package let split: MoneySplit
        /// The administrator; `nil` if the account was deleted.
        package let by: PersonID?
        package let at: Instant
        /// When the money moves; `nil` while an appeal waits for a decision, and when the dispute is over.
        package var effectiveAt: Instant?
        /// The owner or carrier who accepted the decision first.
        package var acceptedBy: PackageRole?
    }

    /// An appeal of owner or carrier against the first decision.
    package struct Appeal: Sendable, Hashable {
        package let by: PackageRole
        package let at: Instant
    }

    package let kind: DisputeKind
    /// The end of the time for statements; `nil` when it is over.
    package var statementsUntil: Instant?
    /// The owner or carrier who hasn't written yet. A decision waits for them until ``statementsUntil``.
    package var awaited: PackageRole?
    package var offer: Offer?
    package var decision: Decision?
    package var appeal: Appeal?

    /// Creates a dispute that was just opened.
    /// - Parameter role: who opened it: ``PackageRole/owner``, ``PackageRole/carrier`` or ``PackageRole/clock``.
    init(_ kind: DisputeKind, openedBy role: PackageRole, now: Instant) {
        self.init(
            kind: kind, statementsUntil: now.adding(seconds: Limits.disputeAnswerSeconds),
            // The carrier has reported the delivery when the clock opens a dispute.
            awaited: role == .owner ? .carrier : .owner, offer: nil, decision: nil, appeal: nil)
    }

    init(
        kind: DisputeKind, statementsUntil: Instant?, awaited: PackageRole?, offer: Offer?, decision: Decision?,
        appeal: Appeal?
    ) {
        self.kind = kind
        self.statementsUntil = statementsUntil
        self.awaited = awaited
        self.offer = offer
        self.decision = decision
        self.appeal = appeal
    }

    /// Whether an administrator may decide: there is no decision, or owner or carrier appealed against it.
    package var isUndecided: Bool { decision == nil || (appeal != nil && decision?.effectiveAt == nil) }

    /// Whether the administrator made the decision that owner or carrier appealed against.
    func waitsForOther(than administrator: PersonID) -> Bool {
        appeal != nil && isUndecided && decision?.by == administrator
    }

    /// Whether owner and carrier can accept the decision or appeal against it.
    package func isDecisionOpen(_ now: Instant) -> Bool { decision?.effectiveAt.map { $0 > now } ?? false }

    /// Whether the time for statements is over, but no transition has recorded it yet.
    func areStatementsOver(_ now: Instant) -> Bool { statementsUntil.map { $0 <= now } ?? false }

    /// Whether the money moves by this decision now.
    func isInEffect(_ outcome: DisputeOutcome, _ now: Instant) -> Bool {
        guard let decision, decision.outcome == outcome, let effectiveAt = decision.effectiveAt else { return false }
        return effectiveAt <= now
    }

    /// The action by which the decision takes effect now.
    func actionInEffect(_ now: Instant) -> PackageAction? {
        guard let outcome = decision?.outcome, isInEffect(outcome, now) else { return nil }
        return outcome.enforcement
    }

    /// Ends the time for statements and for an appeal.
    mutating func close() {
        statementsUntil = nil
        awaited = nil
        decision?.effectiveAt = nil
    }

    /// Records a decision. One that follows an appeal takes effect at once. An offer from before ends: who made it
    /// didn't know the decision.
    mutating func decide(_ outcome: DisputeOutcome, _ split: MoneySplit, by person: PersonID?, now: Instant) {
        close()
        offer = nil
        let effectiveAt = appeal == nil ? now.adding(seconds: Limits.appealSeconds) : now
        decision = Decision(
            outcome: outcome, split: split, by: person, at: now, effectiveAt: effectiveAt, acceptedBy: nil)
    }

    /// Stops the decision, and gives owner and carrier time for statements again.
    mutating func appeal(by role: PackageRole, now: Instant) {
        decision?.effectiveAt = nil
        appeal = Appeal(by: role, at: now)
        statementsUntil = now.adding(seconds: Limits.disputeAnswerSeconds)
        awaited = role == .owner ? .carrier : .owner
    }
}

/// A dispute in a list for administrators.
package struct DisputeCase: Sendable, Hashable {
    package let package: Package
    /// `nil` for a dispute that waits for a decision.
    package let decision: Dispute.Decision?
    /// The administrator's reason; `nil` without a decision.
    package let reason: String?
    /// Whether the reader made the decision that owner or carrier appealed against, so that another one decides.
    package let isOfOthers: Bool
}

extension PackageAction {
    /// Whether a decision takes effect by the action.
    package var isEnforcement: Bool { DisputeOutcome.allCases.contains { $0.enforcement == self } }
}

extension DisputeOutcome {
    /// The action by which the decision takes effect.
    var enforcement: PackageAction {
        switch self {
        case .delivered: .enforceDelivered
        case .refunded: .enforceRefunded
        case .lost: .enforceLost
        case .split: .enforceSplit
        }
    }

    /// Returns the division of the money that the outcome means.
    package func split(reward: Int64, deposit: Int64) -> MoneySplit {
        MoneySplit(
            rewardToCarrier: self == .delivered ? reward : 0, depositToOwner: self == .lost ? deposit : 0)
    }
}

extension StoredPackage {
    /// Checks a stated division of the money.
    /// - Throws: `AppError(.invalid)` at `rewardToCarrier` and `depositToOwner`.
    func check(_ split: MoneySplit?) throws {
        guard let split else { throw AppError(.invalid, .splitAmountMissing, field: "rewardToCarrier") }
        var problems = FieldErrors<CarrepsaMessage>()
        if !(0...reward ~= split.rewardToCarrier) { problems.refuse("rewardToCarrier", .splitAmountOutOfRange) }
        if !(0...moneyLock ~= split.depositToOwner) { problems.refuse("depositToOwner", .splitAmountOutOfRange) }
        try problems.finish()
    }
}
