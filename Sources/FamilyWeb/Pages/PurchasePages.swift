import Family
import Kernel
import Pictures
import WebCore

/// A purchase in lists of parents and children.
struct PurchaseRow: Sendable {
    let purchaseID: String
    let purchaseURL: String
    let rewardName: String
    let rewardPictureURL: String?
    /// The name of the child; `nil` where the page is about one child.
    let childName: String?
    /// `12 points`.
    let priceText: String
    let boughtMoment: FormattedTime
    let stateText: String
    let isWaiting: Bool
    let isApproved: Bool
    /// Whether the points were given back.
    let isEnded: Bool
    /// The address that approves it; `nil` unless a parent can.
    let approvalURL: String?
    let approvalLabel: String
    /// The address that declines or cancels it; `nil` unless the reader can.
    let endURL: String?
    let endLabel: String
    /// The address that gives its points back; `nil` unless a parent can.
    let refundURL: String?
    let refundLabel: String
    let refundQuestion: String
    let refundNote: String
    let idempotencyKey: String

    init(
        _ purchase: Purchase, childName: String?, isParent: Bool, key: String, t: Translator,
        formatter: FamilyFormatter
    ) {
        let url = FamilyPath.purchase(purchase.id, of: purchase.childID)
        purchaseID = purchase.id.description
        purchaseURL = url
        rewardName = purchase.name
        rewardPictureURL = purchase.pictureID.map { FamilyPath.picture($0, size: .small) }
        self.childName = childName
        priceText = formatter.points(purchase.price)
        boughtMoment = FormattedTime(purchase.at, formatter.times)
        stateText = purchase.state.text(t)
        isWaiting = purchase.state == .waiting
        isApproved = purchase.state == .approved
        isEnded = !purchase.state.isSpent
        approvalURL = isParent && isWaiting ? url + "/approval" : nil
        approvalLabel = t("Approve “{reward}”", ["reward": purchase.name])
        endURL = isWaiting ? url + "?_method=delete" : nil
        endLabel =
            isParent
            ? t("Decline “{reward}”", ["reward": purchase.name]) : t("Cancel “{reward}”", ["reward": purchase.name])
        refundURL = isParent && isApproved ? url + "/refund" : nil
        refundLabel = t("Give back {points} for “{reward}”", ["points": priceText, "reward": purchase.name])
        refundQuestion = t("Give {points} back?", ["points": priceText])
        refundNote = t("“{reward}” isn’t bought any more.", ["reward": purchase.name])
        idempotencyKey = key
    }
}

extension Purchase.State {
    /// The state in the reader's language.
    func text(_ t: Translator) -> String {
        switch self {
        case .waiting: t("Waiting for a parent")
        case .approved: t("Bought")
        case .declined: t("Declined")
        case .cancelled: t("Cancelled")
        case .refunded: t("Points given back")
        }
    }
}

/// The page of a purchase that waits, with the buttons to decide on it.
struct PurchasePage: Sendable {
    let shell: Shell
    let purchaseText: String
    let pricesText: String
    let rewardPictureURL: String?
    let boughtMoment: FormattedTime
    let approvalURL: String
    let declineURL: String
    let reasonField: FamilyField
    let problem: String?

    init(
        _ context: SignedInContext, _ details: PurchaseDetails, reason: String, error: AppError?,
        formatter: FamilyFormatter
    ) {
        let t = context.t
        let (purchase, child) = (details.purchase, details.child)
        shell = Shell(
            context, title: purchase.name, menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue,
            isLargeTitle: false, isNarrow: true, back: ShellBack(url: FamilyPath.shop, label: t("Shop")))
        purchaseText = t("{name} wants “{reward}”.", ["name": child.name, "reward": purchase.name])
        pricesText = t(
            "It costs {points}. {name} then has {rest} left.",
            [
                "points": formatter.points(purchase.price), "name": child.name,
                "rest": formatter.points(child.spendablePoints ?? 0),
            ])
        rewardPictureURL = purchase.pictureID.map { FamilyPath.picture($0, size: .medium) }
        boughtMoment = FormattedTime(purchase.at, formatter.times)
        let url = FamilyPath.purchase(purchase.id, of: child.id)
        approvalURL = url + "/approval"
        declineURL = url + "?_method=delete"
        let errors = FormErrors(error)
        problem = errors.message
        reasonField = FamilyField(
            "reason", label: t("Reason (optional)"), value: reason,
            hint: t("{name} can read it.", ["name": child.name]), message: errors["reason"], isRequired: false)
    }
}

/// The list of a child's purchases, newest first.
struct PurchaseListPage: Sendable {
    let shell: Shell
    let purchases: [PurchaseRow]
    let hasPurchases: Bool
    let spendableText: String
    let reloadURL: String
    let profileURL: String
    let moreURL: String?

    init(
        _ context: SignedInContext, _ entries: ChildEntries<Purchase>, after: String?, formatter: FamilyFormatter
    ) {
        let t = context.t
        let child = entries.child
        let isParent = !context.isChild
        let shell = Shell(
            context, title: isParent ? t("Bought by {name}", ["name": child.name]) : t("What I bought"),
            menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue, isLargeTitle: false,
            isRefreshable: true, back: ShellBack(url: FamilyPath.shop, label: t("Shop")))
        self.shell = shell
        purchases = entries.page.items.map {
            PurchaseRow(
                $0, childName: nil, isParent: isParent, key: shell.idempotencyKey, t: t, formatter: formatter)
        }
        hasPurchases = !purchases.isEmpty
        spendableText = t("{points} to spend", ["points": formatter.points(child.spendablePoints ?? 0)])
        let url = FamilyPath.purchases(of: child.id)
        reloadURL = url + (after.map { "?after=\(PercentEncoding.encoded($0))" } ?? "")
        profileURL = FamilyPath.child(child.id)
        moreURL = entries.page.next.map { url + "?after=\(PercentEncoding.encoded($0))" }
    }
}
