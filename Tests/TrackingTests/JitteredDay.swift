import Foundation
import Kernel
import TestSupport

@testable import Tracking

/// A simulated day of an item with a tracker: its true stays, and the positions that its receiver measured. The same
/// seed gives the same day.
struct JitteredDay: Sendable {
    /// What the item does.
    enum Scenario: String, CaseIterable, Sendable {
        /// Home, on foot to a shop for 20 minutes, and back.
        case shop = "home, shop, home on foot"
        /// Home, by car to work, a lunch nearby, back home.
        case work = "home, work, lunch, home"
        /// A tram that stops for half a minute every three minutes.
        case tram = "a tram with stops"
        /// A walk in the same direction, slow, with pauses of two minutes.
        case stroll = "a walk with short pauses"
        /// Indoors for eight hours; the positions are inaccurate and jump.
        case indoors = "indoors, poor positions"
        /// In one place, while the tracker is silent for four hours in between.
        case silent = "silent for hours in one place"
        /// A drive during which the tracker is silent.
        case silentDrive = "silent during a drive"
        /// Home, by car to work and back; a fix every 10 minutes.
        case rare = "home, work, home; a fix every 10 min"
    }

    /// A true stay.
    struct TrueStay: Sendable {
        let seconds: Range<Int>
        let east: Double
        let north: Double

        var place: Coordinate { JitteredDay.coordinate(east, north) }
    }

    static let start = Instant(millisecondsSince1970: 1_772_323_200_000)

    let stays: [TrueStay]
    /// Seconds without any position.
    let silences: [Range<Int>]
    /// In order of time.
    let samples: [EpisodeSample]
    /// The length of the true path in metres.
    let metres: Double

    init(_ scenario: Scenario, seed: UInt64) {
        var course = Course(random: DayRandom(seed: seed))
        course.follow(scenario)
        stays = course.stays
        silences = course.silences
        metres = course.metres
        samples = course.measured(
            everySeconds: scenario == .rare ? 600 : 60, accuracyMetres: scenario == .indoors ? 30 : nil)
    }

    /// The coordinate of a point in metres east and north of 50.7753° N, 6.0839° E.
    static func coordinate(_ east: Double, _ north: Double) -> Coordinate {
        let metresPerDegree = 111_195.08
        let place = Coordinate(
            latitude: 50.7753 + north / metresPerDegree,
            longitude: 6.0839 + east / (metresPerDegree * cos(50.7753 * Double.pi / 180)))
        guard let place else { preconditionFailure("the days don't leave the region") }
        return place
    }

    static func instant(_ second: Int) -> Instant { start.adding(seconds: Int64(second)) }
}

/// The true course of a day, second by second.
private struct Course {
    let random: DayRandom
    private var points: [(east: Double, north: Double)] = [(0, 0)]
    private(set) var stays: [JitteredDay.TrueStay] = []
    private(set) var silences: [Range<Int>] = []

    init(random: DayRandom) { self.random = random }

    var metres: Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + hypot($1.0.east - $1.1.east, $1.0.north - $1.1.north) }
    }

    mutating func follow(_ scenario: JitteredDay.Scenario) {
        let heading = random.between(0, 2 * Double.pi)
        switch scenario {
        case .shop:
            stay(3 * 3_600)
            go(heading, metres: random.between(500, 1_500), speed: 1.4)
            stay(20 * 60)
            go(toEast: 0, north: 0, speed: 1.4)
            stay(2 * 3_600)
        case .work:
            stay(2 * 3_600)
            go(heading, metres: random.between(6_000, 12_000), speed: 12)
            stay(4 * 3_600)
            go(heading + 2, metres: random.between(300, 600), speed: 1.4)
            stay(40 * 60)
            go(heading + 2 + Double.pi, metres: 250, speed: 1.4)
            stay(3 * 3_600)
            go(toEast: 0, north: 0, speed: 12)
            stay(3 * 3_600)
        case .tram:
            stay(30 * 60)
            for _ in 0..<12 {
                go(heading, metres: 150 * 12, speed: 12)
                pause(30)
            }
            stay(30 * 60)
        case .stroll:
            stay(30 * 60)
            for index in 0..<8 {
                go(heading + Double(index) * 0.3, metres: 450, speed: 1.1)
                pause(120)
            }
            stay(30 * 60)
        case .indoors: stay(8 * 3_600)
        case .silent:
            stay(2 * 3_600)
            silence { $0.pause(4 * 3_600) }
            stay(2 * 3_600)
        case .silentDrive:
            stay(2 * 3_600)
            silence { course in
                course.pause(600)
                course.go(heading, metres: 20_000, speed: 14)
                course.pause(600)
            }
            stay(2 * 3_600)
        case .rare:
            stay(3 * 3_600)
            go(heading, metres: random.between(8_000, 12_000), speed: 10)
            stay(4 * 3_600)
            go(toEast: 0, north: 0, speed: 10)
            stay(3 * 3_600)
        }
    }

    /// Returns measured positions with errors that drift: a first-order Gauss-Markov process with a time constant of a
    /// minute. One position in a hundred is wrong by some hundred metres.
    func measured(everySeconds: Int, accuracyMetres: Double?) -> [EpisodeSample] {
        let accuracy = accuracyMetres ?? random.between(4, 15)
        let deviation = accuracy / 1.515
        let kept = exp(-1 / 60.0)
        let added = (1 - kept * kept).squareRoot() * deviation
        var error = (east: random.normal() * deviation, north: random.normal() * deviation)
        let offset = Int(random.between(0, Double(everySeconds)))
        var samples: [EpisodeSample] = []
        for second in points.indices {
            error.east = error.east * kept + random.normal() * added
            error.north = error.north * kept + random.normal() * added
            guard second % everySeconds == offset, !silences.contains(where: { $0.contains(second) }) else { continue }
            var seen = (east: points[second].east + error.east, north: points[second].north + error.north)
            if random.chance(0.01) {
                seen.east += random.normal() * 300
                seen.north += random.normal() * 300
            }
            let place = JitteredDay.coordinate(seen.east, seen.north)
            samples.append(
                EpisodeSample(
                    at: JitteredDay.instant(second).millisecondsSince1970, coordinate: place,
                    metres: accuracy * random.between(0.8, 1.2)))
        }
        return samples
    }

    private mutating func stay(_ seconds: Int) {
        let (start, here) = (points.count, points[points.count - 1])
        pause(seconds)
        stays.append(JitteredDay.TrueStay(seconds: start..<points.count, east: here.east, north: here.north))
    }

    private mutating func pause(_ seconds: Int) {
        points += Array(repeating: points[points.count - 1], count: seconds)
    }

    private mutating func go(_ heading: Double, metres: Double, speed: Double) {
        let here = points[points.count - 1]
        go(toEast: here.east + sin(heading) * metres, north: here.north + cos(heading) * metres, speed: speed)
    }

    private mutating func go(toEast east: Double, north: Double, speed: Double) {
        let here = points[points.count - 1]
        let steps = max(1, Int(hypot(east - here.east, north - here.north) / speed))
        for step in 1...steps {
            let share = Double(step) / Double(steps)
            points.append((here.east + (east - here.east) * share, here.north + (north - here.north) * share))
        }
    }

    private mutating func silence(_ work: (inout Course) -> Void) {
        let start = points.count
        work(&self)
        silences.append(start..<points.count)
    }
}

private struct DayRandom: Sendable {
    private let source: SeededRandom

    init(seed: UInt64) { source = SeededRandom(seed: seed) }

    func even() -> Double { Double(source.uint64() >> 11) / Double(1 << 53) }

    func between(_ low: Double, _ high: Double) -> Double { low + even() * (high - low) }

    func chance(_ share: Double) -> Bool { even() < share }

    /// Normally distributed (Box-Muller).
    func normal() -> Double { (-2 * log(1 - even())).squareRoot() * cos(2 * Double.pi * even()) }
}

extension EpisodeSample {
    init(at: Int64, latitude: Double, longitude: Double, metres: Double) {
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
            preconditionFailure("tests use coordinates on Earth")
        }
        self.init(at: at, coordinate: place, metres: metres)
    }
}
