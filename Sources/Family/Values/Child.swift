package import Kernel
package import Pictures

/// A child of a household as its members see it.
package struct Child: Sendable, Hashable {
    /// The child's id; its account's too.
    package let id: PersonID
    /// 1 to 50 characters.
    package let name: String
    /// `YYYY-MM-DD`.
    package let dateOfBirth: String
    /// One of `Themes.all`.
    package let theme: String
    /// A built-in picture, or one from the library of the child or of whoever chose it.
    package let avatarPictureID: ID<Picture>?
    /// Points under the present contract, 0 to its maximum; 0 without a contract.
    package let gainedPoints: Int64
    /// All points ever gained and not undone, 0 or more.
    package let achievementPoints: Int64
    /// How many levels of the present contract are reached; 0 without one.
    package let prizeLevel: Int
    /// The present contract.
    package let contract: Contract?
    /// On how many devices the child is signed in; `nil` unless a parent asks.
    package let deviceCount: Int?
    /// Grows by one with each change of the profile; points don't touch it.
    package let version: Int64
    /// When the child was added.
    package let createdAt: Instant
}

/// A deleted child that can be restored.
package struct DeletedChild: Sendable, Hashable {
    /// Name and appearance.
    package let member: Member
    /// When it was deleted.
    package let deletedAt: Instant
    /// When it is erased.
    package let restorableUntil: Instant
}

/// A grown-up or a child of a household by name and looks.
package struct Member: Sendable, Hashable {
    /// What somebody is in a household.
    package enum Role: String, Sendable, CaseIterable {
        /// Runs it, with all others of the kind.
        case parent
        /// Gains points.
        case child
    }

    /// The person.
    package let id: PersonID
    /// 1 to 50 characters.
    package let name: String
    /// `YYYY-MM-DD`.
    package let dateOfBirth: String?
    /// One of `Themes.all`.
    package let theme: String
    /// The avatar.
    package let avatarPictureID: ID<Picture>?
    /// Parent or child.
    package let role: Role
    /// Grows by one with each change of the profile.
    package let version: Int64
}

/// A part of a list.
package struct FamilyPage<Entry: Sendable>: Sendable {
    /// The entries of this part.
    package let items: [Entry]
    /// What to hand in as `after` for the next part; `nil` at the end.
    package let next: String?

    /// Makes a page.
    package init(items: [Entry], next: String?) {
        self.items = items
        self.next = next
    }
}
