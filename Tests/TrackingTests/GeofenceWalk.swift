import Foundation
import Kernel
import TestSupport

@testable import Tracking

/// A simulated walk of an item near a place, second by second: its true positions, and what its receiver reports.
struct GeofenceWalk {
    enum Scenario: String, CaseIterable {
        case home = "in the middle of the place"
        case insideBorder = "inside, 25 m from the border"
        case outsideBorder = "outside, 30 m from the border"
        case notch = "in the notch of an L-shaped place"
        case indoors = "indoors, poor positions"
        case passing = "past the place, 60 m from the border"
        case tram = "through the place on a tram"
        case comingHome = "arrives, stays, leaves"
        case commuting = "arrives and leaves three times"
        case slow = "arrives and leaves, a fix every 10 min"

        var hasCrossings: Bool { [.comingHome, .commuting, .slow].contains(self) }
    }

    /// The samples in the order of their receipt; some are late.
    let samples: [PositionSample]
    /// The crossings that last at least as long as the dwell.
    let crossings: [(isArrival: Bool, second: Int)]
    let area: SafeArea

    static let radiusMetres = 100
    static let dwellSeconds = 120
    private static let start = Instant(millisecondsSince1970: 1_770_000_000_000)

    init(_ scenario: Scenario, seed: UInt64) {
        let random = WalkRandom(seed: seed &* 7_919 &+ UInt64(Scenario.allCases.firstIndex(of: scenario) ?? 0))
        let path = Self.path(scenario, random)
        let isNotch = scenario == .notch
        area = Self.area(isNotch: isNotch)
        let area = area
        let inside = path.map { area.borderDistanceMetres(to: $0.coordinate) <= 0 }
        var crossings: [(isArrival: Bool, second: Int)] = []
        var state = inside[0]
        for second in inside.indices where inside[second] != state {
            let end = min(second + Self.dwellSeconds, inside.count)
            guard end - second == Self.dwellSeconds, inside[second..<end].allSatisfy({ $0 == inside[second] }) else {
                continue
            }
            state = inside[second]
            crossings.append((isArrival: state, second: second))
        }
        self.crossings = crossings
        let accuracy = scenario == .indoors ? 35.0 : 8
        var receiver = Receiver(random, accuracyMetres: accuracy)
        let interval = scenario == .slow ? 600 : 60
        var received: [(second: Int, sample: PositionSample)] = []
        for second in path.indices {
            receiver.drift()
            guard second % interval == 0 else { continue }
            let seen = receiver.sighting(path[second], speed: nil, at: second)
            let delay = random.chance(0.05) ? Int(random.between(0, 240)) : 2
            received.append((second + delay, seen))
            // Some reports arrive twice.
            if random.chance(0.05) { received.append((second + delay + 1, seen)) }
        }
        samples = received.sorted { $0.second < $1.second }.map(\.sample)
    }

    private static func area(isNotch: Bool) -> SafeArea {
        func place(_ east: Double, _ north: Double) -> Coordinate { WalkPoint(east: east, north: north).coordinate }
        guard isNotch else { return SafeArea(centre: place(0, 0), radiusMetres: radiusMetres) }
        return SafeArea(
            centre: place(0, 0), radiusMetres: 142,
            outline: [
                place(-100, -100), place(100, -100), place(100, 0), place(0, 0), place(0, 100), place(-100, 100),
            ])
    }

    /// The true positions.
    private static func path(_ scenario: Scenario, _ random: WalkRandom) -> [WalkPoint] {
        let heading = random.between(0, 2 * Double.pi)
        func at(_ metres: Double) -> WalkPoint { WalkPoint(east: sin(heading) * metres, north: cos(heading) * metres) }
        var path: [WalkPoint] = []
        func stay(_ metres: Double, _ seconds: Int) { path += Array(repeating: at(metres), count: seconds) }
        func walk(from: Double, to: Double, speed: Double) {
            let seconds = Int(abs(to - from) / speed)
            for second in 0..<seconds { path.append(at(from + (to - from) * Double(second) / Double(seconds))) }
        }
        switch scenario {
        case .home: stay(20, 14_400)
        case .insideBorder: stay(75, 14_400)
        case .outsideBorder: stay(130, 14_400)
        case .notch: path = Array(repeating: WalkPoint(east: 60, north: 60), count: 14_400)
        case .indoors: stay(20, 14_400)
        case .passing:
            for second in 0..<1_800 {
                let along = Double(second) * 1.4 - 1_260
                path.append(
                    WalkPoint(
                        east: sin(heading) * 160 + cos(heading) * along,
                        north: cos(heading) * 160 - sin(heading) * along))
            }
        case .tram:
            stay(-1_500, 600)
            walk(from: -1_500, to: 1_500, speed: 12)
            stay(1_500, 600)
        case .comingHome, .slow:
            stay(900, 3_600)
            walk(from: 900, to: 10, speed: 1.4)
            stay(10, 7_200)
            walk(from: 10, to: 900, speed: 1.4)
            stay(900, 3_600)
        case .commuting:
            stay(900, 1_800)
            for _ in 1...3 {
                walk(from: 900, to: 10, speed: 1.4)
                stay(10, 1_800)
                walk(from: 10, to: 900, speed: 1.4)
                stay(900, 1_800)
            }
        }
        return path
    }
}
