/// An event of a family that a parent is notified of by mail.
package enum FamilyNotice: Sendable {
    /// The parent left.
    case left
    /// Another parent removed them.
    case removed
    /// A child was deleted, and can be restored.
    case childDeleted
}
