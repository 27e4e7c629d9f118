import Carrepsa
import Kernel
import Pictures
import WebCore

/// A row of the history.
struct PackageHistoryRowView: Sendable {
    let happening: String
    let doer: String
    let hasDoer: Bool
    /// The division of the money that was offered or decided.
    let splitNote: String?
    let remark: String
    let hasRemark: Bool
    let historyTime: FormattedTime
    /// The photo of a statement.
    let statementImageURL: String?
    let statementPhotoURL: String?

    /// Returns the rows of the history, the newest first. The latest wish of the recipient is quoted while known.
    static func all(_ details: PackageDetails, _ t: Translator, _ formatter: CarrepsaFormatter) -> [Self] {
        let latest = details.history.lastIndex { $0.event == .action(.instruct) }
        return details.history.enumerated().reversed().map { index, entry in
            Self(entry, quote: index == latest ? details.recipient?.leaveAt : nil, t, formatter)
        }
    }

    /// - Parameter quote: the remark of an entry without a note.
    init(_ entry: PackageHistoryEntry, quote: String? = nil, _ t: Translator, _ formatter: CarrepsaFormatter) {
        happening = Self.text(entry, t)
        doer = entry.role == .clock || entry.role == .operator ? "" : entry.byName ?? ""
        hasDoer = !doer.isEmpty
        splitNote = entry.split.map { split in
            t(
                "Carrier: {reward} of the reward. Owner: {deposit} of the deposit.",
                [
                    "reward": formatter.money(split.rewardToCarrier),
                    "deposit": formatter.money(split.depositToOwner),
                ])
        }
        remark = entry.note ?? quote ?? ""
        hasRemark = !remark.isEmpty
        historyTime = FormattedTime(entry.at, formatter.times)
        statementImageURL = entry.pictureID.map { CarrepsaPath.picture($0, size: .medium) }
        statementPhotoURL = entry.pictureID.map { CarrepsaPath.picture($0, size: .large) }
    }

    private static func text(_ entry: PackageHistoryEntry, _ t: Translator) -> String {
        guard case .action(let action) = entry.event else {
            return t("A carrier wanted to accept, but the reward wasn’t covered")
        }
        switch action {
        case .create: return t("Requested")
        case .withdraw: return t("Request cancelled")
        case .accept: return t("Accepted")
        case .cancelAcceptance: return t("Delivery cancelled")
        case .confirmPickup: return entry.role == .carrier ? t("Picked up, proven by code") : t("Pickup confirmed")
        case .reportDelivery: return t("Reported as delivered")
        case .confirmDelivery: return entry.role == .carrier ? t("Delivered, proven by code") : t("Delivery confirmed")
        case .requestCancellation: return t("Asked to cancel")
        case .retractCancellation: return t("No longer asks to cancel")
        case .agreeCancellation: return t("Agreed to cancel")
        case .dispute: return t("Problem reported")
        case .addStatement: return t("Statement")
        case .offerSplit: return t("Offered to divide the money")
        case .retractSplit: return t("Offer taken back")
        case .declineSplit: return t("Offer declined")
        case .acceptSplit: return t("Offer accepted, money divided")
        case .closeStatements: return t("Time for statements is over")
        case .decideSplit: return t("Administrator: the money is divided")
        case .acceptDecision: return t("Decision accepted")
        case .appeal: return t("Appeal")
        case .enforceDelivered, .enforceRefunded, .enforceLost, .enforceSplit: return t("The decision took effect")
        case .decideDelivered: return t("Administrator: counts as delivered")
        case .decideRefunded: return t("Administrator: both get their money back")
        case .decideLost: return t("Administrator: lost, the owner is compensated")
        case .expire: return t("Not picked up in time, money returned")
        case .escalate: return t("Administrator asked")
        case .edit: return t("Offer changed")
        case .instruct: return t("The recipient says where to leave it")
        case .refuse: return t("Refused by the recipient")
        case .addProof: return t("Photo of the handover")
        }
    }
}
