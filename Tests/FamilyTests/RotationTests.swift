import Kernel
import TestSupport
import Testing

@testable import Family

@Suite("Whose turn a chore is")
struct RotationTests {
    private static let children = (0..<4).map { PersonID(at: Instant(millisecondsSince1970: 0), series: Int64($0)) }

    @Test("Over years of random pauses, each child has the same number of turns as another, or one more")
    func fairness() throws {
        for seed in UInt64(1)...20 {
            let random = SeededRandom(seed: seed)
            var state = Rotation.State()
            var paused: Set<PersonID> = []
            var rounds = [PersonID: Int](uniqueKeysWithValues: Self.children.map { ($0, 0) })
            // The turns since the last change of the pauses.
            var turns: [PersonID: Int] = [:]
            for _ in 0..<1_000 {
                if random.uint64() % 10 == 0 {
                    let child = Self.children[Int(random.uint64() % 4)]
                    if paused.remove(child) == nil { paused.insert(child) }
                    turns = [:]
                }
                let decision = Rotation.next(state, of: Self.children.shuffled(by: random)) { paused.contains($0) }
                guard let decision else {
                    #expect(paused.count == Self.children.count)
                    continue
                }
                let next = decision.child
                #expect(!paused.contains(next))
                // Those between the previous child and this one are passed over because they are paused.
                var index = state.last.flatMap(Self.children.firstIndex) ?? Self.children.count - 1
                repeat {
                    index = (index + 1) % Self.children.count
                    let child = Self.children[index]
                    rounds[child, default: 0] += 1
                    #expect(child == next || paused.contains(child))
                } while Self.children[index] != next
                turns[next, default: 0] += 1
                let present = Self.children.filter { !paused.contains($0) }.map { turns[$0] ?? 0 }
                #expect((present.max() ?? 0) - (present.min() ?? 0) <= 1)
                #expect((rounds.values.max() ?? 0) - (rounds.values.min() ?? 0) <= 1)
                state.advance(to: next, startsRound: decision.startsRound)
            }
        }
    }

    @Test("A child that left the rotation is followed by the next one")
    func leftChild() {
        let rest = [Self.children[0], Self.children[3]]
        func next(after last: PersonID?, of children: [PersonID]) -> PersonID? {
            Rotation.next(Rotation.State(last: last), of: children) { _ in false }?.child
        }
        #expect(next(after: Self.children[1], of: rest) == Self.children[3])
        #expect(next(after: Self.children[3], of: rest) == Self.children[0])
        #expect(next(after: nil, of: rest) == Self.children[0])
        #expect(next(after: nil, of: []) == nil)
    }

    @Test("The child with the fewest points is next; of several, the next one by turns")
    func fewestPoints() {
        let points = [Self.children[0]: Int64(3), Self.children[1]: 1, Self.children[2]: 1, Self.children[3]: 2]
        func next(after previous: PersonID?, without paused: [PersonID] = []) -> PersonID? {
            Rotation.fewest(points: points, after: previous, of: Self.children) { paused.contains($0) }
        }
        #expect(next(after: nil) == Self.children[1])
        #expect(next(after: Self.children[1]) == Self.children[2])
        #expect(next(after: nil, without: [Self.children[1], Self.children[2]]) == Self.children[3])
        #expect(next(after: nil, without: Self.children) == nil)
    }
}

@Suite("The turns of all chores of a household")
struct TurnPlanTests {
    private static let children = (0..<4).map { PersonID(at: Instant(millisecondsSince1970: 0), series: Int64($0)) }
    private static let chores = (0..<8).map { ID<Chore>(at: Instant(millisecondsSince1970: 1), series: Int64($0)) }
    private static let start = LocalDate(dayNumber: 20_000)

    private static func occurrences(
        of chores: [ID<Chore>], on dates: [Int], _ kind: ChoreDistribution, children: Int = 3
    ) -> [TurnPlan.Occurrence] {
        chores.flatMap { chore in
            dates.map { day in
                TurnPlan.Occurrence(
                    chore: chore, date: start.adding(days: day), distribution: kind,
                    children: Array(Self.children.prefix(children)), points: 1)
            }
        }
    }

    private static func kinds(_ kind: ChoreDistribution) -> [ID<Chore>: ChoreDistribution] {
        Dictionary(chores.map { ($0, kind) }) { one, _ in one }
    }

    /// Returns how many of the turns on a date each child has.
    private static func counts(_ turns: [Turn], on day: Int, of children: Int = 3) -> [Int] {
        Self.children.prefix(children).map { child in
            turns.count { $0.date == start.adding(days: day) && $0.childID == child }
        }
    }

    @Test(
        "F-25: Several chores of one kind are spread over the children on each day",
        arguments: [ChoreDistribution.turns, .points], 1...8)
    func spread(kind: ChoreDistribution, count: Int) {
        var plan = TurnPlan(turns: [], kinds: Self.kinds(kind), points: [Self.children[1]: 40, Self.children[2]: 3])
        let turns = plan.decide(Self.occurrences(of: Array(Self.chores.prefix(count)), on: Array(0..<30), kind))
        for day in 0..<30 {
            let counts = Self.counts(turns, on: day)
            #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1, "\(kind), day \(day): \(counts)")
        }
    }

    @Test("F-25: Each child has each chore by turns as often as another, or once more")
    func fairness() {
        var plan = TurnPlan(turns: [], kinds: Self.kinds(.turns))
        // Every day, every second day, once a week.
        let occurrences = zip(Self.chores, [1, 2, 7, 1, 3]).flatMap { chore, step in
            Self.occurrences(of: [chore], on: Array(stride(from: 0, to: 84, by: step)), .turns, children: 4)
        }
        let turns = plan.decide(occurrences.reversed())
        for chore in Self.chores.prefix(5) {
            var counts = [PersonID: Int](uniqueKeysWithValues: Self.children.map { ($0, 0) })
            for turn in turns where turn.choreID == chore {
                counts[turn.childID, default: 0] += 1
                #expect((counts.values.max() ?? 0) - (counts.values.min() ?? 0) <= 1)
            }
        }
    }

    @Test("F-25: Chores that a pause brought to the same child are spread again in the next round")
    func afterPause() {
        let pause = Pause(
            id: ID(at: Instant(millisecondsSince1970: 0), series: 1), childID: Self.children[1],
            startsOn: Self.start.adding(days: 1), endsOn: Self.start.adding(days: 1))
        var plan = TurnPlan(turns: [], kinds: Self.kinds(.turns), pauses: [pause])
        let turns = plan.decide(Self.occurrences(of: Array(Self.chores.prefix(3)), on: Array(0..<20), .turns))
        #expect(turns.allSatisfy { !pause.applies(to: $0.childID, on: $0.date) })
        for day in 8..<20 { #expect(Self.counts(turns, on: day) == [1, 1, 1], "day \(day)") }
    }

    @Test("F-25: The same turns follow whether they are decided at once or each day, and in any order")
    func stable() {
        let occurrences = Self.occurrences(of: Self.chores, on: Array(0..<20), .turns)
        var atOnce = TurnPlan(turns: [], kinds: Self.kinds(.turns))
        let expected = atOnce.decide(occurrences)
        var stored: [Turn] = []
        for day in 0..<20 {
            var plan = TurnPlan(turns: stored, kinds: Self.kinds(.turns))
            stored += plan.decide(occurrences.filter { $0.date == Self.start.adding(days: day) }.reversed())
        }
        #expect(Set(stored) == Set(expected))
        // A swap changes no other turn.
        let swapped = stored.enumerated().map { index, turn in
            Turn(
                choreID: turn.choreID, date: turn.date, childID: index == 0 ? Self.children[2] : turn.childID,
                rotationChildID: turn.rotationChildID, startsRound: turn.startsRound)
        }
        let next = Self.occurrences(of: Self.chores, on: [20, 21], .turns)
        var (one, other) = (
            TurnPlan(turns: stored, kinds: Self.kinds(.turns)), TurnPlan(turns: swapped, kinds: Self.kinds(.turns))
        )
        #expect(one.decide(next) == other.decide(next))
    }

    @Test("F-25: One chore by points goes to the child with the fewest points; several to the others as well")
    func byPoints() {
        let points: [PersonID: Int64] = [Self.children[0]: 9, Self.children[1]: 4, Self.children[2]: 6]
        var plan = TurnPlan(turns: [], kinds: Self.kinds(.points), points: points)
        let one = plan.decide(Self.occurrences(of: [Self.chores[0]], on: [0], .points))
        #expect(one.map(\.childID) == [Self.children[1]])
        let more = plan.decide(Self.occurrences(of: [Self.chores[1], Self.chores[2]], on: [0], .points))
        #expect(Set(more.map(\.childID)) == [Self.children[0], Self.children[2]])
    }
}

extension Array {
    /// The same elements in another order.
    fileprivate func shuffled(by random: SeededRandom) -> [Element] {
        map { ($0, random.uint64()) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}
