import Kernel

/// Decides the turns of a household's chores date by date, so that the turns of a date are spread over the children.
/// What is decided for a date depends on the turns before it, not on what is done.
struct TurnPlan: Sendable {
    /// An occurrence that one child does by a rotation.
    struct Occurrence: Sendable {
        let chore: ID<Chore>
        let date: LocalDate
        let distribution: ChoreDistribution
        /// The children who take turns.
        let children: [PersonID]
        /// The points that the chore is expected to give.
        let points: Int64
    }

    /// The turns of children on one date, by the kind of the rotation.
    private typealias Load = [ChoreDistribution: [PersonID: Int]]

    /// The turns, stored and decided.
    private(set) var turns: [ChoreDate: Turn]
    private let pauses: [Pause]
    /// The kinds of the chores that have a rotation.
    private let kinds: [ID<Chore>: ChoreDistribution]
    private var states: [ID<Chore>: Rotation.State]
    /// The stored turns of each rotation that ``states`` doesn't contain yet, from the last to the first.
    private var known: [ID<Chore>: [Turn]]
    private var points: [PersonID: Int64]
    private var loads: [LocalDate: Load] = [:]

    /// - Parameters:
    ///   - states: the rotations before the first of `turns`.
    ///   - points: the recent points of the children.
    init(
        turns: [Turn], states: [ID<Chore>: Rotation.State] = [:], kinds: [ID<Chore>: ChoreDistribution] = [:],
        points: [PersonID: Int64] = [:], pauses: [Pause] = []
    ) {
        self.turns = Dictionary(turns.map { ($0.key, $0) }) { kept, _ in kept }
        self.states = states
        self.kinds = kinds
        self.points = points
        self.pauses = pauses
        known = Dictionary(grouping: turns.filter { $0.rotationChildID != nil }, by: \.choreID)
            .mapValues { $0.sorted { $0.date > $1.date } }
        for turn in turns { count(turn) }
    }

    /// Decides the turns of occurrences that have none, and returns those. Occurrences on which all children are paused
    /// get none.
    mutating func decide(_ occurrences: [Occurrence]) -> [Turn] {
        occurrences.sorted(by: Self.isBefore).compactMap { occurrence in
            let key = ChoreDate(chore: occurrence.chore, date: occurrence.date)
            advance(occurrence.chore, to: occurrence.date)
            guard turns[key] == nil, let decision = decision(of: occurrence) else { return nil }
            let turn = Turn(
                choreID: key.chore, date: key.date, childID: decision.child, rotationChildID: decision.child,
                startsRound: decision.startsRound)
            turns[key] = turn
            states[key.chore, default: Rotation.State()].advance(
                to: decision.child, startsRound: decision.startsRound)
            if occurrence.distribution == .points { points[decision.child, default: 0] += occurrence.points }
            count(turn)
            return turn
        }
    }

    /// Orders by date, then by turns before by points. Those with the most points come first, then older chores.
    private static func isBefore(_ one: Occurrence, _ other: Occurrence) -> Bool {
        func rank(_ occurrence: Occurrence) -> (Int, Int, Int64) {
            occurrence.distribution == .points
                ? (occurrence.date.dayNumber, 1, -occurrence.points) : (occurrence.date.dayNumber, 0, 0)
        }
        return rank(one) != rank(other) ? rank(one) < rank(other) : one.chore < other.chore
    }

    private func decision(of occurrence: Occurrence) -> Rotation.Decision? {
        let state = states[occurrence.chore] ?? Rotation.State()
        let load = loads[occurrence.date]?[occurrence.distribution] ?? [:]
        let isPaused = { (child: PersonID) in pauses.contains { $0.applies(to: child, on: occurrence.date) } }
        guard occurrence.distribution == .points else {
            return Rotation.next(state, of: occurrence.children, load: load, isPaused: isPaused)
        }
        return Rotation.fewest(
            points: points, after: state.last, of: occurrence.children, load: load, isPaused: isPaused
        ).map { Rotation.Decision(child: $0, startsRound: false) }
    }

    /// Continues a rotation after its stored turns up to a date.
    private mutating func advance(_ chore: ID<Chore>, to date: LocalDate) {
        while let turn = known[chore]?.last, turn.date <= date {
            known[chore]?.removeLast()
            if let child = turn.rotationChildID {
                states[chore, default: Rotation.State()].advance(to: child, startsRound: turn.startsRound)
            }
        }
    }

    /// Counts a turn for the child whose turn it is by the rotation, so that a swap moves no other turn.
    private mutating func count(_ turn: Turn) {
        guard let kind = kinds[turn.choreID] else { return }
        loads[turn.date, default: [:]][kind, default: [:]][turn.rotationChildID ?? turn.childID, default: 0] += 1
    }
}

extension TurnPlan.Occurrence {
    init(_ schedule: StoredSchedule, children: [PersonID], on date: LocalDate) {
        self.init(
            chore: schedule.chore.id, date: date, distribution: schedule.distribution, children: children,
            points: schedule.offeredPoints ?? Limits.chorePoints.lowerBound)
    }
}
