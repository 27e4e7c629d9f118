import Carrepsa
import Kernel
import WebCore

extension [PackageActionButton] {
    /// The buttons that continue the delivery. In a dispute there are none: its own forms come first.
    func leading(_ details: PackageDetails) -> [PackageActionButton] {
        details.isInDispute
            ? [] : filter { !$0.isWayOut && !(details.isConfirmationFolded && $0.isConfirmation) }
    }

    /// The buttons below the forms: those that cancel the delivery, and in a dispute all but those in the fold.
    func trailing(_ details: PackageDetails) -> [PackageActionButton] {
        filter { details.isInDispute ? !$0.isConfirmation : $0.isWayOut }
    }
}

extension CardBadge {
    /// The badge on the package's page, which says whether a dispute is open or decided.
    static func state(_ details: PackageDetails, _ t: Translator) -> CardBadge {
        guard details.isInDispute else { return state(details.package, t) }
        return details.dispute?.isUndecided ?? true
            ? CardBadge(word: t("In dispute"), kind: "badge-danger")
            : CardBadge(word: t("Decided"), kind: "badge-warning")
    }
}

extension PackageDetails {
    var isInDispute: Bool { package.state == .travelling && package.disputedAt != nil }

    /// Returns what owner and carrier do with a package that is still with the carrier after the end, as long as they
    /// can write to each other; `nil` otherwise.
    func returnText(now: Instant, _ t: Translator) -> String? {
        guard role == .owner || role == .carrier, package.state == .cancelled, package.pickedUpAt != nil,
            let last = lastAction, [.agreeCancellation, .decideRefunded, .enforceRefunded].contains(last),
            let closesAt = contact?.closesAt, now < closesAt
        else { return nil }
        return t("Arrange with {name} how the package comes back.")
    }

    /// Returns what happens to a package in dispute, for the reader.
    func disputeText(_ t: Translator) -> String {
        if dispute?.decision?.effectiveAt != nil {
            return t("An administrator decided. The money stays held until the decision takes effect.")
        }
        if isAppealOfViewer { return t("You made the first decision. Another administrator decides now.") }
        if dispute?.appeal != nil {
            return role == .operator
                ? t("There was an appeal. The next decision is the last one.")
                : t("There was an appeal. An administrator decides for the last time.")
        }
        return role == .operator
            ? t("Reward and deposit stay held until the decision.")
            : t("An administrator reviews it and decides. The money stays held until then.")
    }

    /// Returns the result of a decided case for administrators.
    func resultText(_ t: Translator) -> String {
        switch lastAction {
        case .enforceDelivered?, .confirmDelivery?: deliveredText(t)
        case .enforceLost?: t("An administrator decided that it is lost. {owner} got {sum}.")
        case .enforceRefunded?: t("An administrator cancelled it. Owner and carrier got their money back.")
        case .enforceSplit?: t("An administrator divided the money.")
        case .acceptSplit?: t("Owner and carrier agreed to divide the money.")
        default: t("Cancelled. Owner and carrier got their money back.")
        }
    }

    /// Returns who got which money with the delivery.
    func deliveredText(_ t: Translator) -> String {
        let isDecided = [.decideDelivered, .enforceDelivered].contains(lastAction)
        if role == .carrier {
            return isDecided
                ? t(
                    """
                    An administrator decided that it has arrived. You got the reward of {reward} and your deposit of \
                    {lock} back.
                    """)
                : t("It has arrived. You got the reward of {reward} and your deposit of {lock} back.")
        }
        return isDecided
            ? t(
                """
                An administrator decided that it has arrived. {carrier} got the reward of {reward} and the deposit of \
                {lock} back.
                """)
            : t("It has arrived. {carrier} got the reward of {reward} and the deposit of {lock} back.")
    }
}
