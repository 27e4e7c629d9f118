import Kernel

extension StoredPackage {
    /// Whether the package is a case of the administrators: in dispute, or decided and ended less than
    /// ``Limits/decidedCaseSeconds`` ago.
    func isCase(_ now: Instant) -> Bool {
        guard disputedAt != nil else { return false }
        guard let finishedAt else { return state == .travelling }
        return dispute?.decision != nil && now < finishedAt.adding(seconds: Limits.decidedCaseSeconds)
    }

    /// Whether a person with this role may see the package.
    /// - Parameter isOperator: whether the person is an administrator, and the package a case.
    func isVisible(to role: PackageRole, isOperator: Bool) -> Bool {
        guard withdrawnAt == nil else { return false }
        switch role {
        case .owner, .carrier, .clock, .recipient: return true
        case .stranger, .operator:
            return state == .available || isOperator
        }
    }
}

extension TransitionCondition {
    /// Whether the condition holds for `role`. Always true for ``code``: ``HandoverCodes/verify(_:of:in:)``
    /// checks it.
    func holds(for package: StoredPackage, role: PackageRole, now: Instant) -> Bool {
        let dispute = package.dispute
        return switch self {
        case .beforeDeadline: !package.isPastDeadline(now)
        case .afterDeadline: package.isPastDeadline(now)
        case .rewardHeld: package.isRewardHeld
        case .notReported: package.deliveryReportedAt == nil
        case .reportUnanswered:
            package.deliveryReportedAt.map { $0.adding(seconds: Limits.deliveryReportSeconds) <= now } ?? false
        case .noRequest: package.cancellationRequestedBy == nil
        case .ownRequest: package.cancellationRequestedBy == role
        case .otherRequest: package.cancellationRequestedBy != nil && package.cancellationRequestedBy != role
        case .noDispute: package.disputedAt == nil
        case .inDispute: package.disputedAt != nil
        case .statementsLeft: package.statements(of: role) < Limits.disputeStatements
        case .code: true
        case .statementsOpen: dispute?.statementsUntil.map { $0 > now } ?? false
        case .statementsOver: dispute?.areStatementsOver(now) ?? false
        case .heard: dispute.map { $0.awaited == nil || $0.areStatementsOver(now) } ?? false
        case .undecided: dispute?.isUndecided ?? false
        case .ownOffer: dispute?.offer?.by == role
        case .otherOffer: dispute?.offer.map { $0.by != role } ?? false
        case .decisionOpen: dispute?.isDecisionOpen(now) ?? false
        case .notAccepted: dispute?.decision?.acceptedBy != role
        case .noAppeal: dispute?.appeal == nil
        case .deliveredInEffect: dispute?.isInEffect(.delivered, now) ?? false
        case .refundedInEffect: dispute?.isInEffect(.refunded, now) ?? false
        case .lostInEffect: dispute?.isInEffect(.lost, now) ?? false
        case .splitInEffect: dispute?.isInEffect(.split, now) ?? false
        case .notRefused: package.refusedAt == nil
        case .photos: !package.requiresPhotos || package.photos(of: package.state) > 0
        case .proofsLeft: package.pickupPhotos + package.deliveryPhotos < Limits.packageProofs
        }
    }

    /// The error message if the condition doesn't hold.
    var message: CarrepsaMessage {
        switch self {
        case .beforeDeadline: .deadlinePassed
        case .notReported: .alreadyReported
        case .noRequest: .alreadyRequested
        case .ownRequest, .otherRequest: .nothingRequested
        case .noDispute: .alreadyInDispute
        case .inDispute: .notInDispute
        case .statementsLeft: .noStatementsLeft
        case .code: .codeMissing
        case .statementsOpen: .statementsClosed
        case .heard: .notHeard
        case .undecided: .alreadyDecided
        case .ownOffer, .otherOffer: .noSplitOffered
        case .decisionOpen: .noOpenDecision
        case .notAccepted: .decisionAccepted
        case .noAppeal: .alreadyAppealed
        case .notRefused: .alreadyRefused
        case .photos: .photosMissing
        case .proofsLeft: .noProofsLeft
        case .afterDeadline, .rewardHeld, .reportUnanswered, .statementsOver, .deliveredInEffect, .refundedInEffect,
            .lostInEffect, .splitInEffect:
            .stateMovedOn
        }
    }

    /// Whether the page shows the button as disabled, with the reason.
    var isShownAsReason: Bool { self == .beforeDeadline || self == .code || self == .photos }
}

extension Transition {
    /// Returns the first condition that doesn't hold.
    func obstacle(for package: StoredPackage, role: PackageRole, now: Instant) -> TransitionCondition? {
        conditions.first { !$0.holds(for: package, role: role, now: now) }
    }
}

extension DeliveryLifeCycle {
    /// Returns the actions that the page offers, in the order of the table. The obstacle is the reason why a button
    /// is disabled, or the code that the actor must enter.
    static func offers(
        _ package: StoredPackage, to role: PackageRole, isOperator: Bool, now: Instant
    ) -> [(action: PackageAction, obstacle: TransitionCondition?)] {
        let roles: [PackageRole] = role == .stranger && isOperator ? [.stranger, .operator] : [role]
        return table.compactMap { transition in
            guard transition.state == package.state, roles.contains(transition.role) else { return nil }
            let obstacle = transition.obstacle(for: package, role: transition.role, now: now)
            if let obstacle { return obstacle.isShownAsReason ? (transition.action, obstacle) : nil }
            return (transition.action, transition.conditions.contains(.code) ? .code : nil)
        }
    }
}
