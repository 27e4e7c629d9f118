import Carrepsa
import Kernel
import WebCore

/// The view model of a button that performs an action on a package.
struct PackageActionButton: Sendable {
    let actionName: String
    let actionURL: String
    /// The package's version on the page. The server rejects the action if the package has another one.
    let version: String
    let label: String
    /// The button's CSS class.
    let style: String
    /// The confirmation question; empty if the button needs none.
    let question: String
    let questionNote: String
    /// Whether it asks first: in a dialog, or on a page of its own for browsers without JavaScript.
    let hasQuestion: Bool
    /// What the reader of an offer knows when they accept it; empty for other actions.
    let readLines: [String]
    let isDanger: Bool
    /// Whether the action cancels the delivery or requests it.
    let isWayOut: Bool
    /// Whether the action says that the package has arrived.
    let isConfirmation: Bool
    /// Why the button is disabled; empty if it is enabled.
    let reason: String
    let isBlocked: Bool
    /// The page that explains how to put money into the wallet; `nil` unless the balance is the reason.
    let topUpURL: String?

    private init(
        _ action: PackageAction, _ url: String, of package: Package, _ label: String, style: String,
        question: String = "", note: String = "", isDanger: Bool = false, isLeading: Bool = false, reason: String = "",
        topUpURL: String? = nil, readLines: [String] = []
    ) {
        actionName = action.rawValue
        actionURL = url
        version = String(package.version)
        self.label = label
        self.style = style
        self.question = question
        questionNote = note
        hasQuestion = !question.isEmpty
        self.readLines = readLines
        self.isDanger = isDanger
        isWayOut = !isLeading && (isDanger || action == .requestCancellation)
        isConfirmation = action == .confirmDelivery || action == .reportDelivery
        self.reason = reason
        isBlocked = !reason.isEmpty
        self.topUpURL = topUpURL
    }

    /// Returns the buttons for the possible actions, except those with a form of their own.
    static func all(_ details: PackageDetails, t: Translator, formatter: CarrepsaFormatter)
        -> [PackageActionButton]
    {
        let builder = Builder(details: details, t: t, formatter: formatter)
        return details.actions.compactMap(builder.button)
    }

    /// Returns the button of an action that asks first, for its confirmation page; `nil` if there is none, or the
    /// action isn't possible.
    static func asking(
        _ action: PackageAction, _ details: PackageDetails, t: Translator, formatter: CarrepsaFormatter
    ) -> PackageActionButton? {
        guard details.actions.contains(action) else { return nil }
        let builder = Builder(details: details, t: t, formatter: formatter)
        guard let button = builder.button(action) ?? builder.answer(action) else { return nil }
        return button.hasQuestion && !button.isBlocked ? button : nil
    }

    /// Returns the button that answers an offer or a decision in a dispute; `nil` if the action isn't possible.
    static func inDispute(
        _ action: PackageAction, _ details: PackageDetails, t: Translator, formatter: CarrepsaFormatter
    ) -> PackageActionButton? {
        guard details.actions.contains(action) else { return nil }
        return Builder(details: details, t: t, formatter: formatter).answer(action)
    }

    private struct Builder {
        let details: PackageDetails
        let t: Translator
        let formatter: CarrepsaFormatter

        private var url: String { CarrepsaPath.package(details.package.id) }
        private var words: PackageTextFormatter { PackageTextFormatter(details, t: t, formatter: formatter) }

        func button(_ action: PackageAction) -> PackageActionButton? {
            // The carrier's confirmation is a form, because it needs the owner's code.
            guard details.blocked[action] != .codeNeeded else { return nil }
            if details.role == .carrier, action == .confirmPickup || action == .confirmDelivery { return nil }
            switch action {
            case .accept, .confirmPickup, .confirmDelivery, .reportDelivery: return leading(action)
            case .withdraw, .cancelAcceptance, .agreeCancellation: return ending(action)
            case .requestCancellation:
                return PackageActionButton(
                    action, url + "/cancellation-request", of: details.package, t("Ask to cancel"),
                    style: details.isRefusedOnTheWay ? "button-primary" : "button-secondary",
                    question: words.fill(t("Ask {name} to cancel?")),
                    note: words.fill(t("If {name} agrees, both get their money back.")),
                    isLeading: details.isRefusedOnTheWay
                )
            case .retractCancellation:
                return PackageActionButton(
                    action, url + "/cancellation-request?_method=delete", of: details.package,
                    t("Take the request back"),
                    style: "button-secondary"
                )
            // These have forms or pages of their own, or are the clock's or the recipient's.
            case .create, .edit, .dispute, .addStatement, .offerSplit, .retractSplit, .declineSplit, .acceptSplit,
                .decideDelivered, .decideRefunded, .decideLost, .decideSplit, .acceptDecision, .appeal, .expire,
                .escalate, .closeStatements, .enforceDelivered, .enforceRefunded, .enforceLost, .enforceSplit,
                .instruct, .refuse, .addProof:
                return nil
            }
        }

        func answer(_ action: PackageAction) -> PackageActionButton? {
            let offer = url + "/split-offer"
            switch action {
            case .acceptSplit:
                let split = details.dispute?.offer.map { SplitText($0.split, of: details, t, formatter) }
                return PackageActionButton(
                    action, offer + "/acceptance", of: details.package, t("Accept"), style: "button-primary",
                    question: t("Accept this offer?"),
                    note: split?.both ?? "")
            case .declineSplit, .retractSplit:
                return PackageActionButton(
                    action, offer + "?_method=delete", of: details.package,
                    action == .declineSplit ? t("Decline") : t("Withdraw offer"), style: "button-secondary")
            case .acceptDecision:
                return PackageActionButton(
                    action, url + "/decision/acceptance", of: details.package, t("Accept"), style: "button-primary",
                    question: t("Accept the decision?"), note: t("Then you can’t appeal against it."))
            default: return nil
            }
        }

        /// In a dispute, the way to end it is below the statements. In a fold, it isn't what to do first.
        private var leadingStyle: String {
            details.package.disputedAt == nil && !details.isConfirmationFolded ? "button-primary" : "button-secondary"
        }

        private func leading(_ action: PackageAction) -> PackageActionButton? {
            let reason = reason(action)
            switch action {
            case .accept:
                return PackageActionButton(
                    action, url + "/acceptance", of: details.package, t("Accept delivery"), style: "button-primary",
                    question: t("Carry this package?"),
                    note: words.fill(
                        t("{lock} of your money is held. On delivery you get it back, and the reward of {reward}.")),
                    reason: reason,
                    topUpURL: details.blocked[action] == .insufficientFunds ? CarrepsaPath.money : nil,
                    readLines: OfferLine.all(details.package, t, formatter).map(\.text)
                )
            case .confirmPickup:
                return PackageActionButton(
                    action, url + "/pickup", of: details.package, t("Confirm pickup"), style: "button-primary",
                    question: words.fill(t("Does {name} have the package?")),
                    note: t("From now on you can only cancel it together."), reason: reason
                )
            case .confirmDelivery:
                return PackageActionButton(
                    action, url + "/delivery", of: details.package, t("Confirm delivery"), style: leadingStyle,
                    question: t("Has it arrived?"),
                    note: words.fill(
                        details.package.disputedAt == nil
                            ? t(
                                """
                                {name} gets the reward of {reward} and the deposit of {lock} back. This can’t be \
                                undone.
                                """)
                            : t(
                                """
                                This ends the dispute: {name} gets the reward of {reward} and the deposit of {lock} \
                                back. This can’t be undone.
                                """)),
                    reason: reason
                )
            default:
                return PackageActionButton(
                    action, url + "/delivery-report", of: details.package, t("I have delivered it"),
                    style: leadingStyle,
                    question: t("Have you delivered it?"), note: words.fill(t("{name} is asked to confirm.")),
                    reason: reason
                )
            }
        }

        private func ending(_ action: PackageAction) -> PackageActionButton? {
            switch action {
            case .withdraw:
                let note =
                    details.package.isRewardHeld
                    ? t("It disappears, and the reward comes back to you.") : t("It disappears. No money is moved.")
                return PackageActionButton(
                    action, url + "?_method=delete", of: details.package, t("Cancel request"), style: "button-danger",
                    question: t("Cancel this request?"), note: note, isDanger: true
                )
            case .cancelAcceptance:
                let isOwner = details.role == .owner
                return PackageActionButton(
                    action, url + "/acceptance?_method=delete", of: details.package, t("Cancel delivery"),
                    style: "button-danger",
                    question: t("Cancel this delivery?"),
                    note: words.fill(
                        isOwner
                            ? t("The reward comes back to you, the deposit to {name}. The package is offered again.")
                            : t("Your deposit comes back. The package is offered again.")), isDanger: true
                )
            default:
                let isLeading = details.package.disputedAt == nil
                return PackageActionButton(
                    action, url + "/cancellation-request", of: details.package, t("Agree to cancel"),
                    style: isLeading ? "button-primary" : "button-danger",
                    question: t("Cancel the delivery?"),
                    note: t("Both get their money back. Arrange how the package comes back."), isDanger: true,
                    isLeading: isLeading
                )
            }
        }

        private func reason(_ action: PackageAction) -> String {
            switch details.blocked[action] {
            case .insufficientFunds:
                words.fill(
                    t("Your balance of {amount} is insufficient for the deposit of {lock}."),
                    balance: details.insufficientBalance ?? 0)
            case .rewardNotFunded: t("The owner’s wallet doesn’t cover the reward.")
            case .deadlinePassed: t("The pickup deadline has passed.")
            case .cancelledRecently: t.message(CarrepsaMessage.acceptanceCancelled.text)
            case .photosNeeded: details.photoReason(action, t)
            case .codeNeeded, nil: ""
            }
        }
    }
}

/// Inserts a package's names and amounts into sentences.
struct PackageTextFormatter: Sendable {
    private let package: Package
    private let role: PackageRole
    private let t: Translator
    private let formatter: CarrepsaFormatter

    init(_ details: PackageDetails, t: Translator, formatter: CarrepsaFormatter) {
        self.init(details.package, role: details.role, t: t, formatter: formatter)
    }

    init(_ package: Package, role: PackageRole, t: Translator, formatter: CarrepsaFormatter) {
        self.package = package
        self.role = role
        self.t = t
        self.formatter = formatter
    }

    /// The other person's name; the owner's name for people who aren't owner or carrier.
    var otherName: String {
        let other = role == .owner ? package.carrier : package.owner
        return other?.name ?? t("Former member")
    }

    func fill(_ text: String, balance: Int64 = 0) -> String {
        Translator.filled(
            text,
            [
                "lock": formatter.money(package.moneyLock), "reward": formatter.money(package.reward),
                "sum": formatter.money(package.reward + package.moneyLock), "amount": formatter.money(balance),
                "owner": package.owner.name ?? t("Former member"),
                "carrier": package.carrier?.name ?? t("Former member"),
                "name": otherName,
            ]
        )
    }
}
