import Storage

/// How the occurrences of a chore are distributed among the children of its schedule.
package enum ChoreDistribution: String, Sendable, Hashable, CaseIterable {
    /// Each child has its own occurrence.
    case each
    /// One child does it: the first child to claim the occurrence.
    case first
    /// One child does it: the children take turns.
    case turns
    /// One child does it: the one with the fewest points of the last ``Limits/rotationPointsDays``.
    case points

    /// Whether the children of the occurrences rotate.
    var isRotation: Bool { self == .turns || self == .points }
}

extension ChoreDistribution: SQLBindable, SQLReadable {}
