package import Notifications

/// A notification that a transition sends.
package struct TransitionNotification: Sendable, Hashable {
    /// The recipient. ``PackageRole/operator`` means every administrator who may decide.
    package let recipient: PackageRole
    package let event: PackageEvent
    /// The amounts that its text names.
    package let money: [PackageMoney]
    /// Whether it names only the recipient's part of them.
    package var isPart = false

    fileprivate var ofPart: TransitionNotification {
        var copy = self
        copy.isPart = true
        return copy
    }

    fileprivate static func owner(_ event: PackageEvent, _ money: PackageMoney...) -> TransitionNotification {
        TransitionNotification(recipient: .owner, event: event, money: money)
    }

    fileprivate static func carrier(_ event: PackageEvent, _ money: PackageMoney...) -> TransitionNotification {
        TransitionNotification(recipient: .carrier, event: event, money: money)
    }

    /// A mail, where the package has a recipient with an email address. It names no amount.
    fileprivate static func addressee(_ event: PackageEvent) -> TransitionNotification {
        TransitionNotification(recipient: .recipient, event: event, money: [])
    }

    fileprivate static func operators(_ event: PackageEvent, _ money: PackageMoney...) -> TransitionNotification {
        TransitionNotification(recipient: .operator, event: event, money: money)
    }
}

/// A transition of the life cycle: an action that a role may perform in a state.
package struct Transition: Sendable, Hashable {
    /// The state before; `nil` before the package exists.
    package let state: PackageState?
    package let action: PackageAction
    /// The role that may perform the action.
    package let role: PackageRole
    package let conditions: [TransitionCondition]
    /// The state after.
    package let next: PackageState
    /// The payments that the transition posts.
    package let payments: [Payment]
    /// The audience of the change event, besides the actor. ``PackageRole/stranger`` means everyone, because the list
    /// of offers changed.
    package let audience: [PackageRole]
    /// The notifications in feed and push. Owner and carrier get one, except the actor.
    package let notifications: [TransitionNotification]

    fileprivate init(
        _ state: PackageState?, _ action: PackageAction, _ role: PackageRole, if conditions: [TransitionCondition] = [],
        _ next: PackageState, _ payments: [Payment] = [], audience: [PackageRole], notify: [TransitionNotification]
    ) {
        self.state = state
        self.action = action
        self.role = role
        self.conditions = conditions
        self.next = next
        self.payments = payments
        self.audience = audience
        notifications = notify
    }
}

/// The life cycle of a package as a table. The service, the buttons, the documentation and the tests of illegal
/// actions derive from ``table``.
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

    private static let divide = [
        Payment(money: .reward, from: .escrow, to: .carrier, isPart: true),
        Payment(money: .reward, from: .escrow, to: .owner, isPart: true),
        Payment(money: .moneyLock, from: .escrow, to: .owner, isPart: true),
        Payment(money: .moneyLock, from: .escrow, to: .carrier, isPart: true),
    ]

    private static let everyConcerned: [PackageRole] = [.owner, .carrier, .operator]

    /// All transitions; at most one per state, action and role.
    package static let table: [Transition] =
        offered + edited + accepted + travelling + disputed + settled + decided + receiving + proving

    private static let offered: [Transition] = [
        Transition(nil, .create, .owner, .available, [holdReward], audience: [.stranger], notify: []),
        Transition(
            .available, .withdraw, .owner, .cancelled, [returnReward], audience: [.stranger],
            notify: [.addressee(.cancellationAgreed)]),
        Transition(
            .available, .accept, .stranger, if: [.beforeDeadline], .accepted, hold, audience: [.owner, .stranger],
            notify: [.owner(.accepted, .reward), .addressee(.accepted)]
        ),
        Transition(
            .available, .expire, .clock, if: [.afterDeadline, .rewardHeld], .available, [returnReward],
            audience: [.owner, .stranger], notify: [.owner(.offerLapsed, .reward)]
        ),
    ]

    // Editing: pays the difference, or the whole reward if it isn't in escrow (``PackageTransitions``).
    private static let edited: [Transition] = [
        Transition(.available, .edit, .owner, .available, [holdReward], audience: [.stranger], notify: [])
    ]

    private static let accepted: [Transition] = [
        Transition(
            .accepted, .cancelAcceptance, .owner, .available, refund, audience: [.carrier, .stranger],
            notify: [.carrier(.acceptanceCancelled, .moneyLock), .addressee(.acceptanceCancelled)]
        ),
        Transition(
            .accepted, .cancelAcceptance, .carrier, .available, refund, audience: [.owner, .stranger],
            notify: [.owner(.acceptanceCancelled, .reward), .addressee(.acceptanceCancelled)]
        ),
        Transition(
            .accepted, .expire, .clock, if: [.afterDeadline], .available, refund,
            audience: [.owner, .carrier, .stranger],
            notify: [
                .owner(.pickupLapsed, .reward), .carrier(.pickupLapsed, .moneyLock), .addressee(.pickupLapsed),
            ]
        ),
        Transition(
            .accepted, .confirmPickup, .owner, if: [.beforeDeadline, .photos], .travelling, audience: [.carrier],
            notify: [.carrier(.pickedUp, .moneyLock), .addressee(.pickedUp)]
        ),
        Transition(
            .accepted, .confirmPickup, .carrier, if: [.beforeDeadline, .photos, .code], .travelling, audience: [.owner],
            notify: [.owner(.pickedUp, .reward), .addressee(.pickedUp)]
        ),
    ]

    private static let travelling: [Transition] = [
        Transition(
            .travelling, .confirmDelivery, .owner, .delivered, pay, audience: [.carrier],
            notify: [.carrier(.deliveredByCarrier, .reward, .moneyLock), .addressee(.deliveredToOwner)]
        ),
        Transition(
            .travelling, .confirmDelivery, .carrier, if: [.photos, .code], .delivered, pay, audience: [.owner],
            notify: [.owner(.deliveredToOwner, .reward, .moneyLock), .addressee(.deliveredToOwner)]
        ),
        Transition(
            .travelling, .reportDelivery, .carrier, if: [.notReported, .photos], .travelling, audience: [.owner],
            notify: [.owner(.deliveryReported, .reward, .moneyLock), .addressee(.deliveryReported)]
        ),
        Transition(
            .travelling, .requestCancellation, .owner, if: [.noRequest], .travelling, audience: [.carrier],
            notify: [.carrier(.cancellationRequested, .moneyLock)]
        ),
        Transition(
            .travelling, .requestCancellation, .carrier, if: [.noRequest], .travelling, audience: [.owner],
            notify: [.owner(.cancellationRequested, .reward)]
        ),
        Transition(
            .travelling, .retractCancellation, .owner, if: [.ownRequest], .travelling, audience: [.carrier],
            notify: [.carrier(.cancellationRetracted, .moneyLock)]
        ),
        Transition(
            .travelling, .retractCancellation, .carrier, if: [.ownRequest], .travelling, audience: [.owner],
            notify: [.owner(.cancellationRetracted, .reward)]
        ),
        Transition(
            .travelling, .agreeCancellation, .owner, if: [.otherRequest], .cancelled, refund, audience: [.carrier],
            notify: [.carrier(.cancellationAgreed, .moneyLock), .addressee(.cancellationAgreed)]
        ),
        Transition(
            .travelling, .agreeCancellation, .carrier, if: [.otherRequest], .cancelled, refund, audience: [.owner],
            notify: [.owner(.cancellationAgreed, .reward), .addressee(.cancellationAgreed)]
        ),
    ]

    private static let disputed: [Transition] = [
        Transition(
            .travelling, .dispute, .owner, if: [.noDispute], .travelling, audience: [.carrier, .operator],
            notify: [.carrier(.disputed, .reward, .moneyLock), .operators(.disputeToDecide, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .dispute, .carrier, if: [.noDispute], .travelling, audience: [.owner, .operator],
            notify: [.owner(.disputed, .reward, .moneyLock), .operators(.disputeToDecide, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .addStatement, .owner, if: [.inDispute, .statementsOpen, .statementsLeft], .travelling,
            audience: [.carrier, .operator],
            notify: [.carrier(.statementAdded, .reward, .moneyLock), .operators(.statementAdded, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .addStatement, .carrier, if: [.inDispute, .statementsOpen, .statementsLeft], .travelling,
            audience: [.owner, .operator],
            notify: [.owner(.statementAdded, .reward, .moneyLock), .operators(.statementAdded, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .escalate, .clock, if: [.reportUnanswered, .noDispute], .travelling, audience: everyConcerned,
            notify: [
                .owner(.escalated, .reward, .moneyLock), .carrier(.escalated, .reward, .moneyLock),
                .operators(.escalationToDecide, .reward, .moneyLock),
            ]
        ),
        Transition(
            .travelling, .closeStatements, .clock, if: [.statementsOver], .travelling, audience: everyConcerned,
            notify: [
                .owner(.statementsClosed, .reward, .moneyLock), .carrier(.statementsClosed, .reward, .moneyLock),
                .operators(.readyToDecide, .reward, .moneyLock),
            ]
        ),
    ]

    /// Offers to divide the money, which the other person accepts or declines.
    private static let settled: [Transition] = [
        Transition(
            .travelling, .offerSplit, .owner, if: [.inDispute, .statementsLeft], .travelling,
            audience: [.carrier, .operator], notify: [.carrier(.splitOffered, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .offerSplit, .carrier, if: [.inDispute, .statementsLeft], .travelling,
            audience: [.owner, .operator], notify: [.owner(.splitOffered, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .retractSplit, .owner, if: [.ownOffer], .travelling, audience: [.carrier, .operator],
            notify: [.carrier(.splitRetracted, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .retractSplit, .carrier, if: [.ownOffer], .travelling, audience: [.owner, .operator],
            notify: [.owner(.splitRetracted, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .declineSplit, .owner, if: [.otherOffer], .travelling, audience: [.carrier, .operator],
            notify: [.carrier(.splitDeclined, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .declineSplit, .carrier, if: [.otherOffer], .travelling, audience: [.owner, .operator],
            notify: [.owner(.splitDeclined, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .acceptSplit, .owner, if: [.otherOffer], .cancelled, divide, audience: [.carrier, .operator],
            notify: [.carrier(.splitAccepted, .reward, .moneyLock).ofPart, .addressee(.cancellationAgreed)]
        ),
        Transition(
            .travelling, .acceptSplit, .carrier, if: [.otherOffer], .cancelled, divide, audience: [.owner, .operator],
            notify: [.owner(.splitAccepted, .reward, .moneyLock).ofPart, .addressee(.cancellationAgreed)]
        ),
    ]

    /// Decisions. They take effect, and money moves, when the time for an appeal is over, when owner and carrier accept
    /// them, and at once after an appeal.
    private static let decided: [Transition] = [
        decision(.decideDelivered), decision(.decideRefunded), decision(.decideLost), decision(.decideSplit),
        Transition(
            .travelling, .acceptDecision, .owner, if: [.decisionOpen, .notAccepted], .travelling,
            audience: [.carrier, .operator], notify: [.carrier(.decisionAccepted, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .acceptDecision, .carrier, if: [.decisionOpen, .notAccepted], .travelling,
            audience: [.owner, .operator], notify: [.owner(.decisionAccepted, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .appeal, .owner, if: [.decisionOpen, .noAppeal, .notAccepted], .travelling,
            audience: [.carrier, .operator],
            notify: [.carrier(.appealed, .reward, .moneyLock), .operators(.appealToDecide, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .appeal, .carrier, if: [.decisionOpen, .noAppeal, .notAccepted], .travelling,
            audience: [.owner, .operator],
            notify: [.owner(.appealed, .reward, .moneyLock), .operators(.appealToDecide, .reward, .moneyLock)]
        ),
        Transition(
            .travelling, .enforceDelivered, .clock, if: [.deliveredInEffect], .delivered, pay,
            audience: everyConcerned,
            notify: [
                .owner(.decidedDeliveredForOwner, .reward, .moneyLock),
                .carrier(.decidedDeliveredForCarrier, .reward, .moneyLock), .addressee(.decidedDeliveredForOwner),
            ]
        ),
        Transition(
            .travelling, .enforceRefunded, .clock, if: [.refundedInEffect], .cancelled, refund,
            audience: everyConcerned,
            notify: [
                .owner(.decidedRefunded, .reward), .carrier(.decidedRefunded, .moneyLock),
                .addressee(.decidedRefunded),
            ]
        ),
        Transition(
            .travelling, .enforceLost, .clock, if: [.lostInEffect], .cancelled, compensate, audience: everyConcerned,
            notify: [
                .owner(.decidedLostForOwner, .reward, .moneyLock), .carrier(.decidedLostForCarrier, .moneyLock),
                .addressee(.decidedLostForOwner),
            ]
        ),
        Transition(
            .travelling, .enforceSplit, .clock, if: [.splitInEffect], .cancelled, divide, audience: everyConcerned,
            notify: [
                .owner(.decidedSplit, .reward, .moneyLock).ofPart, .carrier(.decidedSplit, .reward, .moneyLock).ofPart,
                .addressee(.decidedRefunded),
            ]
        ),
    ]

    private static func decision(_ action: PackageAction) -> Transition {
        Transition(
            .travelling, action, .operator, if: [.inDispute, .heard, .undecided], .travelling,
            audience: everyConcerned,
            notify: [
                .owner(.decisionMade, .reward, .moneyLock).ofPart, .carrier(.decisionMade, .reward, .moneyLock).ofPart,
            ]
        )
    }

    // The recipient. A refusal moves no money and asks for nothing: owner and carrier are notified, and cancel alone
    // before the pickup and together afterwards (docs/decisions/0074).
    private static let receiving: [Transition] = [PackageState.accepted, .travelling].flatMap { state in
        [
            Transition(
                state, .instruct, .recipient, state, audience: [.owner, .carrier],
                notify: [
                    .owner(.recipientInstructed, .reward, .moneyLock),
                    .carrier(.recipientInstructed, .reward, .moneyLock),
                ]
            ),
            Transition(
                state, .refuse, .recipient, if: [.notRefused], state, audience: [.owner, .carrier],
                notify: [
                    .owner(refused(in: state), .reward, .moneyLock),
                    .carrier(refused(in: state), .reward, .moneyLock),
                ]
            ),
        ]
    }

    private static func refused(in state: PackageState) -> PackageEvent {
        state == .accepted ? .recipientRefusedEarly : .recipientRefused
    }

    // Photos of the handovers. The owner, who is rarely at the door, confirms a delivery without one.
    private static let proving: [Transition] = [PackageState.accepted, .travelling].flatMap { state in
        [
            Transition(
                state, .addProof, .owner, if: [.proofsLeft], state, audience: [.carrier],
                notify: [.carrier(.proofAdded, .reward, .moneyLock)]
            ),
            Transition(
                state, .addProof, .carrier, if: [.proofsLeft], state, audience: [.owner],
                notify: [.owner(.proofAdded, .reward, .moneyLock)]
            ),
        ]
    }

    private struct Place: Hashable {
        let state: PackageState?
        let action: PackageAction
        let role: PackageRole
    }

    private static let index: [Place: Transition] = Dictionary(
        table.map { (Place(state: $0.state, action: $0.action, role: $0.role), $0) },
        uniquingKeysWith: { first, _ in first }
    )

    /// Returns the transition for a state, an action and a role; `nil` if there is none.
    package static func transition(_ state: PackageState?, _ action: PackageAction, _ role: PackageRole) -> Transition?
    {
        index[Place(state: state, action: action, role: role)]
    }

    /// Whether any role can perform the action in that state.
    package static func isPossible(_ action: PackageAction, in state: PackageState) -> Bool {
        table.contains { $0.state == state && $0.action == action }
    }
}
