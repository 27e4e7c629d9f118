import Family
import Kernel
import Pictures
import WebCore

/// The shop in the JSON API.
struct ShopJSON: Encodable {
    let items: [ShopOfferJSON]
    let waiting: [PurchaseJSON]
    let wishes: [WishJSON]

    init(_ shop: FamilyShop) {
        items = shop.rewards.map { ShopOfferJSON($0, shop.offers[$0.id]) }
        waiting = shop.waiting.map(PurchaseJSON.init)
        wishes = shop.wishes.map(WishJSON.init)
    }
}

/// A reward with what a child can do about it, in the JSON API.
struct ShopOfferJSON: Encodable {
    private enum Key: String, CodingKey {
        case verdict, missingPoints, availableFrom
    }

    private let reward: ShopRewardJSON
    private let verdict: PurchaseVerdict?

    init(_ reward: ShopReward, _ verdict: PurchaseVerdict?) {
        self.reward = ShopRewardJSON(reward)
        self.verdict = verdict
    }

    func encode(to encoder: any Encoder) throws {
        try reward.encode(to: encoder)
        guard let verdict else { return }
        var object = encoder.container(keyedBy: Key.self)
        switch verdict {
        case .allowed: try object.encode("allowed", forKey: .verdict)
        case .soldOut: try object.encode("soldOut", forKey: .verdict)
        case .lacksPoints(let points):
            try object.encode("lacksPoints", forKey: .verdict)
            try object.encode(points, forKey: .missingPoints)
        case .availableFrom(let date):
            try object.encode("availableFrom", forKey: .verdict)
            try object.encode(date.text, forKey: .availableFrom)
        }
    }
}

/// A reward of the shop in the JSON API.
struct ShopRewardJSON: Encodable {
    let id: ID<ShopReward>
    let name: String
    @Nullable var pictureId: ID<Picture>?
    let price: Int64
    @Nullable var stock: Int64?
    @Nullable var childIds: [PersonID]?
    @Nullable var cooldownDays: Int?
    let needsApproval: Bool
    let version: Int64
    let createdAt: Instant

    init(_ reward: ShopReward) {
        id = reward.id
        name = reward.name
        price = reward.price
        needsApproval = reward.needsApproval
        version = reward.version
        createdAt = reward.createdAt
        pictureId = reward.pictureID
        stock = reward.stock
        childIds = reward.children
        cooldownDays = reward.cooldownDays
    }
}

/// The reward that a child saves for, in the JSON API.
struct SavingGoalJSON: Encodable {
    let rewardId: ID<ShopReward>
    let name: String
    let price: Int64
    @Nullable var reachedAt: Instant?

    init(_ goal: SavingGoal) {
        rewardId = goal.rewardID
        name = goal.name
        price = goal.price
        reachedAt = goal.reachedAt
    }
}

/// A child's wish in the JSON API.
struct WishJSON: Encodable {
    let id: ID<Wish>
    let childId: PersonID
    let name: String
    let at: Instant

    init(_ wish: Wish) {
        id = wish.id
        childId = wish.childID
        name = wish.name
        at = wish.at
    }
}

/// A purchase in the JSON API.
struct PurchaseJSON: Encodable {
    let id: ID<Purchase>
    let childId: PersonID
    @Nullable var rewardId: ID<ShopReward>?
    let name: String
    @Nullable var pictureId: ID<Picture>?
    let price: Int64
    let at: Instant
    let state: String
    @Nullable var decidedAt: Instant?
    @Nullable var decidedBy: String?

    init(_ purchase: Purchase) {
        id = purchase.id
        childId = purchase.childID
        name = purchase.name
        price = purchase.price
        at = purchase.at
        state = purchase.state.rawValue
        rewardId = purchase.rewardID
        pictureId = purchase.pictureID
        decidedAt = purchase.decidedAt
        decidedBy = purchase.decidedByName
    }
}
