import Accounts
import Carrepsa
import Kernel
import Pictures
import WebCore

/// The view model of a package: details, parties, history and possible actions.
struct PackagePage: Sendable {
    let shell: Shell
    let t: CarrepsaStrings
    let packageID: String
    let packageURL: String
    /// The URL that live updates load. Includes a scanned handover code.
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
    let facts: [PackageFact]
    let deadlineMoment: CarrepsaMoment?
    let createdMoment: CarrepsaMoment
    let partners: [PartyRow]
    let descriptionText: String?
    let steps: [PackageHistoryRowView]
    /// The statements of both parties about the dispute, oldest first.
    let statements: [PackageHistoryRowView]
    let hasStatements: Bool
    let disputeForm: DisputeForm?
    let statementForm: StatementForm?
    let decision: DecisionForm?

    /// The submitted values of the page's forms, kept to show them again with errors.
    struct Sent: Sendable {
        var code = ""
        var reason = ""
        var statement = ""
        var note = ""
        var error: AppError?

        static let nothing = Sent()

        /// Returns the values with the error message in the reader's language.
        func translated(_ context: SignedInContext) -> Sent {
            var sent = self
            sent.error = error.map { context.web.translated($0, to: context.language) }
            return sent
        }
    }

    init(
        _ context: SignedInContext, _ details: PackageDetails, sent: Sent = .nothing, t: CarrepsaStrings,
        formatter: CarrepsaFormatter
    ) {
        let package = details.package
        let place = PackageBackLink(details)
        let words = PackageTextFormatter(details, t: t, formatter: formatter)
        let offered = context.query("code")
        shell = Shell(
            context, title: package.title, menu: .carrepsa(t), tab: place.tab.rawValue, isRefreshable: true,
            back: ShellBack(url: place.url, label: place.label(t)),
            pane: place.isPane ? ShellPane(url: place.url, label: place.label(t)) : nil
        )
        self.t = t
        packageID = package.id.description
        packageURL = CarrepsaPath.package(package.id)
        reloadURL = packageURL + (offered.map { "?code=\(PathSegment.encoded($0))" } ?? "")
        listURL = place.url
        photoURL = package.pictureID.map { CarrepsaPath.picture($0, size: .medium) }
        route = "\(package.from) → \(package.to)"
        rewardText = formatter.money(package.reward)
        isUnfunded = package.state == .available && !package.funded && !package.isLapsed(formatter.now)
        stateBadge = isUnfunded ? nil : CardBadge.state(package, t)
        notices = PackageBanner.all(details, reader: context.actor.person, now: formatter.now, words, t)
        lead = words.fill(Self.lead(details, now: formatter.now, t))
        let sent = sent.translated(context)
        problem = sent.error.flatMap { error in
            error.fields.isEmpty && error.code != .throttled ? error.message : nil
        }
        let actions = PackageActionButton.all(details, t: t, formatter: formatter)
        buttons = actions.filter { !$0.isWayOut }
        hasButtons = !buttons.isEmpty
        waysOut = actions.filter(\.isWayOut)
        hasWaysOut = !waysOut.isEmpty
        handover = HandoverPanel(details, offered: offered, sent: sent, words, t)
        facts = PackageFact.all(package, t, formatter)
        deadlineMoment = package.deadline.map { CarrepsaMoment(until: $0, formatter) }
        createdMoment = CarrepsaMoment(package.createdAt, formatter)
        partners = PartyRow.all(details, reader: context.actor.person, t)
        descriptionText = package.description
        steps = details.history.reversed().map { PackageHistoryRowView($0, t, formatter) }
        statements = details.history.filter(\.isStatement).map { PackageHistoryRowView($0, t, formatter) }
        hasStatements = package.state == .travelling && package.disputedAt != nil && !statements.isEmpty
        disputeForm = DisputeForm(details, sent: sent, t)
        statementForm = StatementForm(details, sent: sent, t)
        decision = DecisionForm(details, sent: sent, words, t)
    }

    /// Returns the package's status for the reader in one or two sentences.
    private static func lead(_ details: PackageDetails, now: Instant, _ t: CarrepsaStrings) -> String {
        let isOwner = details.role == .owner
        switch details.package.state {
        case .available where details.package.isLapsed(now): return isOwner ? t.details.ownerLapsed : t.details.lapsed
        case .available: return isOwner ? t.details.ownerAvailable : t.details.strangerAvailable
        case .accepted: return isOwner ? t.details.ownerAccepted : t.details.carrierAccepted
        case .travelling:
            if details.package.disputedAt != nil { return t.details.disputedText }
            if details.package.deliveryReportedAt != nil {
                return isOwner ? t.details.ownerReported : t.details.carrierReported
            }
            return isOwner ? t.details.ownerTravelling : t.details.carrierTravelling
        case .delivered:
            if details.lastAction == .decideDelivered {
                return isOwner ? t.details.ownerDecidedDelivered : t.details.carrierDecidedDelivered
            }
            return isOwner ? t.details.ownerDelivered : t.details.carrierDelivered
        case .cancelled:
            switch details.lastAction {
            case .decideLost?: return isOwner ? t.details.ownerLost : t.details.carrierLost
            case .decideRefunded?: return t.details.refundedText
            default: return t.details.cancelledText
            }
        }
    }
}

/// The list to which the package's back link leads.
struct PackageBackLink: Sendable {
    let tab: CarrepsaTab
    let url: String
    let isPane: Bool

    init(_ details: PackageDetails) {
        self.init(details.role, isPast: details.package.state.isFinished)
    }

    /// - Parameter isPast: whether the list shows finished packages.
    init(_ role: PackageRole, isPast: Bool = false) {
        isPane = role != .operator
        switch role {
        case .owner:
            tab = .mine
            url = CarrepsaPath.mine + (isPast ? CarrepsaPath.past : "")
        case .carrier:
            tab = .deliveries
            url = CarrepsaPath.deliveries + (isPast ? CarrepsaPath.past : "")
        case .operator:
            tab = .profile
            url = CarrepsaPath.disputes
        case .stranger, .clock:
            tab = .search
            url = CarrepsaPath.packages
        }
    }

    func label(_ t: CarrepsaStrings) -> String {
        switch tab {
        case .mine: t.common.mine
        case .deliveries: t.common.deliveries
        case .profile: t.operators.disputes
        case .search, .new: t.common.search
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

    static func all(
        _ details: PackageDetails, reader: PersonID, now: Instant, _ words: PackageTextFormatter, _ t: CarrepsaStrings
    ) -> [PackageBanner] {
        let package = details.package
        var notices: [PackageBanner] = []
        func note(_ text: String, kind: String = "banner-warning", icon: String = "circle-alert", quote: String = "") {
            notices.append(
                PackageBanner(
                    noticeKind: kind, noticeIcon: icon, noticeText: words.fill(text), quote: quote,
                    hasQuote: !quote.isEmpty
                )
            )
        }
        if details.role == .stranger, package.state == .available, details.lastCarrier == reader {
            switch (details.lastStep?.action, details.lastStep?.role) {
            case (.cancelAcceptance?, .owner?): note(t.details.otherCancelled)
            case (.expire?, _): note(t.details.notCollected)
            default: break
            }
        }
        if package.isLapsed(now) {
            note(t.details.lapsed, icon: "clock")
        } else if package.state == .available, !package.funded {
            note(details.role == .owner ? t.details.unfundedOwner : t.details.unfundedOthers, icon: "wallet")
        }
        guard package.state == .travelling else { return notices }
        if package.disputedAt != nil {
            note(
                t.common.disputed, kind: "banner-danger", icon: "triangle-alert", quote: package.disputeReason ?? "")
        }
        if let asking = package.cancellationRequestedBy, details.role != .operator {
            note(asking == details.role ? t.details.iAskedToCancel : t.details.otherAskedToCancel)
        }
        return notices
    }
}

extension PackageHistoryEntry {
    /// Whether the entry is a party's statement in a dispute.
    fileprivate var isStatement: Bool { action == .dispute || action == .addStatement }

    /// The life-cycle action; `nil` for other entries.
    fileprivate var action: PackageAction? {
        if case .action(let action) = event { action } else { nil }
    }
}

extension PackageDetails {
    fileprivate var lastStep: PackageHistoryEntry? { history.last { $0.action != nil } }

    /// The newest action in the history. For a finished package it tells the outcome.
    fileprivate var lastAction: PackageAction? { lastStep?.action }

    /// The last person who accepted; `nil` if the reader may not know.
    fileprivate var lastCarrier: PersonID? { history.last { $0.action == .accept }?.by }
}

/// A labelled value.
struct PackageFact: Sendable {
    let factLabel: String
    let factText: String

    static func all(_ package: Package, _ t: CarrepsaStrings, _ formatter: CarrepsaFormatter) -> [PackageFact] {
        [
            PackageFact(factLabel: t.common.from, factText: package.from),
            PackageFact(factLabel: t.common.to, factText: package.to),
            PackageFact(factLabel: t.common.weight, factText: formatter.weight(package.weightGrams)),
            PackageFact(factLabel: t.common.reward, factText: formatter.money(package.reward)),
            PackageFact(factLabel: t.common.moneyLock, factText: formatter.money(package.moneyLock)),
        ]
    }
}

/// A row with the owner or the carrier.
struct PartyRow: Sendable {
    let partyRole: String
    let partyName: String
    /// The profile's URL; `nil` for the reader and for deleted accounts.
    let partyURL: String?

    static func all(_ details: PackageDetails, reader: PersonID, _ t: CarrepsaStrings) -> [PartyRow] {
        let package = details.package
        var rows = [PartyRow(package.owner, t.details.owner, of: package, reader: reader, t)]
        if let carrier = package.carrier {
            rows.append(PartyRow(carrier, t.details.carrier, of: package, reader: reader, t))
        }
        return rows
    }

    private init(_ party: Party, _ role: String, of package: Package, reader: PersonID, _ t: CarrepsaStrings) {
        partyRole = role
        partyName = party.id == reader ? t.details.you : party.name ?? t.people.former
        partyURL = party.id == reader ? nil : party.id.map { CarrepsaPath.person($0) + "?package=\(package.id)" }
    }
}

/// A row of the history.
struct PackageHistoryRowView: Sendable {
    let happening: String
    let doer: String
    let hasDoer: Bool
    let remark: String
    let hasRemark: Bool
    let storyMoment: CarrepsaMoment

    init(_ entry: PackageHistoryEntry, _ t: CarrepsaStrings, _ formatter: CarrepsaFormatter) {
        happening = Self.text(entry, t.story)
        doer = entry.role == .clock || entry.role == .operator ? "" : entry.byName ?? ""
        hasDoer = !doer.isEmpty
        remark = entry.note ?? ""
        hasRemark = !remark.isEmpty
        storyMoment = CarrepsaMoment(entry.at, formatter)
    }

    private static func text(_ entry: PackageHistoryEntry, _ t: PackageHistoryStrings) -> String {
        guard case .action(let action) = entry.event else { return t.notFunded }
        switch action {
        case .create: return t.posted
        case .withdraw: return t.withdrawn
        case .accept: return t.accepted
        case .cancelAcceptance: return t.cancelled
        case .confirmPickup: return entry.role == .carrier ? t.pickedUpByCode : t.pickedUp
        case .reportDelivery: return t.reported
        case .confirmDelivery: return entry.role == .carrier ? t.deliveredByCode : t.delivered
        case .requestCancellation: return t.cancellationRequested
        case .retractCancellation: return t.cancellationRetracted
        case .agreeCancellation: return t.cancellationAgreed
        case .dispute: return t.disputed
        case .addStatement: return t.statement
        case .decideDelivered: return t.decidedDelivered
        case .decideRefunded: return t.decidedRefunded
        case .decideLost: return t.decidedLost
        case .expire: return t.expired
        case .escalate: return t.asked
        }
    }
}
