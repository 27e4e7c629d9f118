package import Accounts

/// What a parent enters to set up Family for a child, as it was typed.
package struct FamilySetup: Sendable {
    /// The child to add.
    package let child: ChildProfile
    /// The name of each chosen chore in the reader's language.
    package let chores: [StarterChore: String]
    /// The reward of the child's first contract and its points; `nil` for no contract.
    package let reward: LevelInput?
    /// The browser's time zone in the IANA database, for a household without one; `nil` for UTC.
    package let timeZone: String?

    package init(child: ChildProfile, chores: [StarterChore: String], reward: LevelInput?, timeZone: String?) {
        self.child = child
        self.chores = chores
        self.reward = reward
        self.timeZone = timeZone
    }
}
