package import Kernel

/// A parent of a household, with their role and their announced removal.
package struct Parent: Sendable, Hashable {
    package let member: Member
    /// Whether they created the household, or have been in it longest after its creator left.
    package let isMaker: Bool
    /// Their announced removal.
    package let removal: Removal?
    /// The time from which the reader can announce their removal; `nil` for the reader, and while a removal is
    /// announced or refused.
    package let announceableAt: Instant?
}

/// The announced removal of a parent.
package struct Removal: Sendable, Hashable {
    /// The name of the parent who announced it.
    package let by: String
    package let announcedAt: Instant
    /// The time at which the parent is removed.
    package let effectiveAt: Instant
    /// The time at which the parent refused it; such a removal never takes effect.
    package let refusedAt: Instant?
    /// Whether the reader can withdraw it.
    package let canWithdraw: Bool
}

/// An unused invitation, as the household's parents see it.
package struct OpenInvitation: Sendable, Hashable {
    package let id: ID<Invitation>
    /// The parent who created it.
    package let by: PersonID
    /// The name of that parent.
    package let byName: String
    package let expiresAt: Instant
}
