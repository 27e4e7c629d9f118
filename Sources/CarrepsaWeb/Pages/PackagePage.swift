import Accounts
import Carrepsa
import Kernel
import Pictures
import WebCore

/// The view model of a package: details, parties, history and possible actions.
struct PackagePage: Sendable {
    let shell: Shell
    let packageID: String
    let packageURL: String
    /// The URL that live updates load. Includes a scanned handover code, or the origin of the back link.
    let reloadURL: String
    let listURL: String
    let photoURL: String?
    let route: String
    let rewardText: String
    /// `nil` if the offer's reward isn't funded.
    let stateBadge: CardBadge?
    let isUnfunded: Bool
    let notices: [PackageBanner]
    let lead: String
    let problem: String?
    /// The actions that continue the delivery.
    let buttons: [PackageActionButton]
    let hasButtons: Bool
    /// The actions that cancel the delivery.
    let waysOut: [PackageActionButton]
    let hasWaysOut: Bool
    let handover: HandoverPanel?
    let foldedConfirmation: FoldedConfirmation?
    /// `nil` unless the reader is the carrier of a package with a recipient.
    let recipientPanel: PackageRecipientPanel?
    let offerSteps: [OfferStep]
    let hasOfferSteps: Bool
    let facts: [PackageFact]
    let deadlineMoment: FormattedDeadline?
    let createdMoment: FormattedTime
    let partners: [PartyRow]
    /// The link to the page about the recipient; `nil` for people who may not see it.
    let recipientLink: RecipientLinkRow?
    let proofs: ProofPanel?
    let descriptionText: String?
    /// `nil` for a package without points.
    let routeMap: RouteMapView?
    /// Links to the exact points; empty for people who may not see them.
    let pointLinks: [PlaceLink]
    let hasPointLinks: Bool
    /// The form that changes the offer; `nil` unless the reader may.
    let editURL: String?
    /// The public address of the offer; `nil` unless the reader may share it.
    let share: ShareView?
    /// The form for the same package again; `nil` unless the reader was its owner and it has ended.
    let repostURL: String?
    let steps: [PackageHistoryRowView]
    /// The statements of owner and carrier about the dispute, oldest first.
    let statements: [PackageHistoryRowView]
    let hasStatements: Bool
    let disputeForm: DisputeForm?
    let waiting: DisputeWaiting?
    let statementForm: StatementForm?
    let splitOffer: SplitOfferPanel?
    let splitForm: SplitForm?
    let madeDecision: DecisionPanel?
    let decision: DecisionForm?
    let contactBar: PackageContactBar?
    let reviewPanel: ReviewPanel?

    /// The submitted values of the page's forms, kept to show them again with errors.
    struct Sent: Sendable {
        var code = ""
        /// The raw value of a ``DisputeKind``.
        var kind = ""
        var rewardToCarrier = ""
        var depositToOwner = ""
        var reason = ""
        var statement = ""
        var statementPicture = ""
        var isStatement = false
        var splitStatement = ""
        var note = ""
        var proofNote = ""
        var proofPicture = ""
        var error: AppError?
        /// The lines of the offer that the reader accepted (``OfferLine``); `nil` for other forms.
        var read: [String]?
        /// The same lines if the owner has changed the offer since; `nil` otherwise.
        var changedSince: [String]?
        var review = ReviewFormState()

        /// Returns the values with an error.
        func with(_ error: AppError) -> Sent {
            var sent = self
            sent.error = error
            return sent
        }

        static let nothing = Sent()

        /// Returns the values with the error message in the reader's language.
        func translated(_ context: SignedInContext) -> Sent {
            var sent = self
            sent.error = error?.translated(to: context.language)
            return sent
        }
    }

    init(
        _ context: SignedInContext, _ details: PackageDetails, sent: Sent = .nothing, shareURL: String? = nil,
        t: Translator,
        formatter: CarrepsaFormatter
    ) {
        let package = details.package
        let sent = sent.translated(context)
        let place = PackageBackLink(details, from: context.query("from"))
        let words = PackageTextFormatter(details, t: t, formatter: formatter)
        let offered = context.query("code")
        shell = Shell(
            context, title: package.title, menu: .carrepsa(t), tab: place.tab.rawValue, isRefreshable: true,
            back: ShellBack(url: place.url, label: place.label(t)),
            pane: place.isPane ? ShellPane(url: place.url, label: place.label(t)) : nil
        )
        packageID = package.id.description
        packageURL = CarrepsaPath.package(package.id)
        reloadURL = packageURL + (offered.map { "?code=\(PercentEncoding.encoded($0))" } ?? place.query)
        listURL = place.url
        // An administrator sees the pictures of a case only until it ends.
        let isEndedCase = details.role == .operator && package.state.isFinished
        photoURL = isEndedCase ? nil : package.pictureID.map { CarrepsaPath.picture($0, size: .medium) }
        route = [package.from, package.to].isolated(separator: " → ")
        rewardText = formatter.money(package.reward)
        isUnfunded = package.state == .available && !package.funded && !package.isLapsed(formatter.now)
        stateBadge = isUnfunded ? nil : CardBadge.state(details, t)
        let changes = sent.changedSince.map { OfferLine.changes(of: package, since: $0, t, formatter) }
        notices =
            PackageBanner.all(details, reader: context.actor.person, now: formatter.now, words, t)
            + (changes.map { [PackageBanner(noticeKind: "banner-warning", noticeIcon: "circle-alert", noticeText: $0)] }
                ?? [])
        let shares = SplitText(settling: details, t, formatter).map { " \($0.carrierText) \($0.ownerText)" } ?? ""
        let comingBack = details.returnText(now: formatter.now, t).map { " " + $0 } ?? ""
        lead =
            words.fill(
                (isEndedCase ? details.resultText(t) : Self.lead(details, now: formatter.now, t)) + comingBack)
            + shares
        problem = sent.error.flatMap { error in
            error.fields.isEmpty && error.code != .throttled && changes == nil ? error.message : nil
        }
        let actions = PackageActionButton.all(details, t: t, formatter: formatter)
        let isFolded = details.isConfirmationFolded
        buttons = actions.leading(details)
        hasButtons = !buttons.isEmpty
        waysOut = actions.trailing(details)
        hasWaysOut = !waysOut.isEmpty
        let panel = HandoverPanel(details, offered: offered, sent: sent, words, t)
        handover = isFolded ? nil : panel
        foldedConfirmation = isFolded ? FoldedConfirmation(actions.filter(\.isConfirmation), panel) : nil
        facts = PackageFact.all(package, t, formatter)
        deadlineMoment = package.deadline.map { FormattedDeadline($0, formatter.times) }
        createdMoment = FormattedTime(package.createdAt, formatter.times)
        partners = PartyRow.all(details, reader: context.actor.person, t)
        recipientLink = RecipientLinkRow(details, t)
        recipientPanel = PackageRecipientPanel(details, app: context.account.mapsApp, t)
        offerSteps = OfferStep.open(details, isLapsed: package.isLapsed(formatter.now), t)
        hasOfferSteps = !offerSteps.isEmpty
        proofs = ProofPanel(details, sent: sent, t: t, formatter: formatter)
        descriptionText = package.description
        routeMap = RouteMapView(context, package.route, isCase: details.role == .operator, t)
        pointLinks = PlaceLink.all(
            package.route, address: details.recipient?.address, app: context.account.mapsApp, t)
        hasPointLinks = !pointLinks.isEmpty
        editURL = details.actions.contains(.edit) ? packageURL + "/edit" : nil
        share = shareURL.map { ShareView($0, title: package.title, id: "share-address") }
        repostURL =
            details.role == .owner && package.state.isFinished ? CarrepsaPath.newPackage + "?from=\(package.id)" : nil
        steps = PackageHistoryRowView.all(details, t, formatter)
        statements = details.history.filter(\.isStatement).map { PackageHistoryRowView($0, t, formatter) }
        hasStatements = details.role != .stranger && package.disputedAt != nil && !statements.isEmpty
        disputeForm = DisputeForm(details, sent: sent, words, t)
        waiting = DisputeWaiting(details, t, formatter)
        statementForm = StatementForm(details, sent: sent, words, t)
        splitOffer = SplitOfferPanel(details, words, t, formatter)
        splitForm = SplitForm(details, sent: sent, t, formatter)
        madeDecision = DecisionPanel(details, sent: sent, t, formatter)
        decision = DecisionForm(details, sent: sent, words, t, formatter)
        contactBar = PackageContactBar(details, now: formatter.now, t)
        reviewPanel = ReviewPanel(details, sent: sent, words, t, formatter)
    }

    /// Returns the package's status for the reader in one or two sentences.
    private static func lead(_ details: PackageDetails, now: Instant, _ t: Translator) -> String {
        let isOwner = details.role == .owner
        if let text = details.cancellationLead(t) { return text }
        switch details.package.state {
        case .available where details.package.isLapsed(now):
            return isOwner
                ? t("It can no longer be accepted, and your reward is back. Cancel the request, or create a new one.")
                : t("The pickup deadline has passed.")
        case .available:
            return isOwner
                ? t("Waiting for a carrier. You are notified when one accepts; then you hand it over.")
                : t("Put up {lock}, carry it, and get {sum} on delivery.")
        case .accepted:
            return isOwner
                ? t("{name} will collect it. Confirm pickup when you hand it over.")
                : t("Collect it from {name}. On handing over, {name} confirms, or you enter the code.")
        case .travelling:
            if details.package.disputedAt != nil {
                return details.disputeText(t)
            }
            if details.package.deliveryReportedAt != nil {
                return isOwner
                    ? t("{name} says it has arrived. Confirm it, or report a problem.")
                    : t(
                        """
                        You said it has arrived. {name} was reminded to confirm; after {n} hour an administrator is \
                        asked.
                        """,
                        plural: """
                            You said it has arrived. {name} was reminded to confirm; after {n} hours an administrator \
                            is asked.
                            """,
                        count: Limits.deliveryReportSeconds.wholeHours)
            }
            if !isOwner, details.package.hasRecipient {
                return t(
                    """
                    Bring it to the recipient. With their delivery code, or when {name} confirms, you get the reward \
                    of {reward} and your deposit of {lock} back.
                    """)
            }
            return isOwner
                ? t("{name} is carrying it. Confirm when it has arrived.")
                : t(
                    """
                    Bring it there. When {name} confirms, you get the reward of {reward} and your deposit of {lock} \
                    back.
                    """)
        case .delivered:
            return details.deliveredText(t)
        case .cancelled:
            switch details.lastAction {
            case .decideLost?, .enforceLost?:
                return isOwner
                    ? t(
                        """
                        An administrator decided that it is lost. You got {sum}: your reward back, and {name}’s \
                        deposit.
                        """
                    ) : t("An administrator decided that it is lost. Your deposit of {lock} went to {name}.")
            case .acceptSplit?: return t("You and {name} agreed to divide the money.")
            case .enforceSplit?: return t("An administrator divided the money.")
            case .decideRefunded?, .enforceRefunded?:
                return t("An administrator cancelled it. Owner and carrier got their money back.")
            default: return t("Cancelled. Owner and carrier got their money back.")
            }
        }
    }
}

/// A banner at the top of the page.
struct PackageBanner: Sendable {
    let noticeKind: String
    let noticeIcon: String
    let noticeText: String
    /// A quotation of another person.
    let quote: String
    let hasQuote: Bool

    init(noticeKind: String, noticeIcon: String, noticeText: String, quote: String = "") {
        self.noticeKind = noticeKind
        self.noticeIcon = noticeIcon
        self.noticeText = noticeText
        self.quote = quote
        hasQuote = !quote.isEmpty
    }

    static func all(
        _ details: PackageDetails, reader: PersonID, now: Instant, _ words: PackageTextFormatter, _ t: Translator
    ) -> [PackageBanner] {
        let package = details.package
        var notices: [PackageBanner] = []
        func add(_ text: String, kind: String = "banner-warning", icon: String = "circle-alert", quote: String = "") {
            notices.append(
                PackageBanner(
                    noticeKind: kind, noticeIcon: icon, noticeText: words.fill(text), quote: quote)
            )
        }
        if details.role == .stranger, package.state == .available, details.lastCarrier == reader {
            switch (details.lastStep?.action, details.lastStep?.role) {
            case (.cancelAcceptance?, .owner?): add(t("{name} cancelled your delivery. Your deposit is back."))
            case (.expire?, _): add(t("It wasn’t picked up in time. Your deposit is back."))
            default: break
            }
        }
        if package.isLapsed(now) {
            add(t("The pickup deadline has passed."), icon: "clock")
        } else if package.state == .available, !package.funded {
            add(
                details.role == .owner
                    ? t("Your wallet no longer covers the reward. The package can’t be accepted until it does.")
                    : t("The owner’s wallet doesn’t cover the reward right now, so the package can’t be accepted."),
                icon: "wallet")
        }
        if package.isRefused, package.state.isUnderWay, details.role != .stranger {
            add(details.refusalText(t))
        }
        guard package.state == .travelling else { return notices }
        if package.disputedAt != nil {
            let kind = details.dispute?.kind ?? .other
            add(
                kind == .other
                    ? t("Problem reported") : t("Problem reported: {what}", ["what": kind.bannerText(t)]),
                kind: "banner-danger", icon: "triangle-alert", quote: package.disputeReason ?? "")
        }
        if let asking = package.cancellationRequestedBy, details.role != .operator {
            add(
                asking == details.role
                    ? t("You asked to cancel. If {name} agrees, both get their money back.")
                    : t("{name} asks to cancel. If you agree, both get their money back."))
        }
        return notices
    }
}

extension PackageHistoryEntry {
    /// Whether the entry is a statement of owner or carrier in a dispute.
    fileprivate var isStatement: Bool {
        action == .dispute || action == .addStatement || action == .appeal || (action == .offerSplit && note != nil)
    }

    /// The life-cycle action; `nil` for other entries.
    fileprivate var action: PackageAction? {
        if case .action(let action) = event { action } else { nil }
    }
}

extension PackageDetails {
    fileprivate var lastStep: PackageHistoryEntry? { history.last { $0.action != nil } }

    /// Whether the delivery ended by a decision.
    var isEnforced: Bool { lastAction?.isEnforcement ?? false }

    /// The newest action in the history. For a finished package it tells the outcome.
    var lastAction: PackageAction? { lastStep?.action }

    /// The last person who accepted; `nil` if the reader may not know.
    fileprivate var lastCarrier: PersonID? { history.last { $0.action == .accept }?.by }
}

/// A row with the owner or the carrier.
struct PartyRow: Sendable {
    let partyRole: String
    let partyName: String
    /// The profile's URL; `nil` for the reader and for deleted accounts.
    let partyURL: String?

    static func all(_ details: PackageDetails, reader: PersonID, _ t: Translator) -> [PartyRow] {
        let package = details.package
        var rows = [PartyRow(package.owner, t("Owner", context: "package"), of: package, reader: reader, t)]
        if let carrier = package.carrier {
            rows.append(PartyRow(carrier, t("Carrier"), of: package, reader: reader, t))
        }
        return rows
    }

    private init(_ party: Party, _ role: String, of package: Package, reader: PersonID, _ t: Translator) {
        partyRole = role
        partyName = party.id == reader ? t("You") : party.name ?? t("Former member")
        partyURL = party.id == reader ? nil : party.id.map { CarrepsaPath.person($0) + "?package=\(package.id)" }
    }
}
