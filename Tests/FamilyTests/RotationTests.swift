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
            var previous: PersonID?
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
                let next = Rotation.next(after: previous, of: Self.children.shuffled(by: random)) {
                    paused.contains($0)
                }
                guard let next else {
                    #expect(paused.count == Self.children.count)
                    continue
                }
                #expect(!paused.contains(next))
                // Those between the previous child and this one are passed over because they are paused.
                var index = previous.flatMap(Self.children.firstIndex) ?? Self.children.count - 1
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
                previous = next
            }
        }
    }

    @Test("A child that left the rotation is followed by the next one")
    func leftChild() {
        let rest = [Self.children[0], Self.children[3]]
        #expect(Rotation.next(after: Self.children[1], of: rest) { _ in false } == Self.children[3])
        #expect(Rotation.next(after: Self.children[3], of: rest) { _ in false } == Self.children[0])
        #expect(Rotation.next(after: nil, of: rest) { _ in false } == Self.children[0])
        #expect(Rotation.next(after: nil, of: []) { _ in false } == nil)
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

extension Array {
    /// The same elements in another order.
    fileprivate func shuffled(by random: SeededRandom) -> [Element] {
        map { ($0, random.uint64()) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}
