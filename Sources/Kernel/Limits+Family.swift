extension Limits {
    /// Seconds that a parent must have been in a household before they can announce the removal of another parent.
    package static let removalMembershipSeconds: Int64 = 7 * 24 * 60 * 60
    /// Seconds after a withdrawal in which the same parent can't announce the removal of the same parent again.
    package static let removalRepeatSeconds: Int64 = 7 * 24 * 60 * 60
}
