package import Kernel
package import Pictures

/// A child of a household as its members see it.
package struct Child: Sendable, Hashable {
    /// The child's id, which is also its account's id.
    package let id: PersonID
    /// 1 to 50 characters.
    package let name: String
    /// `YYYY-MM-DD`.
    package let dateOfBirth: String
    /// One of `Themes.all`.
    package let theme: String
    /// A built-in picture, or one from the library of the child or of the parent who chose it.
    package let avatarPictureID: ID<Picture>?
    /// The points under the present contract, 0 to its maximum; 0 without a contract.
    package let gainedPoints: Int64
    /// All points that the child ever got and that were not undone, 0 or more. Spending doesn't change them.
    package let achievementPoints: Int64
    /// The achievement points that the child can spend in the shop; `nil` for a reader who may not see its purchases.
    package let spendablePoints: Int64?
    /// The reward that the child saves for; `nil` for a reader who may not see its purchases.
    package let savingGoal: SavingGoal?
    /// The number of reached levels of the present contract; 0 without one.
    package let prizeLevel: Int
    package let contract: Contract?
    /// The number of devices on which the child is signed in; `nil` unless a parent reads it.
    package let deviceCount: Int?
    /// Increases by one with each change of the profile, and not with points.
    package let version: Int64
    package let createdAt: Instant
}

/// A deleted child that can be restored.
package struct DeletedChild: Sendable, Hashable {
    package let member: Member
    package let deletedAt: Instant
    /// The time at which the child is erased.
    package let restorableUntil: Instant
}
