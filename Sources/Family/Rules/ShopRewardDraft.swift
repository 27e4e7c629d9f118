import Kernel
import Pictures

extension ShopRewardInput {
    /// Checks the rules that need no stored data, so that a form reports the errors of all fields at once.
    /// - Throws: `AppError(.invalid)` at `name`, `price`, `stock`, `childIds` and `cooldownDays`.
    package func check() throws { _ = try ShopRewardDraft(self) }
}

/// The checked fields of a reward in the shop.
struct ShopRewardDraft: Sendable {
    let name: String
    let pictureID: ID<Picture>?
    let price: Int64
    let stock: Int64?
    /// Without repetitions, sorted.
    let children: [PersonID]?
    let cooldownDays: Int?
    let needsApproval: Bool

    /// - Throws: `AppError(.invalid)` at `name`, `price`, `stock`, `childIds` and `cooldownDays`.
    init(_ input: ShopRewardInput) throws {
        var problems = FieldErrors<FamilyMessage>()
        name = Self.name(input.name, &problems)
        pictureID = input.pictureID
        price = input.price ?? 0
        if !Limits.shopPrices.contains(price) { problems.refuse("price", .priceOutOfRange) }
        stock = input.stock
        if let stock, !Limits.shopStock.contains(stock) { problems.refuse("stock", .stockOutOfRange) }
        children = Self.children(input.children, &problems)
        let days = input.cooldownDays
        cooldownDays = days.flatMap { Limits.shopCooldownDays.contains($0) ? Int($0) : nil }
        if days != nil, cooldownDays == nil { problems.refuse("cooldownDays", .cooldownOutOfRange) }
        needsApproval = input.needsApproval
        try problems.finish()
    }

    /// Checks the name of a reward or of a wish.
    static func name(_ typed: String?, _ problems: inout FieldErrors<FamilyMessage>) -> String {
        do throws(TextValidation.Failure) {
            return try TextValidation.line(
                typed ?? "", characters: Limits.shopRewardCharacters, bytes: Limits.shopRewardBytes)
        } catch {
            switch error {
            case .empty: problems.refuse("name", .rewardMissing)
            case .tooLong: problems.refuse("name", .shopRewardTooLong)
            case .tooManyBytes: problems.refuse("name", .tooManyBytes)
            case .controlCharacter: problems.refuse("name", .rewardUnreadable)
            }
            return ""
        }
    }

    private static func children(
        _ typed: [String]?, _ problems: inout FieldErrors<FamilyMessage>
    ) -> [PersonID]? {
        guard let typed else { return nil }
        let ids = typed.map { PersonID($0) }
        if ids.contains(nil) { problems.refuse("childIds", .scheduleChildUnknown) }
        if ids.isEmpty { problems.refuse("childIds", .scheduleChildrenMissing) }
        if ids.count > Limits.childrenPerHousehold { problems.refuse("childIds", .tooManyChildren) }
        return Array(Set(ids.compactMap(\.self))).sorted()
    }
}
