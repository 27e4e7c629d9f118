import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The row about the shop on the dashboards of parents and children.
struct ShopRow: Sendable {
    let shopURL: String
    /// `18 points to spend`, `4 rewards, 1 waiting`.
    let shopNote: String

    /// - Parameter child: the reader, if a child reads it.
    init(_ shop: ShopSummary, child: Child?, _ t: Translator, _ formatter: FamilyFormatter) {
        shopURL = FamilyPath.shop
        let waiting = shop.waitingCount
        let parts = [
            child?.spendablePoints.map { t("{points} to spend", ["points": formatter.points($0)]) },
            child == nil && shop.rewardCount > 0
                ? t("{n} reward", plural: "{n} rewards", count: shop.rewardCount) : nil,
            waiting == 0 ? nil : t("{n} waiting", plural: "{n} waiting", count: waiting),
            child != nil || shop.wishCount == 0 ? nil : t("{n} wish", plural: "{n} wishes", count: shop.wishCount),
        ].compactMap(\.self)
        shopNote = parts.isEmpty ? t("Rewards that children buy with points") : parts.isolated(separator: ", ")
    }
}

/// The shop for a parent.
struct ShopPage: Sendable {
    let shell: Shell
    let waiting: [PurchaseRow]
    let hasWaiting: Bool
    let wishes: [WishRow]
    let hasWishes: Bool
    let rewards: [RewardRow]
    let hasRewards: Bool
    let newRewardURL: String
    /// Suggestions for the first rewards; none once the shop has some.
    let suggestions: [RewardLink]
    let children: [ShopChild]
    let hasChildren: Bool

    init(_ context: SignedInContext, _ shop: FamilyShop, formatter: FamilyFormatter) {
        let t = context.t
        shell = Shell(
            context, title: t("Shop"), menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue,
            isRefreshable: true, back: ShellBack(url: FamilyPath.root, label: t("Family")),
            action: ShellAction(label: t("Add a reward"), icon: "plus", url: FamilyPath.newReward))
        let key = shell.idempotencyKey
        let names = Dictionary(shop.children.map { ($0.id, $0.name) }) { first, _ in first }
        waiting = shop.waiting.map {
            PurchaseRow($0, childName: names[$0.childID], isParent: true, key: key, t: t, formatter: formatter)
        }
        hasWaiting = !waiting.isEmpty
        wishes = shop.wishes.map { WishRow($0, childName: names[$0.childID] ?? "", key: key, t, formatter) }
        hasWishes = !wishes.isEmpty
        rewards = shop.rewards.map { RewardRow($0, names: names, t, formatter) }
        hasRewards = !rewards.isEmpty
        newRewardURL = FamilyPath.newReward
        suggestions = hasRewards ? [] : RewardLink.suggestions(for: shop.children, context)
        children = shop.children.map { ShopChild($0, formatter) }
        hasChildren = !children.isEmpty
    }
}

/// A reward in a parent's list.
struct RewardRow: Sendable {
    let rewardID: String
    let rewardURL: String
    let rewardName: String
    let rewardPictureURL: String?
    /// `12 points`.
    let priceText: String
    /// `Mia, 3 left, every 7 days`; `nil` for none.
    let rewardNote: String?

    init(_ reward: ShopReward, names: [PersonID: String], _ t: Translator, _ formatter: FamilyFormatter) {
        rewardID = reward.id.description
        rewardURL = FamilyPath.reward(reward.id) + "/edit"
        rewardName = reward.name
        rewardPictureURL = reward.pictureID.map { FamilyPath.picture($0, size: .small) }
        priceText = formatter.points(reward.price)
        let parts = [
            reward.children.map {
                $0.isEmpty ? t("for no child") : $0.compactMap { names[$0] }.isolated(separator: ", ")
            },
            reward.stock.map { $0 == 0 ? t("Sold out") : t("{n} left", ["n": formatter.number($0)]) },
            reward.cooldownDays.map { t("once a day", plural: "once in {n} days", count: $0) },
            reward.needsApproval ? nil : t("without approval"),
        ].compactMap(\.self)
        rewardNote = parts.isEmpty ? nil : parts.isolated(separator: ", ")
    }
}

/// A link to the form of a new reward with a suggestion filled in.
struct RewardLink: Sendable {
    let linkURL: String
    let rewardName: String
    let linkPictureURL: String?

    /// Returns the suggestions for the ages of these children.
    static func suggestions(for children: [Child], _ context: SignedInContext) -> [RewardLink] {
        let now = context.web.clock.now
        let suited = Set(children.flatMap { StarterReward.suited(toYears: $0.ageInYears(at: now)) })
        return StarterReward.allCases.filter(suited.contains).map { starter in
            RewardLink(
                linkURL: "\(FamilyPath.newReward)?suggestion=\(starter.rawValue)", rewardName: starter.name(context.t),
                linkPictureURL: starter.pictureID.map { FamilyPath.picture($0, size: .small) })
        }
    }
}

/// A child on a parent's page of the shop.
struct ShopChild: Sendable {
    let childName: String
    let childTheme: String
    let avatarURL: String?
    let purchasesURL: String
    /// `18 points`.
    let spendableText: String

    init(_ child: Child, _ formatter: FamilyFormatter) {
        childName = child.name
        childTheme = child.theme
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        purchasesURL = FamilyPath.purchases(of: child.id)
        spendableText = formatter.points(child.spendablePoints ?? 0)
    }
}

/// The shop for a child.
struct ChildShopPage: Sendable {
    let shell: Shell
    /// `You have 18 points to spend`.
    let spendableText: String
    let savingGoal: SavingGoalView?
    let waiting: [PurchaseRow]
    let hasWaiting: Bool
    let offers: [OfferView]
    let hasOffers: Bool
    let wishes: [WishRow]
    let hasWishes: Bool
    let wishesURL: String
    let wishField: FamilyField
    let purchasesURL: String

    /// - Parameters:
    ///   - wish: the text of the form for a wish.
    ///   - error: the error of that form.
    init(
        _ context: SignedInContext, _ shop: FamilyShop, wish: String = "", error: AppError? = nil,
        formatter: FamilyFormatter
    ) {
        let t = context.t
        shell = Shell(
            context, title: t("Shop"), menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue,
            isRefreshable: true, back: ShellBack(url: FamilyPath.root, label: t("Family")))
        let key = shell.idempotencyKey
        let me = context.actor.person
        spendableText = t(
            "You have {points} to spend", ["points": formatter.points(shop.children.first?.spendablePoints ?? 0)])
        waiting = shop.waiting.map {
            PurchaseRow($0, childName: nil, isParent: false, key: key, t: t, formatter: formatter)
        }
        hasWaiting = !waiting.isEmpty
        savingGoal = shop.children.first.flatMap { SavingGoalView($0, t, formatter) }
        let goal = shop.children.first?.savingGoal?.rewardID
        offers = shop.rewards.map {
            OfferView($0, shop.offers[$0.id], isGoal: $0.id == goal, child: me, key: key, t, formatter)
        }
        hasOffers = !offers.isEmpty
        wishes = shop.wishes.map { WishRow($0, childName: nil, key: key, t, formatter) }
        hasWishes = !wishes.isEmpty
        wishesURL = FamilyPath.wishes(of: me)
        wishField = FamilyField(
            "name", id: "wish-name", label: t("I wish for"), value: wish, placeholder: t("Cinema, a later bedtime …"),
            message: FormErrors(error)["name"])
        purchasesURL = FamilyPath.purchases(of: me)
    }
}

/// A reward that a child can buy.
struct OfferView: Sendable {
    let rewardID: String
    let rewardName: String
    /// The medium size; `nil` without a picture.
    let rewardPictureURL: String?
    let price: String
    let priceText: String
    /// The address that buys it; `nil` if the child can't.
    let buyURL: String?
    let buyLabel: String
    /// The idempotency key of the purchase: one for each reward, because they have the same address.
    let buyKey: String
    /// What the child is asked before it buys.
    let question: String
    let questionNote: String
    /// Why the child can't buy it, or how many are left; `nil` for none.
    let offerNote: String?
    let isGoal: Bool
    /// The address that chooses it as the saving goal; `nil` if the child can buy it now, and for the present goal.
    let goalURL: String?
    let goalLabel: String

    init(
        _ reward: ShopReward, _ verdict: PurchaseVerdict?, isGoal: Bool, child: PersonID, key: String,
        _ t: Translator, _ formatter: FamilyFormatter
    ) {
        rewardID = reward.id.description
        rewardName = reward.name
        rewardPictureURL = reward.pictureID.map { FamilyPath.picture($0, size: .medium) }
        price = String(reward.price)
        priceText = formatter.points(reward.price)
        buyURL = verdict == .allowed ? FamilyPath.purchases(of: child) : nil
        buyKey = "\(key)-\(reward.id)"
        buyLabel = t("Buy “{reward}” for {points}", ["reward": reward.name, "points": priceText])
        question = t("Buy “{reward}”?", ["reward": reward.name])
        self.isGoal = isGoal
        goalURL = isGoal || verdict == .allowed ? nil : FamilyPath.goal(of: child) + "?_method=put"
        goalLabel = t("Save for “{reward}”", ["reward": reward.name])
        questionNote =
            reward.needsApproval
            ? t("It costs {points}. A parent decides.", ["points": priceText])
            : t("It costs {points}.", ["points": priceText])
        offerNote =
            switch verdict {
            case .lacksPoints(let points): t("{points} to go", ["points": formatter.points(points)])
            case .soldOut: t("Sold out")
            case .availableFrom(let date): t("Available again on {date}", ["date": formatter.date(date.text)])
            case .allowed, nil: reward.stock.map { t("{n} left", ["n": formatter.number($0)]) }
            }
    }
}
