import Kernel

/// The rules for announcing and withdrawing the removal of a parent.
enum RemovalRule {
    /// The first moment at which a parent can announce a removal.
    /// - Parameters:
    ///   - joinedAt: when the announcing parent joined the household.
    ///   - withdrawnAt: when their last announcement about the same parent was withdrawn.
    static func earliestAnnouncement(joinedAt: Instant, withdrawnAt: Instant?) -> Instant {
        let member = joinedAt.adding(seconds: Limits.removalMembershipSeconds)
        guard let withdrawnAt else { return member }
        return max(member, withdrawnAt.adding(seconds: Limits.removalRepeatSeconds))
    }

    /// Returns whether a parent can withdraw a removal: the parent who announced it, and the one who created the
    /// household.
    static func canWithdraw(_ removal: StoredRemoval, _ parent: PersonID, maker: PersonID?) -> Bool {
        parent == removal.announcedBy || parent == maker
    }
}
