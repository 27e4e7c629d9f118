import Foundation
import Kernel
import TestSupport
import Testing

@testable import Tracking

/// Compares the rule about places with a plain comparison of distances on the same walks.
@Suite("Rules about places on generated walks")
struct GeofenceWalkTests {
    private static let walksOfEachScenario: UInt64 = 20

    struct Tally: Equatable {
        var crossings = 0
        var told = 0
        var missed = 0
        var falseCrossings = 0
        var secondsUntilTold: [Int] = []

        static func + (left: Tally, right: Tally) -> Tally {
            Tally(
                crossings: left.crossings + right.crossings, told: left.told + right.told,
                missed: left.missed + right.missed, falseCrossings: left.falseCrossings + right.falseCrossings,
                secondsUntilTold: left.secondsUntilTold + right.secondsUntilTold)
        }
    }

    private static func seconds(_ instant: Instant) -> Int { Int(instant.seconds(since: RecordedWalk.instant(0))) }

    /// Each newest position inside or outside counts as it is.
    private static func plain(_ walk: GeofenceWalk) -> [(isArrival: Bool, second: Int)] {
        var last: Instant?
        var isInside: Bool?
        var found: [(isArrival: Bool, second: Int)] = []
        for sample in walk.samples where FixAcceptance.movesLastPosition(sample.at, last: last) {
            last = sample.at
            let now = walk.area.contains(sample.coordinate)
            if let isInside, now != isInside { found.append((now, seconds(sample.at))) }
            isInside = now
        }
        return found
    }

    /// The rule as the services run it: only for positions that move the last one.
    private static func ruled(_ walk: GeofenceWalk) -> [(isArrival: Bool, second: Int)] {
        let rule = GeofenceRule(area: walk.area, dwellSeconds: Double(GeofenceWalk.dwellSeconds))
        var state = GeofenceRule.State()
        var found: [(isArrival: Bool, second: Int)] = []
        for sample in walk.samples {
            let step = rule.step(from: state, sample)
            state = step.state
            if let crossing = step.crossing { found.append((crossing.isArrival, seconds(crossing.sample.at))) }
        }
        return found
    }

    private static func tally(_ walk: GeofenceWalk, _ found: [(isArrival: Bool, second: Int)]) -> Tally {
        var tally = Tally(crossings: walk.crossings.count)
        var left = found
        for (index, crossing) in walk.crossings.enumerated() {
            let end = index + 1 < walk.crossings.count ? walk.crossings[index + 1].second : Int.max
            // A little early: at the border, a position may be wrong by some metres.
            let match = left.firstIndex {
                $0.isArrival == crossing.isArrival && $0.second >= crossing.second - 60 && $0.second < end
            }
            guard let match else {
                tally.missed += 1
                continue
            }
            tally.told += 1
            tally.secondsUntilTold.append(max(0, left[match].second - crossing.second))
            left.remove(at: match)
        }
        tally.falseCrossings = left.count
        return tally
    }

    /// The counted results of all walks, which take a few seconds to generate.
    private static let tallies = Dictionary(
        uniqueKeysWithValues: GeofenceWalk.Scenario.allCases.map { scenario in
            let walks = (1...walksOfEachScenario).map { GeofenceWalk(scenario, seed: $0) }
            let sums = walks.reduce(into: (plain: Tally(), ruled: Tally())) { sum, walk in
                sum.plain = sum.plain + tally(walk, plain(walk))
                sum.ruled = sum.ruled + tally(walk, ruled(walk))
            }
            return (scenario, sums)
        })

    @Test("Each crossing is reported once, and nothing else", arguments: GeofenceWalk.Scenario.allCases)
    func exactlyOnce(scenario: GeofenceWalk.Scenario) throws {
        let sum = try #require(Self.tallies[scenario]?.ruled)
        #expect(sum.told == sum.crossings && (sum.crossings > 0) == scenario.hasCrossings)
        #expect(sum.missed == 0)
        #expect(sum.falseCrossings == 0)
    }

    @Test("A plain comparison reports crossings that didn't happen")
    func plainIsWrong() {
        let sum = Self.tallies.values.map(\.plain).reduce(Tally(), +)
        #expect(sum.falseCrossings > sum.crossings)
    }

    @Test("Repeated and shuffled positions report no crossing twice", arguments: 1...10)
    func replays(seed: Int) {
        let walk = GeofenceWalk(.commuting, seed: UInt64(seed))
        let random = SeededRandom(seed: UInt64(seed))
        let rule = GeofenceRule(area: walk.area, dwellSeconds: Double(GeofenceWalk.dwellSeconds))
        var state = GeofenceRule.State()
        var found: [(isArrival: Bool, since: Instant)] = []
        for index in walk.samples.indices {
            // Each position again, and with it an older one.
            for sample in [
                walk.samples[index], walk.samples[index], walk.samples[Int(random.uint64() % UInt64(index + 1))],
            ] {
                let step = rule.step(from: state, sample)
                state = step.state
                if let crossing = step.crossing { found.append((crossing.isArrival, crossing.since)) }
            }
        }
        #expect(found.map(\.isArrival) == walk.crossings.map(\.isArrival))
        #expect(Set(found.map(\.since)).count == found.count)
    }

    @Test("docs/alerts.md contains the measured numbers of the rules about places")
    func page() throws {
        let page = try AlertsDocument.text()
        var table = """
            | walks | crossings | plain distance: told | missed | false | after | rule: told | missed | false | after |
            | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |

            """
        for scenario in GeofenceWalk.Scenario.allCases {
            let (plain, ruled) = try #require(Self.tallies[scenario])
            table += "| \(scenario.rawValue) | \(plain.crossings) | \(cells(plain)) | \(cells(ruled)) |\n"
        }
        let written = try AlertsDocument.replacing(table, in: page, at: "crossings")
        if AlertsDocument.isWriting {
            try AlertsDocument.write(written)
        } else {
            #expect(written == page, "write it anew with HOMEWARD_WRITE_DOCUMENTS=1")
        }
    }

    private func cells(_ tally: Tally) -> String {
        let sorted = tally.secondsUntilTold.sorted()
        let after = sorted.isEmpty ? "–" : "\(Int((Double(sorted[sorted.count / 2]) / 60).rounded())) min"
        return ([tally.told, tally.missed, tally.falseCrossings].map(String.init) + [after]).joined(separator: " | ")
    }
}
