package import Kernel

/// A parent of a household, with their standing in it.
package struct Parent: Sendable, Hashable {
    /// Name and appearance.
    package let member: Member
    /// Whether they made the household, or are in it longest after that parent left.
    package let isMaker: Bool
    /// Their announced removal.
    package let removal: Removal?
    /// When the reader can announce their removal; `nil` for the reader, and while one is announced or refused.
    package let announceableAt: Instant?
}

/// The announced removal of a parent.
package struct Removal: Sendable, Hashable {
    /// The name of the parent who announced it.
    package let by: String
    /// When it was announced.
    package let announcedAt: Instant
    /// When the parent is removed.
    package let effectiveAt: Instant
    /// When the parent refused it; such a removal never takes effect.
    package let refusedAt: Instant?
    /// Whether the reader can withdraw it.
    package let canWithdraw: Bool
}

/// An unused invitation, as the household's parents see it.
package struct OpenInvitation: Sendable, Hashable {
    /// The invitation's id.
    package let id: ID<Invitation>
    /// The parent who made it.
    package let by: PersonID
    /// Their name.
    package let byName: String
    /// When it expires.
    package let expiresAt: Instant
}
