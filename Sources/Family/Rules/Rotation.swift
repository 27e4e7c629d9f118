import Kernel

/// Decides whose turn a chore is.
enum Rotation {
    /// Returns the child after `previous`, in the order in which the children were added, without paused ones. Each
    /// child that is passed over has had its turn, so that a pause has no turns to make up for: over any time, two
    /// children that aren't paused have the same number of turns, or one more.
    /// - Returns: `nil` if all children are paused.
    static func next(
        after previous: PersonID?, of children: [PersonID], isPaused: (PersonID) -> Bool
    ) -> PersonID? {
        order(of: children, after: previous).first { !isPaused($0) }
    }

    /// Returns the child with the fewest points, without paused ones. Of several it is the next one by turns.
    static func fewest(
        points: [PersonID: Int64], after previous: PersonID?, of children: [PersonID], isPaused: (PersonID) -> Bool
    ) -> PersonID? {
        let present = order(of: children, after: previous).filter { !isPaused($0) }
        // `min` returns the first of equal ones.
        return present.min { points[$0, default: 0] < points[$1, default: 0] }
    }

    private static func order(of children: [PersonID], after previous: PersonID?) -> [PersonID] {
        let sorted = children.sorted()
        guard let previous, let start = sorted.firstIndex(where: { $0 > previous }) else { return sorted }
        return Array(sorted[start...] + sorted[..<start])
    }
}
