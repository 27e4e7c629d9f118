import Foundation
import Kernel
import TestSupport

@testable import Tracking

/// A simulated walk of a person with a phone and an item with a tracker, second by second: their true positions and the
/// positions that their receivers measure. The same seed gives the same walk.
struct RecordedWalk: Sendable {
    /// The course of a walk.
    enum Scenario: String, CaseIterable, Sendable {
        /// The item is in the bag all the time.
        case together = "carried along, on foot"
        /// Both are in one room for an hour, under a roof that makes every position inaccurate.
        case indoors = "both indoors, poor positions"
        /// The item is in the house, its owner up to 8 m away.
        case garden = "8 m apart at most"
        /// Both are on a tram that stops now and then.
        case tram = "both on a tram"
        /// The owner leaves the item behind and fetches it after half an hour.
        case forgotten = "left behind, fetched"
        /// The owner leaves the item behind, fetches it, and leaves it behind again.
        case forgottenTwice = "left behind twice"
        /// A thief walks off with the item.
        case taken = "taken away"
        /// The owner leaves the item behind; its tracker reports every 10 minutes.
        case slow = "left behind, a fix every 10 min"
    }

    /// A position that one receiver measured.
    struct Event: Sendable {
        enum Who: Sendable { case item, phone }

        let who: Who
        /// The second in which it arrives at the server.
        let second: Int
        let sighting: PositionSample
    }

    static let start = Instant(millisecondsSince1970: 1_772_366_400_000)
    static let alertMetres = 10

    let scenario: Scenario
    /// In the order of arrival.
    let events: [Event]
    /// The seconds in which the true distance is beyond the limit.
    let separations: [Range<Int>]

    /// - Parameter isExact: Both positions are exact and arrive at once, every second.
    init(_ scenario: Scenario, seed: UInt64, isExact: Bool = false) {
        self.scenario = scenario
        let random = WalkRandom(seed: seed)
        let paths = Paths(scenario, random)
        separations = paths.separations(metres: Double(Self.alertMetres))
        if isExact {
            events = paths.phone.indices.flatMap { second in
                [
                    Event(who: .phone, second: second, sighting: Self.exactly(paths.phone[second], at: second)),
                    Event(who: .item, second: second, sighting: Self.exactly(paths.item[second], at: second)),
                ]
            }
            return
        }
        let isIndoors = scenario == .indoors
        let itemEvery = scenario == .slow ? 600 : 60
        var item = Receiver(random, accuracyMetres: isIndoors ? 25 : random.between(4, 12))
        var phone = Receiver(random, accuracyMetres: isIndoors ? 25 : random.between(4, 12))
        let itemOffset = Int(random.between(0, Double(itemEvery)))
        let phoneOffset = Int(random.between(0, 30))
        var events: [Event] = []
        for second in 0..<paths.phone.count {
            item.drift()
            phone.drift()
            if second % itemEvery == itemOffset {
                // One report in twenty waits for the network and may arrive after the next.
                let late = random.chance(0.05) ? Int(random.between(30, 240)) : Int(random.between(1, 4))
                let sighting = item.sighting(paths.item[second], speed: paths.speed(ofItemAt: second), at: second)
                events.append(Event(who: .item, second: second + late, sighting: sighting))
            }
            if second % 30 == phoneOffset {
                events.append(
                    Event(
                        who: .phone, second: second,
                        sighting: phone.sighting(paths.phone[second], speed: nil, at: second))
                )
            }
        }
        self.events = events.sorted { ($0.second, $0.sighting.at) < ($1.second, $1.sighting.at) }
    }

    private static func exactly(_ point: WalkPoint, at second: Int) -> PositionSample {
        PositionSample(at: instant(second), coordinate: point.coordinate, accuracyMetres: 0, speedMetresPerSecond: nil)
    }

    static func instant(_ second: Int) -> Instant { start.adding(seconds: Int64(second)) }
}

/// Metres east and north of the walk's start.
struct WalkPoint {
    var east = 0.0
    var north = 0.0

    func distance(to other: WalkPoint) -> Double { hypot(east - other.east, north - other.north) }

    /// The coordinate for a walk that starts at 50.7753° N, 6.0839° E.
    var coordinate: Coordinate {
        let metresPerDegree = 111_195.08
        let place = Coordinate(
            latitude: 50.7753 + north / metresPerDegree,
            longitude: 6.0839 + east / (metresPerDegree * cos(50.7753 * Double.pi / 180))
        )
        guard let place else { preconditionFailure("the walks don't leave the town") }
        return place
    }
}

/// The true positions, second by second.
private struct Paths {
    private(set) var phone: [WalkPoint] = []
    private(set) var item: [WalkPoint] = []
    private let random: WalkRandom

    init(_ scenario: RecordedWalk.Scenario, _ random: WalkRandom) {
        self.random = random
        switch scenario {
        case .together: walk(3_600)
        case .indoors: stay(3_600)
        case .garden:
            stay(300)
            for _ in 0..<6 {
                leave(metres: 7.5, speed: 0.5)
                stay(240)
                comeBack(speed: 0.5)
                stay(240)
            }
        case .tram: ride(2_400)
        case .forgotten: forget(after: 600, for: 1_800)
        case .forgottenTwice:
            forget(after: 600, for: 1_200)
            forget(after: 900, for: 1_500)
        case .taken:
            stay(900)
            for second in 1...1_200 {
                phone.append(phone.last ?? WalkPoint())
                var away = phone[phone.count - 1]
                away.north += Double(second) * 1.6
                item.append(away)
            }
        case .slow:
            forget(after: 1_800, for: 4_200)
        }
    }

    func separations(metres: Double) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for second in phone.indices where phone[second].distance(to: item[second]) > metres {
            if let last = ranges.last, last.upperBound == second {
                ranges[ranges.count - 1] = last.lowerBound..<second + 1
            } else {
                ranges.append(second..<second + 1)
            }
        }
        return ranges
    }

    func speed(ofItemAt second: Int) -> Double {
        second == 0 ? 0 : item[second].distance(to: item[second - 1])
    }

    /// Neither moves.
    private mutating func stay(_ seconds: Int) {
        for _ in 0..<seconds { together(phone.last ?? WalkPoint()) }
    }

    /// Both walk together in a changing direction.
    private mutating func walk(_ seconds: Int) {
        var heading = random.between(0, 2 * Double.pi)
        for second in 0..<seconds {
            if second % 120 == 0 { heading += random.between(-1, 1) }
            // They wait for one minute every ten minutes.
            let speed = second % 600 < 60 ? 0 : 1.4
            together(step(phone.last ?? WalkPoint(), heading, speed))
        }
    }

    private mutating func ride(_ seconds: Int) {
        let heading = random.between(0, 2 * Double.pi)
        for second in 0..<seconds {
            let speed = second % 150 < 30 ? 0 : 12.0
            together(step(phone.last ?? WalkPoint(), heading, speed))
        }
    }

    /// Both walk somewhere, the item remains there, its owner walks on, waits, returns, and both remain for a while.
    private mutating func forget(after: Int, for seconds: Int) {
        walk(after)
        let metres = random.between(250, 600)
        let before = phone.count
        leave(metres: metres, speed: 1.4)
        let way = phone.count - before
        for _ in 0..<max(60, seconds - 2 * way) { apart(phone[phone.count - 1]) }
        comeBack(speed: 1.4)
        stay(900)
    }

    private mutating func leave(metres: Double, speed: Double) {
        let heading = random.between(0, 2 * Double.pi)
        var gone = 0.0
        while gone < metres {
            gone += speed
            apart(step(phone.last ?? WalkPoint(), heading, speed))
        }
    }

    private mutating func comeBack(speed: Double) {
        let goal = item.last ?? WalkPoint()
        while let here = phone.last, here.distance(to: goal) > speed {
            apart(step(here, atan2(goal.east - here.east, goal.north - here.north), speed))
        }
    }

    private mutating func together(_ point: WalkPoint) {
        phone.append(point)
        item.append(point)
    }

    private mutating func apart(_ point: WalkPoint) {
        item.append(item.last ?? WalkPoint())
        phone.append(point)
    }

    private func step(_ point: WalkPoint, _ heading: Double, _ metres: Double) -> WalkPoint {
        WalkPoint(east: point.east + sin(heading) * metres, north: point.north + cos(heading) * metres)
    }
}

/// A receiver whose error drifts (a first-order Gauss-Markov process with a time constant of one minute) and that is
/// sometimes far off without reporting it.
struct Receiver {
    private static let memorySeconds = 60.0
    /// The 68 % radius in standard deviations of one axis.
    private static let radiusOfConfidence = 1.515
    private static let outliers = 0.01

    private let random: WalkRandom
    private let accuracyMetres: Double
    private var error: WalkPoint

    init(_ random: WalkRandom, accuracyMetres: Double) {
        self.random = random
        self.accuracyMetres = accuracyMetres
        let deviation = accuracyMetres / Self.radiusOfConfidence
        error = WalkPoint(east: random.normal() * deviation, north: random.normal() * deviation)
    }

    mutating func drift() {
        let kept = exp(-1 / Self.memorySeconds)
        let added = (1 - kept * kept).squareRoot() * accuracyMetres / Self.radiusOfConfidence
        error.east = error.east * kept + random.normal() * added
        error.north = error.north * kept + random.normal() * added
    }

    func sighting(_ truth: WalkPoint, speed: Double?, at second: Int) -> PositionSample {
        var seen = WalkPoint(east: truth.east + error.east, north: truth.north + error.north)
        if random.chance(Self.outliers) {
            seen.east += random.normal() * 100
            seen.north += random.normal() * 100
        }
        return PositionSample(
            at: RecordedWalk.instant(second), coordinate: seen.coordinate,
            accuracyMetres: accuracyMetres * random.between(0.8, 1.2), speedMetresPerSecond: speed
        )
    }
}

/// Random numbers for walks.
struct WalkRandom: Sendable {
    private let source: SeededRandom

    init(seed: UInt64) { source = SeededRandom(seed: seed) }

    /// Uniformly distributed, from 0 to below 1.
    func even() -> Double { Double(source.uint64() >> 11) / Double(1 << 53) }

    func between(_ low: Double, _ high: Double) -> Double { low + even() * (high - low) }

    func chance(_ share: Double) -> Bool { even() < share }

    /// Normally distributed (Box-Muller).
    func normal() -> Double { (-2 * log(1 - even())).squareRoot() * cos(2 * Double.pi * even()) }
}
