import Kernel
import Notifications

extension DeliveryLifeCycle {
    /// Returns the documentation page of the life cycle, with a state diagram and the whole table.
    package static func markdown() -> String {
        let head = """
            # The life cycle of a package

            This page is generated from the table in `Sources/Carrepsa/Rules/DeliveryLifeCycle.swift`, which also drives the
            server, the buttons and the tests. A test checks that they are equal.

            ```mermaid
            \(mermaid())
            ```

            Money moves in the same transaction as the state. Money that is already at its destination doesn't move: after a
            cancelled acceptance the owner has the reward again, and the next acceptance puts it in escrow again.

            A decision about a dispute takes effect \(Limits.appealSeconds.wholeHours) hours later, or when owner and carrier
            accept it, or at once if it follows an appeal. All money of a package then moves in one transfer.

            *Events* lists the roles that get an event for open pages. *Notifications* lists the roles that are notified,
            with the text (`PackageEvent`) and the money that it names.

            | state | action | role | if | next state | money | events | notifications |
            | --- | --- | --- | --- | --- | --- | --- | --- |
            """
        return ([head] + table.map(row)).joined(separator: "\n") + "\n"
    }

    /// Returns the state diagram in Mermaid syntax.
    package static func mermaid() -> String {
        var lines = ["stateDiagram-v2"]
        var seen: Set<String> = []
        for transition in table where transition.state != transition.next {
            let roles = table.filter { $0.state == transition.state && $0.action == transition.action }
                .map(\.role.rawValue).joined(separator: ", ")
            let from = transition.state?.rawValue ?? "[*]"
            let line = "    \(from) --> \(transition.next.rawValue): \(words(transition.action)) (\(roles))"
            if seen.insert(line).inserted { lines.append(line) }
        }
        for state in PackageState.allCases where state.isFinished { lines.append("    \(state.rawValue) --> [*]") }
        return lines.joined(separator: "\n")
    }

    private static func row(_ transition: Transition) -> String {
        let cells: [String] = [
            transition.state?.rawValue ?? "", words(transition.action), transition.role.rawValue,
            transition.conditions.map(words).joined(separator: ", "), transition.next.rawValue,
            transition.payments.map(words).joined(separator: ", "),
            transition.audience.map { $0 == .stranger ? "everyone" : $0.rawValue }.joined(separator: ", "),
            transition.notifications.map(words).joined(separator: ", "),
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private static func words(_ payment: Payment) -> String {
        let part = payment.isPart ? "part of the " : ""
        return "\(part)\(words(payment.money)) from \(payment.from.rawValue) to \(payment.to.rawValue)"
    }

    private static func words(_ notification: TransitionNotification) -> String {
        let part = notification.isPart ? "part of " : ""
        let money = part + notification.money.map(words).joined(separator: " and ")
        let text = "\(notification.recipient.rawValue): \(spaced(notification.event.rawValue))"
        return money.isEmpty ? text : "\(text) (\(money))"
    }

    private static func words(_ money: PackageMoney) -> String {
        switch money {
        case .reward: "reward"
        case .moneyLock: "deposit"
        }
    }

    private static func words(_ action: PackageAction) -> String { spaced(action.rawValue) }

    private static func words(_ condition: TransitionCondition) -> String {
        switch condition {
        case .beforeDeadline: "before the latest pickup"
        case .afterDeadline: "from the latest pickup on"
        case .rewardHeld: "while the reward is in escrow"
        case .notReported: "not reported yet"
        case .reportUnanswered: "\(Limits.deliveryReportSeconds.wholeHours) hours after the report"
        case .noRequest: "no request to cancel"
        case .ownRequest: "requested to cancel"
        case .otherRequest: "the other person requested to cancel"
        case .noDispute: "not in dispute"
        case .inDispute: "in dispute"
        case .statementsLeft: "fewer than \(Limits.disputeStatements) statements"
        case .code: "with the other person's code"
        case .statementsOpen: "within \(Limits.disputeAnswerSeconds.wholeHours) hours of the dispute or the appeal"
        case .statementsOver: "\(Limits.disputeAnswerSeconds.wholeHours) hours after the dispute or the appeal"
        case .heard: "both have written, or the time for it is over"
        case .undecided: "not decided, or after an appeal"
        case .ownOffer: "offered to divide the money"
        case .otherOffer: "the other person offered to divide the money"
        case .decisionOpen: "within \(Limits.appealSeconds.wholeHours) hours of the decision"
        case .notAccepted: "hasn't accepted the decision"
        case .noAppeal: "no appeal"
        case .deliveredInEffect: "decided as delivered, in effect"
        case .refundedInEffect: "decided as cancelled, in effect"
        case .lostInEffect: "decided as lost, in effect"
        case .splitInEffect: "decided to divide the money, in effect"
        case .notRefused: "not refused"
        case .photos: "with a photo of the handover, if the owner requires it"
        case .proofsLeft: "fewer than \(Limits.packageProofs) photos"
        }
    }

    private static func spaced(_ name: String) -> String {
        name.reduce(into: "") { text, letter in text += letter.isUppercase ? " \(letter.lowercased())" : "\(letter)" }
    }
}
