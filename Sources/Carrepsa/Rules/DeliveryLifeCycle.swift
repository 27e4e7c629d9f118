package import Notifications

/// The money of a package that moves.
package enum PackageMoney: String, Sendable, CaseIterable {
    /// What the carrier earns.
    case reward
    /// What the carrier puts up.
    case moneyLock
}

/// Where a package's money can be.
package enum Purse: String, Sendable, CaseIterable {
    /// The owner's wallet.
    case owner
    /// The carrier's wallet.
    case carrier
    /// The package's own account.
    case escrow
}

/// Money on its way. Left out where it is at its goal already: a reward is put aside only when it isn't yet, and
/// comes back only when it was.
package struct Payment: Sendable, Hashable {
    /// What moves.
    package let money: PackageMoney
    /// From where.
    package let from: Purse
    /// To where.
    package let to: Purse
}

/// What must hold besides the state.
package enum StepCondition: String, Sendable, CaseIterable {
    /// The latest pickup hasn't come.
    case beforeDeadline
    /// The latest pickup has passed.
    case afterDeadline
    /// The reward is still put aside.
    case rewardHeld
    /// The carrier hasn't reported the delivery.
    case notReported
    /// The report is older than ``Limits/deliveryReportSeconds``.
    case reportUnanswered
    /// Nobody wants to give up.
    case noRequest
    /// The asker wants to give up.
    case ownRequest
    /// The other one wants to give up.
    case otherRequest
    /// No operator is asked.
    case noDispute
    /// An operator is asked.
    case inDispute
    /// The asker has added fewer than ``Limits/disputeStatements`` statements.
    case statementsLeft
    /// The other one's handover code is shown.
    case code
}

/// A notification that a step sends.
package struct StepNotification: Sendable, Hashable {
    /// The recipient. ``PackageRole/operator`` means every operator who may decide.
    package let recipient: PackageRole
    /// The event that its text describes.
    package let event: PackageEvent
    /// The money that its text names.
    package let money: [PackageMoney]

    fileprivate static func owner(_ event: PackageEvent, _ money: PackageMoney...) -> StepNotification {
        StepNotification(recipient: .owner, event: event, money: money)
    }

    fileprivate static func carrier(_ event: PackageEvent, _ money: PackageMoney...) -> StepNotification {
        StepNotification(recipient: .carrier, event: event, money: money)
    }

    fileprivate static func operators(_ event: PackageEvent, _ money: PackageMoney...) -> StepNotification {
        StepNotification(recipient: .operator, event: event, money: money)
    }
}

/// One lawful step.
package struct Step: Sendable, Hashable {
    /// The state that it starts from; `nil` before the package is there.
    package let state: PackageState?
    /// What is done.
    package let action: PackageAction
    /// Who may.
    package let role: PackageRole
    /// What else must hold.
    package let conditions: [StepCondition]
    /// The state afterwards.
    package let next: PackageState
    /// The money that moves with it.
    package let payments: [Payment]
    /// Who hears of it, besides whom it is done by. A stranger stands for everybody: the list of offers changed.
    package let told: [PackageRole]
    /// The notifications of the step, in feed and push. Every party that doesn't act gets one.
    package let notifications: [StepNotification]

    fileprivate init(
        _ state: PackageState?, _ action: PackageAction, _ role: PackageRole, if conditions: [StepCondition] = [],
        _ next: PackageState, _ payments: [Payment] = [], tell told: [PackageRole], notify: [StepNotification]
    ) {
        self.state = state
        self.action = action
        self.role = role
        self.conditions = conditions
        self.next = next
        self.payments = payments
        self.told = told
        notifications = notify
    }
}

/// The life of a package as data. What the service does, which buttons a page shows, the table and the diagram in the
/// documentation and the tests of everything unlawful come from ``table``.
package enum DeliveryLifeCycle {
    private static let holdReward = Payment(money: .reward, from: .owner, to: .escrow)
    private static let holdLock = Payment(money: .moneyLock, from: .carrier, to: .escrow)
    private static let returnReward = Payment(money: .reward, from: .escrow, to: .owner)
    private static let returnLock = Payment(money: .moneyLock, from: .escrow, to: .carrier)
    private static let payReward = Payment(money: .reward, from: .escrow, to: .carrier)
    private static let forfeitLock = Payment(money: .moneyLock, from: .escrow, to: .owner)

    private static let hold = [holdReward, holdLock]
    private static let refund = [returnReward, returnLock]
    private static let pay = [payReward, returnLock]
    private static let compensate = [returnReward, forfeitLock]

    private static let everyConcerned: [PackageRole] = [.owner, .carrier, .operator]

    /// Every lawful step. At most one for a state, an action and a role.
    package static let table: [Step] = offered + accepted + travelling + disputed

    private static let offered: [Step] = [
        Step(nil, .post, .owner, .available, [holdReward], tell: [.stranger], notify: []),
        Step(.available, .withdraw, .owner, .cancelled, [returnReward], tell: [.stranger], notify: []),
        Step(
            .available, .accept, .stranger, if: [.beforeDeadline], .accepted, hold, tell: [.owner, .stranger],
            notify: [.owner(.accepted, .reward)]
        ),
        Step(
            .available, .expire, .clock, if: [.afterDeadline, .rewardHeld], .available, [returnReward],
            tell: [.owner, .stranger], notify: [.owner(.offerLapsed, .reward)]
        ),
    ]

    private static let accepted: [Step] = [
        Step(
            .accepted, .cancelAcceptance, .owner, .available, refund, tell: [.carrier, .stranger],
            notify: [.carrier(.acceptanceCancelled, .moneyLock)]
        ),
        Step(
            .accepted, .cancelAcceptance, .carrier, .available, refund, tell: [.owner, .stranger],
            notify: [.owner(.acceptanceCancelled, .reward)]
        ),
        Step(
            .accepted, .expire, .clock, if: [.afterDeadline], .available, refund, tell: [.owner, .carrier, .stranger],
            notify: [.owner(.pickupLapsed, .reward), .carrier(.pickupLapsed, .moneyLock)]
        ),
        Step(
            .accepted, .confirmPickup, .owner, if: [.beforeDeadline], .travelling, tell: [.carrier],
            notify: [.carrier(.pickedUp, .moneyLock)]
        ),
        Step(
            .accepted, .confirmPickup, .carrier, if: [.beforeDeadline, .code], .travelling, tell: [.owner],
            notify: [.owner(.pickedUp, .reward)]
        ),
    ]

    private static let travelling: [Step] = [
        Step(
            .travelling, .confirmDelivery, .owner, .delivered, pay, tell: [.carrier],
            notify: [.carrier(.deliveredByCarrier, .reward, .moneyLock)]
        ),
        Step(
            .travelling, .confirmDelivery, .carrier, if: [.code], .delivered, pay, tell: [.owner],
            notify: [.owner(.deliveredToOwner, .reward, .moneyLock)]
        ),
        Step(
            .travelling, .reportDelivery, .carrier, if: [.notReported], .travelling, tell: [.owner],
            notify: [.owner(.deliveryReported, .reward, .moneyLock)]
        ),
        Step(
            .travelling, .requestCancellation, .owner, if: [.noRequest], .travelling, tell: [.carrier],
            notify: [.carrier(.cancellationRequested, .moneyLock)]
        ),
        Step(
            .travelling, .requestCancellation, .carrier, if: [.noRequest], .travelling, tell: [.owner],
            notify: [.owner(.cancellationRequested, .reward)]
        ),
        Step(
            .travelling, .retractCancellation, .owner, if: [.ownRequest], .travelling, tell: [.carrier],
            notify: [.carrier(.cancellationRetracted, .moneyLock)]
        ),
        Step(
            .travelling, .retractCancellation, .carrier, if: [.ownRequest], .travelling, tell: [.owner],
            notify: [.owner(.cancellationRetracted, .reward)]
        ),
        Step(
            .travelling, .agreeCancellation, .owner, if: [.otherRequest], .cancelled, refund, tell: [.carrier],
            notify: [.carrier(.cancellationAgreed, .moneyLock)]
        ),
        Step(
            .travelling, .agreeCancellation, .carrier, if: [.otherRequest], .cancelled, refund, tell: [.owner],
            notify: [.owner(.cancellationAgreed, .reward)]
        ),
    ]

    private static let disputed: [Step] = [
        Step(
            .travelling, .dispute, .owner, if: [.noDispute], .travelling, tell: [.carrier, .operator],
            notify: [.carrier(.disputed, .reward, .moneyLock), .operators(.disputeToDecide, .reward, .moneyLock)]
        ),
        Step(
            .travelling, .dispute, .carrier, if: [.noDispute], .travelling, tell: [.owner, .operator],
            notify: [.owner(.disputed, .reward, .moneyLock), .operators(.disputeToDecide, .reward, .moneyLock)]
        ),
        Step(
            .travelling, .addStatement, .owner, if: [.inDispute, .statementsLeft], .travelling,
            tell: [.carrier, .operator],
            notify: [.carrier(.statementAdded, .reward, .moneyLock), .operators(.statementAdded, .reward, .moneyLock)]
        ),
        Step(
            .travelling, .addStatement, .carrier, if: [.inDispute, .statementsLeft], .travelling,
            tell: [.owner, .operator],
            notify: [.owner(.statementAdded, .reward, .moneyLock), .operators(.statementAdded, .reward, .moneyLock)]
        ),
        Step(
            .travelling, .escalate, .clock, if: [.reportUnanswered, .noDispute], .travelling, tell: everyConcerned,
            notify: [
                .owner(.escalated, .reward, .moneyLock), .carrier(.escalated, .reward, .moneyLock),
                .operators(.escalationToDecide, .reward, .moneyLock),
            ]
        ),
        Step(
            .travelling, .decideDelivered, .operator, if: [.inDispute], .delivered, pay, tell: everyConcerned,
            notify: [
                .owner(.decidedDeliveredForOwner, .reward, .moneyLock),
                .carrier(.decidedDeliveredForCarrier, .reward, .moneyLock),
            ]
        ),
        Step(
            .travelling, .decideRefunded, .operator, if: [.inDispute], .cancelled, refund, tell: everyConcerned,
            notify: [.owner(.decidedRefunded, .reward), .carrier(.decidedRefunded, .moneyLock)]
        ),
        Step(
            .travelling, .decideLost, .operator, if: [.inDispute], .cancelled, compensate, tell: everyConcerned,
            notify: [
                .owner(.decidedLostForOwner, .reward, .moneyLock), .carrier(.decidedLostForCarrier, .moneyLock),
            ]
        ),
    ]

    private struct Place: Hashable {
        let state: PackageState?
        let action: PackageAction
        let role: PackageRole
    }

    private static let index: [Place: Step] = Dictionary(
        table.map { (Place(state: $0.state, action: $0.action, role: $0.role), $0) },
        uniquingKeysWith: { first, _ in first }
    )

    /// The step for a state, an action and a role; `nil` when it is unlawful.
    package static func step(_ state: PackageState?, _ action: PackageAction, _ role: PackageRole) -> Step? {
        index[Place(state: state, action: action, role: role)]
    }

    /// Whether anybody can do it in that state.
    package static func isPossible(_ action: PackageAction, in state: PackageState) -> Bool {
        table.contains { $0.state == state && $0.action == action }
    }
}
