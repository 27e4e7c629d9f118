import Carrepsa
import Kernel
import Pictures
import WebCore

extension PackagePage.Sent {
    /// Returns the error at a text field; empty for none.
    fileprivate func message(of field: String, typed: String, missing: String, _ t: Translator) -> String {
        guard error?.fields[field] != nil else { return "" }
        if typed.allSatisfy(\.isWhitespace) { return missing }
        return t("Use at most {n} characters.", ["n": String(Limits.descriptionCharacters)])
    }
}

extension DisputeOutcome {
    func label(_ t: Translator) -> String {
        switch self {
        case .delivered: t("It was delivered")
        case .refunded: t("The delivery is cancelled")
        case .lost: t("It is lost")
        case .split: t("The money is divided")
        }
    }
}

extension DisputeKind {
    func label(_ t: Translator) -> String {
        switch self {
        case .notDelivered: t("It didn’t arrive")
        case .damaged: t("It is damaged")
        case .notAsDescribed: t("It isn’t what was agreed")
        case .late: t("It is late")
        case .noAnswer: t("The other person isn’t responding")
        case .other: t("Something else")
        }
    }

    /// What follows *Problem reported*.
    func bannerText(_ t: Translator) -> String {
        switch self {
        case .notDelivered: t("not delivered")
        case .damaged: t("damaged")
        case .notAsDescribed: t("not what was agreed")
        case .late: t("late")
        case .noAnswer: t("no answer")
        case .other: t("something else")
        }
    }
}

/// The view model of *Report a problem*.
struct DisputeForm: Sendable {
    let disputeURL: String
    let version: String
    let introduction: String
    let kinds: [KindOption]
    let kindMessage: String
    let isKindInvalid: Bool
    let reasonField: PackageField
    let isInvalid: Bool

    struct KindOption: Sendable {
        let kindName: String
        let kindLabel: String
        let isChosen: Bool
    }

    init?(
        _ details: PackageDetails, sent: PackagePage.Sent, _ words: PackageTextFormatter, _ t: Translator
    ) {
        guard details.actions.contains(.dispute) else { return nil }
        introduction = words.fill(
            t(
                """
                You and {name} write what happened, and can agree to divide the money. Otherwise an administrator \
                decides. Reward and deposit stay held until then.
                """))
        disputeURL = CarrepsaPath.package(details.package.id) + "/dispute"
        version = String(details.package.version)
        kinds = DisputeKind.allCases.map { kind in
            KindOption(kindName: kind.rawValue, kindLabel: kind.label(t), isChosen: kind.rawValue == sent.kind)
        }
        kindMessage = sent.error?.fields["kind"] == nil ? "" : t("Choose one.")
        isKindInvalid = !kindMessage.isEmpty
        reasonField = PackageField(
            "reason", t("What is wrong?"), value: sent.reason,
            message: sent.message(of: "reason", typed: sent.reason, missing: t("Say what is wrong."), t))
        isInvalid = isKindInvalid || reasonField.isInvalid
    }
}

/// The view model of *Add a statement*. The form waits for a connection, so it sends no version.
struct StatementForm: Sendable {
    let statementURL: String
    let introduction: String
    let statementField: PackageField
    let photo: PhotoField
    let isOpen: Bool

    init?(
        _ details: PackageDetails, sent: PackagePage.Sent, _ words: PackageTextFormatter, _ t: Translator
    ) {
        guard details.actions.contains(.addStatement) else { return nil }
        introduction = words.fill(t("{name} and the administrators can read it. You can’t change it later."))
        statementURL = CarrepsaPath.package(details.package.id) + "/statements"
        // An offer's form has a field of the same name.
        let message =
            sent.splitStatement.isEmpty
            ? sent.message(of: "statement", typed: sent.statement, missing: t("Describe what happened."), t) : ""
        statementField = PackageField("statement", t("What happened?"), value: sent.statement, message: message)
        let picture = ID<Picture>(sent.statementPicture)
        let faults = sent.isStatement ? sent.error?.fields ?? [:] : [:]
        photo = PhotoField(
            pictureID: picture?.description ?? "", imageURL: picture.map { CarrepsaPath.picture($0, size: .medium) },
            error: faults["picture"] ?? faults["pictureId"] ?? "", label: t("Photo"),
            errorID: "statement-photo-error")
        isOpen = !message.isEmpty || !photo.error.isEmpty
    }
}

/// The fields of a division of the money.
struct SplitFields: Sendable {
    let carrierField: PackageField
    let ownerField: PackageField
    let isInvalid: Bool

    init(_ details: PackageDetails, sent: PackagePage.Sent, _ t: Translator, _ formatter: CarrepsaFormatter) {
        let package = details.package
        func message(_ field: String, _ typed: String, most: Int64) -> String {
            guard sent.error?.fields[field] != nil else { return "" }
            return typed.isEmpty
                ? t("Enter an amount. 0 is possible.")
                : t("Enter an amount from 0 to {amount}.", ["amount": formatter.money(most)])
        }
        let words = PackageTextFormatter(details, t: t, formatter: formatter)
        let (isOwner, isCarrier) = (details.role == .owner, details.role == .carrier)
        carrierField = PackageField(
            "rewardToCarrier",
            isCarrier ? t("You get from the reward") : words.fill(t("{carrier} gets from the reward")),
            value: sent.rewardToCarrier,
            hint: words.fill(
                isOwner ? t("Of {reward}. You get the rest.") : t("Of {reward}. {owner} gets the rest.")),
            unit: formatter.symbol,
            message: message("rewardToCarrier", sent.rewardToCarrier, most: package.reward))
        ownerField = PackageField(
            "depositToOwner", isOwner ? t("You get from the deposit") : words.fill(t("{owner} gets from the deposit")),
            value: sent.depositToOwner,
            hint: words.fill(
                isCarrier ? t("Of {lock}. You get the rest.") : t("Of {lock}. {carrier} gets the rest.")),
            unit: formatter.symbol,
            message: message("depositToOwner", sent.depositToOwner, most: package.moneyLock))
        isInvalid = carrierField.isInvalid || ownerField.isInvalid
    }
}

/// The view model of *Offer to divide the money*.
struct SplitForm: Sendable {
    let splitURL: String
    let version: String
    let splitNote: String
    let splitFields: SplitFields
    let whyField: PackageField
    let isSplitInvalid: Bool

    init?(
        _ details: PackageDetails, sent: PackagePage.Sent, _ t: Translator, _ formatter: CarrepsaFormatter
    ) {
        guard details.actions.contains(.offerSplit) else { return nil }
        splitURL = CarrepsaPath.package(details.package.id) + "/split-offer"
        version = String(details.package.version)
        splitFields = SplitFields(details, sent: sent, t, formatter)
        splitNote = PackageTextFormatter(details, t: t, formatter: formatter).fill(
            t(
                """
                If {name} accepts, the money is divided at once and the delivery ends. A new offer replaces the one \
                before.
                """))
        let typed = sent.splitStatement
        whyField = PackageField(
            "statement", t("Why (optional)"), id: "split-statement", value: typed,
            message: typed.isEmpty ? "" : sent.message(of: "statement", typed: typed, missing: "", t))
        isSplitInvalid = splitFields.isInvalid || !typed.isEmpty
    }
}

/// The view model of an offer to divide the money.
struct SplitOfferPanel: Sendable {
    let offerTitle: String
    let offerSplit: SplitText
    /// Accept and decline, or withdraw.
    let buttons: [PackageActionButton]

    init?(_ details: PackageDetails, _ words: PackageTextFormatter, _ t: Translator, _ formatter: CarrepsaFormatter) {
        guard details.package.state == .travelling, let offer = details.dispute?.offer else { return nil }
        let isOwn = offer.by == details.role
        offerTitle =
            isOwn
            ? t("Your offer")
            : words.fill(
                offer.by == .owner ? t("{owner} offers to divide the money") : t("{carrier} offers to divide the money")
            )
        offerSplit = SplitText(offer.split, of: details, t, formatter)
        buttons = [.acceptSplit, .declineSplit, .retractSplit].compactMap {
            PackageActionButton.inDispute($0, details, t: t, formatter: formatter)
        }
    }
}

/// The view model of a decision, also after it took effect, and while an appeal against it waits.
struct DecisionPanel: Sendable {
    let decisionTitle: String
    let decisionSplit: SplitText
    /// The administrator's reason.
    let reasonText: String
    /// When it takes effect; `nil` if it did, and during an appeal.
    let effectMoment: FormattedTime?
    /// Who appealed against it; `nil` without an appeal, and after the second decision.
    let appealText: String?
    let isInEffect: Bool
    let acceptButton: PackageActionButton?
    let appealURL: String
    let version: String
    let canAppeal: Bool
    let hasAccepted: Bool
    let reasonField: PackageField

    init?(
        _ details: PackageDetails, sent: PackagePage.Sent, _ t: Translator, _ formatter: CarrepsaFormatter
    ) {
        guard let decision = details.dispute?.decision else { return nil }
        let isTravelling = details.package.state == .travelling
        isInEffect = details.role != .stranger && details.isEnforced
        guard isInEffect || isTravelling else { return nil }
        let appeal = isTravelling && decision.effectiveAt == nil ? details.dispute?.appeal : nil
        decisionTitle = appeal == nil ? t("The decision") : t("The first decision")
        appealText = appeal.map { appeal in
            let words = PackageTextFormatter(details, t: t, formatter: formatter)
            if appeal.by == details.role { return t("You appealed against it.") }
            return words.fill(
                appeal.by == .owner ? t("{owner} appealed against it.") : t("{carrier} appealed against it."))
        }
        decisionSplit = SplitText(decision.split, of: details, t, formatter)
        reasonText = details.history.last { $0.role == .operator }?.note ?? ""
        effectMoment = decision.effectiveAt.map { FormattedTime($0, formatter.times) }
        acceptButton = PackageActionButton.inDispute(.acceptDecision, details, t: t, formatter: formatter)
        appealURL = CarrepsaPath.package(details.package.id) + "/appeal"
        version = String(details.package.version)
        canAppeal = details.actions.contains(.appeal)
        hasAccepted = decision.acceptedBy == details.role
        reasonField = PackageField(
            "reason", t("What is wrong with it?"), value: sent.reason,
            message: sent.message(of: "reason", typed: sent.reason, missing: t("Say why the decision is wrong."), t))
    }
}

/// Until when the owner or carrier who hasn't written can do so. An administrator decides earlier only if both have.
struct DisputeWaiting: Sendable {
    /// Whether the administrator waits for the reader's statement.
    let isReader: Bool
    /// The name of the other person who hasn't written; `nil` if both have, or only the reader hasn't.
    let awaitedName: String?
    let isAppeal: Bool
    let bothWrote: Bool
    let untilMoment: FormattedTime

    init?(_ details: PackageDetails, _ t: Translator, _ formatter: CarrepsaFormatter) {
        guard details.package.state == .travelling, let until = details.dispute?.statementsUntil else { return nil }
        let awaited = details.dispute?.awaited
        isReader = awaited == details.role
        let party = awaited == .owner ? details.package.owner : details.package.carrier
        awaitedName = awaited == nil || isReader ? nil : party?.name ?? t("Former member")
        isAppeal = details.dispute?.appeal != nil
        bothWrote = awaited == nil
        untilMoment = FormattedTime(until, formatter.times)
    }
}

/// The view model of the administrator's decision.
struct DecisionForm: Sendable {
    let decisionURL: String
    let version: String
    let noteField: PackageField
    let outcomes: [OutcomeButton]
    let splitFields: SplitFields
    /// Whether the decision is the last one.
    let isFinal: Bool
    /// What the script needs to name the amounts of an entered division in the question.
    let splitSums: SplitSums

    struct OutcomeButton: Sendable {
        let outcome: String
        let outcomeLabel: String
        /// Who gets which part of the money.
        let outcomeNote: String
        let outcomeStyle: String
    }

    init?(
        _ details: PackageDetails, sent: PackagePage.Sent, _ words: PackageTextFormatter, _ t: Translator,
        _ formatter: CarrepsaFormatter
    ) {
        let texts: [(PackageAction, DisputeOutcome, String, String)] = [
            (.decideDelivered, .delivered, t("It was delivered"), "button-secondary"),
            (.decideRefunded, .refunded, t("Cancel the delivery"), "button-secondary"),
            (.decideLost, .lost, t("It is lost"), "button-danger"),
        ]
        let package = details.package
        outcomes = texts.filter { details.actions.contains($0.0) }.map { text in
            let split = text.1.split(reward: package.reward, deposit: package.moneyLock)
            return OutcomeButton(
                outcome: text.1.rawValue, outcomeLabel: text.2,
                outcomeNote: SplitText(split, of: details, t, formatter).both, outcomeStyle: text.3)
        }
        guard !outcomes.isEmpty else { return nil }
        decisionURL = CarrepsaPath.package(details.package.id) + "/decision"
        version = String(details.package.version)
        noteField = PackageField(
            "note", t("Reason"), value: sent.note, hint: t("Owner and carrier can read it."),
            message: sent.message(
                of: "note", typed: sent.note, missing: t("Give the reason. Owner and carrier read it."), t),
            isRequired: true)
        splitFields = SplitFields(details, sent: sent, t, formatter)
        splitSums = SplitSums(package, words, t, formatter)
        isFinal = details.dispute?.appeal != nil
    }
}
