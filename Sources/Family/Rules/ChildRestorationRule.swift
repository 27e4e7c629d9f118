import Kernel

/// The rule for restoring deleted children.
enum ChildRestorationRule {
    /// The time at which a deleted child is erased.
    static func deadline(deletedAt: Instant) -> Instant { deletedAt.adding(seconds: Limits.childRestorationSeconds) }

    static func isRestorable(deletedAt: Instant, now: Instant) -> Bool { now < deadline(deletedAt: deletedAt) }
}
