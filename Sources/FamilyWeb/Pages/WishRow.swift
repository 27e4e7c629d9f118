import Family
import Kernel
import WebCore

/// A child's wish in the shop.
struct WishRow: Sendable {
    let wishID: String
    let wishName: String
    /// The name of the child for a parent; `nil` for the child.
    let childName: String?
    let wishedMoment: FormattedTime
    /// The form of a new reward; `nil` for the child.
    let grantURL: String?
    let grantLabel: String
    let removeURL: String
    let removeLabel: String
    let idempotencyKey: String

    init(_ wish: Wish, childName: String?, key: String, _ t: Translator, _ formatter: FamilyFormatter) {
        wishID = wish.id.description
        wishName = wish.name
        self.childName = childName
        wishedMoment = FormattedTime(wish.at, formatter.times)
        grantURL = childName == nil ? nil : FamilyPath.newReward(granting: wish)
        grantLabel = t("Add “{reward}” to the shop", ["reward": wish.name])
        removeURL = FamilyPath.wish(wish.id, of: wish.childID) + "?_method=delete"
        removeLabel =
            childName == nil
            ? t("Withdraw “{reward}”", ["reward": wish.name]) : t("Decline “{reward}”", ["reward": wish.name])
        idempotencyKey = key
    }
}
