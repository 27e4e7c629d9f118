import Family
import Kernel
import Pictures
import WebCore

/// The typed values of the form of a reward, to show them again after an error.
struct RewardFormState: Sendable {
    static let forAll = "all"
    static let forChosen = "chosen"

    var name = ""
    /// The picture's id; empty for none.
    var picture = ""
    var price = ""
    var stock = ""
    /// ``forAll`` or ``forChosen``.
    var audience = Self.forAll
    var children: [String] = []
    var cooldownDays = ""
    var needsApproval = true
    /// The version that the form was filled from; `nil` for a new reward.
    var version: Int64?
    /// The id of the wish that the reward grants, and of its child; empty for none.
    var wish = ""
    var wishChild = ""

    init() {}

    init(_ wish: Wish) {
        name = wish.name
        audience = Self.forChosen
        children = [wish.childID.description]
        self.wish = wish.id.description
        wishChild = wish.childID.description
    }

    init(_ starter: StarterReward, _ t: Translator) {
        name = starter.name(t)
        picture = starter.pictureID?.description ?? ""
        price = String(starter.suggestedPrice)
    }

    init(_ reward: ShopReward) {
        name = reward.name
        picture = reward.pictureID?.description ?? ""
        price = String(reward.price)
        stock = reward.stock.map(String.init) ?? ""
        audience = reward.children == nil ? Self.forAll : Self.forChosen
        children = reward.children?.map(\.description) ?? []
        cooldownDays = reward.cooldownDays.map(String.init) ?? ""
        needsApproval = reward.needsApproval
        version = reward.version
    }

    init(_ fields: inout Fields) {
        name = fields.typed("name")
        picture = fields.typed("pictureId")
        price = fields.typed("price").trimmingSpaces()
        stock = fields.typed("stock").trimmingSpaces()
        audience = fields.typed("for") == Self.forChosen ? Self.forChosen : Self.forAll
        children = fields.childIDs().value ?? []
        cooldownDays = fields.typed("cooldownDays").trimmingSpaces()
        needsApproval = fields.boolean("needsApproval").value ?? false
        version = Int64(fields.typed("version"))
        wish = fields.typed("wishId")
        wishChild = fields.typed("wishChildId")
    }

    /// The input for the service. A number that isn't one is out of each range, so that the service marks its field.
    var input: ShopRewardInput {
        ShopRewardInput(
            name: name, pictureID: ID<Picture>(picture), price: Self.whole(price), stock: Self.whole(stock),
            children: audience == Self.forAll ? nil : children, cooldownDays: Self.whole(cooldownDays),
            needsApproval: needsApproval)
    }

    /// The wish that the reward grants; `nil` for none.
    var granted: (id: ID<Wish>, child: PersonID)? {
        guard let id = ID<Wish>(wish), let child = PersonID(wishChild) else { return nil }
        return (id, child)
    }

    private static func whole(_ text: String) -> Int64? {
        let text = text.filter { !$0.isWhitespace }
        return text.isEmpty ? nil : Int64(text) ?? -1
    }
}

/// The page that adds or edits a reward of the shop.
struct RewardPage: Sendable {
    let shell: Shell
    let formAction: String
    let problem: String?
    let photo: PhotoField
    let nameField: FamilyField
    let priceField: FamilyField
    let stockField: FamilyField
    let cooldownField: FamilyField
    let audiences: [ScheduleChoice]
    let children: [ScheduleChild]
    /// Whether the form lets the parent choose children: with several, or if some are chosen.
    let hasChoice: Bool
    let childrenMessage: String
    let isChildrenInvalid: Bool
    let needsApproval: Bool
    let submitLabel: String
    let versionText: String
    let hasVersion: Bool
    let deleteURL: String
    let suggestions: [RewardLink]
    let hasSuggestions: Bool
    let isGranting: Bool
    let wishID: String
    let wishChildID: String

    init(
        _ context: SignedInContext, editing reward: ShopReward?, children all: [Child], typed: RewardFormState,
        error: AppError?
    ) {
        let t = context.t
        shell = .modal(
            context, title: reward == nil ? t("Add a reward") : t("Edit reward"), back: FamilyPath.shop, t)
        formAction = reward.map { FamilyPath.reward($0.id) + "?_method=put" } ?? FamilyPath.shop
        deleteURL = reward.map { FamilyPath.reward($0.id) + "?_method=delete" } ?? ""
        let errors = FormErrors(error)
        problem = error?.code == .tooLarge ? nil : errors.message
        let picture = ID<Picture>(typed.picture)
        let fault =
            error?.code == .tooLarge ? PictureText.tooLarge(t) : errors["picture"] ?? errors["pictureId"]
        photo = PhotoField(
            pictureID: picture?.description ?? "", imageURL: picture.map { FamilyPath.picture($0, size: .medium) },
            error: fault ?? "", label: t("Picture of the reward"))
        nameField = FamilyField(
            "name", label: t("Name"), value: typed.name, placeholder: t("Cinema, a later bedtime …"),
            message: errors["name"])
        priceField = FamilyField(
            "price", label: t("Price in points"), value: typed.price, keyboard: "numeric",
            hint: t("A chore gives 1, 2 or 3 points."), message: errors["price"])
        stockField = FamilyField(
            "stock", label: t("Number available"), value: typed.stock, keyboard: "numeric",
            hint: t("Leave this empty for no limit."), message: errors["stock"], isRequired: false)
        cooldownField = FamilyField(
            "cooldownDays", label: t("Days between purchases"), value: typed.cooldownDays, keyboard: "numeric",
            hint: t("1 allows one purchase a day for each child. Leave this empty for no limit."),
            message: errors["cooldownDays"], isRequired: false)
        audiences = [
            ScheduleChoice(
                choiceValue: RewardFormState.forAll, choiceLabel: t("All children"),
                isChosen: typed.audience == RewardFormState.forAll),
            ScheduleChoice(
                choiceValue: RewardFormState.forChosen, choiceLabel: t("Chosen children"),
                isChosen: typed.audience == RewardFormState.forChosen),
        ]
        children = all.map { ScheduleChild($0, isChosen: typed.children.contains($0.id.description)) }
        hasChoice = all.count > 1 || typed.audience == RewardFormState.forChosen
        childrenMessage = errors["childIds"] ?? ""
        isChildrenInvalid = errors["childIds"] != nil
        needsApproval = typed.needsApproval
        submitLabel = reward == nil ? t("Add a reward") : t("Update")
        versionText = typed.version.map(String.init) ?? ""
        hasVersion = reward != nil
        isGranting = typed.granted != nil
        wishID = typed.wish
        wishChildID = typed.wishChild
        suggestions = reward == nil && typed.granted == nil ? RewardLink.suggestions(for: all, context) : []
        hasSuggestions = !suggestions.isEmpty
    }
}
