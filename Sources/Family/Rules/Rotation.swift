import Kernel

/// Decides whose turn a chore is.
enum Rotation {
    /// The position of a chore's rotation.
    struct State: Sendable, Hashable {
        /// The child whose turn was the last one; `nil` before the first.
        var last: PersonID?
        /// The child whose turn was the first one of the present round; `nil` if it isn't known.
        var first: PersonID?

        /// Continues after a turn.
        mutating func advance(to child: PersonID, startsRound: Bool) {
            last = child
            if startsRound { first = child }
        }
    }

    /// A child, and whether its turn is the first one of a round.
    struct Decision: Sendable, Hashable {
        let child: PersonID
        let startsRound: Bool
    }

    /// Returns the next child of a rotation by turns. Within a round it is the one after the last child, in the order
    /// in which the children were added, without paused ones. Each child that is passed over has had its turn, so that
    /// a pause has no turns to make up for: in each round, every child that isn't paused has one turn. A new round
    /// begins with the child that has the fewest turns of this kind on the date, so that several chores are spread.
    /// - Parameter load: the turns of each child on the same date, of other chores by turns.
    /// - Returns: `nil` if all children are paused.
    static func next(
        _ state: State, of children: [PersonID], load: [PersonID: Int] = [:], isPaused: (PersonID) -> Bool
    ) -> Decision? {
        let present = order(of: children, after: state.last).filter { !isPaused($0) }
        guard let next = present.first else { return nil }
        if let first = state.first, let last = state.last, !passes(first, from: last, to: next) {
            return Decision(child: next, startsRound: false)
        }
        return present.min { load[$0, default: 0] < load[$1, default: 0] }.map {
            Decision(child: $0, startsRound: true)
        }
    }

    /// Returns the child with the fewest turns by points on the date, without paused ones. Of several it is the one
    /// with the fewest points, then the next one by turns.
    /// - Parameter load: the turns of each child on the same date, of other chores by points.
    static func fewest(
        points: [PersonID: Int64], after previous: PersonID?, of children: [PersonID], load: [PersonID: Int] = [:],
        isPaused: (PersonID) -> Bool
    ) -> PersonID? {
        let present = order(of: children, after: previous).filter { !isPaused($0) }
        // `min` returns the first of equal ones.
        return present.min {
            (load[$0, default: 0], points[$0, default: 0]) < (load[$1, default: 0], points[$1, default: 0])
        }
    }

    private static func order(of children: [PersonID], after previous: PersonID?) -> [PersonID] {
        let sorted = children.sorted()
        guard let previous, let start = sorted.firstIndex(where: { $0 > previous }) else { return sorted }
        return Array(sorted[start...] + sorted[..<start])
    }

    /// Returns whether the way from one child to the next one reaches or passes another, which may have left.
    private static func passes(_ child: PersonID, from last: PersonID, to next: PersonID) -> Bool {
        last < next ? last < child && child <= next : child > last || child <= next
    }
}

extension Rotation.State {
    /// - Parameter turns: the last turns of the rotation, the last one first.
    init(_ turns: [Turn]) {
        self.init(last: turns.first?.rotationChildID, first: turns.first(where: \.startsRound)?.rotationChildID)
    }
}
