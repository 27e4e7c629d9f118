import Accounts
package import Kernel
package import Pictures

/// The profile of a parent or a child, as the other members of the household see it.
package struct Member: Sendable, Hashable {
    /// The role of a person in a household.
    package enum Role: String, Sendable, CaseIterable {
        case parent
        case child
    }

    package let id: PersonID
    /// 1 to 50 characters.
    package let name: String
    /// `YYYY-MM-DD`.
    package let dateOfBirth: String?
    /// One of `Themes.all`.
    package let theme: String
    package let avatarPictureID: ID<Picture>?
    package let role: Role
    /// Increases by one with each change of the profile.
    package let version: Int64
}

extension Member {
    init(_ account: Account, role: Role) {
        self.init(
            id: account.id, name: account.name, dateOfBirth: account.dateOfBirth, theme: account.theme,
            avatarPictureID: account.avatarPictureID, role: role, version: account.version
        )
    }
}
