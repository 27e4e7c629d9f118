import Foundation
import Kernel

/// An endless walk along a closed route: street-like legs with turns at corners and rests at some of them. A pure
/// function of the seed and the walked time, so that it continues after a restart.
struct Walk: Sendable {
    struct Position: Equatable {
        let latitude: Double
        let longitude: Double
        let speedMetresPerSecond: Double
        let headingDegrees: Double
    }

    private struct Leg: Sendable {
        let eastMetres, northMetres: Double
        let eastStep, northStep: Double
        let lengthMetres: Double
        let beginsAtSeconds: Double
        let walkSeconds: Double
        let restSeconds: Double
    }

    private let start: Coordinate
    private let legs: [Leg]
    /// The duration of one round in seconds.
    let roundSeconds: Double

    static let speedMetresPerSecond = 1.35
    private static let cornerCount = 30
    private static let radiusMetres = 600.0
    private static let metresPerDegree = 111_195.0

    init(start: Coordinate, seed: UInt64) {
        var random = SimulatedRandom(seed: seed)
        var corners: [(east: Double, north: Double)] = [(0, 0)]
        var heading = Double.random(in: 0..<360, using: &random)
        while corners.count < Self.cornerCount, let last = corners.last {
            let length = Double.random(in: 50...150, using: &random)
            let turns: [Double] = [-90, -90, -20, 0, 20, 90, 90]
            heading += turns.randomElement(using: &random) ?? 0
            var next = Self.step(from: last, heading: heading, metres: length)
            if (next.east * next.east + next.north * next.north).squareRoot() > Self.radiusMetres {
                heading = atan2(-last.east, -last.north) * 180 / .pi
                next = Self.step(from: last, heading: heading, metres: length)
            }
            corners.append(next)
        }
        self.init(start: start, corners: corners, random: &random)
    }

    /// A walk along given corners, in metres east and north of the start, and back.
    init(start: Coordinate, corners: [(east: Double, north: Double)], seed: UInt64) {
        var random = SimulatedRandom(seed: seed)
        self.init(start: start, corners: [(0, 0)] + corners, random: &random)
    }

    private init(start: Coordinate, corners: [(east: Double, north: Double)], random: inout SimulatedRandom) {
        let corners = corners + [(0, 0)]
        var legs: [Leg] = []
        var seconds = 0.0
        for (from, to) in zip(corners, corners.dropFirst()) {
            let leg = Self.leg(from: from, to: to, beginningAt: seconds, random: &random)
            seconds += leg.walkSeconds + leg.restSeconds
            legs.append(leg)
        }
        self.start = start
        self.legs = legs
        roundSeconds = seconds
    }

    private static func step(
        from place: (east: Double, north: Double), heading: Double, metres: Double
    ) -> (east: Double, north: Double) {
        let radians = heading * .pi / 180
        return (place.east + sin(radians) * metres, place.north + cos(radians) * metres)
    }

    private static func leg(
        from: (east: Double, north: Double), to: (east: Double, north: Double), beginningAt seconds: Double,
        random: inout SimulatedRandom
    ) -> Leg {
        let east = to.east - from.east
        let north = to.north - from.north
        let length = max(1, (east * east + north * north).squareRoot())
        let rests = Double.random(in: 0..<1, using: &random) < 0.15
        return Leg(
            eastMetres: from.east, northMetres: from.north, eastStep: east / length, northStep: north / length,
            lengthMetres: length, beginsAtSeconds: seconds, walkSeconds: length / speedMetresPerSecond,
            restSeconds: rests ? Double.random(in: 10...40, using: &random) : 0
        )
    }

    /// Returns the walker's position after this many seconds of walking.
    func position(afterSeconds seconds: Double) -> Position {
        let inRound = max(0, seconds).truncatingRemainder(dividingBy: roundSeconds)
        guard let leg = legs.last(where: { $0.beginsAtSeconds <= inRound }) else {
            return Position(
                latitude: start.latitude, longitude: start.longitude, speedMetresPerSecond: 0, headingDegrees: 0
            )
        }
        let walked = min(leg.lengthMetres, (inRound - leg.beginsAtSeconds) * Self.speedMetresPerSecond)
        let isResting = walked >= leg.lengthMetres
        let heading = atan2(leg.eastStep, leg.northStep) * 180 / .pi
        let (latitude, longitude) = place(
            eastMetres: leg.eastMetres + leg.eastStep * walked, northMetres: leg.northMetres + leg.northStep * walked
        )
        return Position(
            latitude: latitude, longitude: longitude,
            speedMetresPerSecond: isResting ? 0 : Self.speedMetresPerSecond,
            headingDegrees: heading < 0 ? heading + 360 : heading
        )
    }

    /// Returns the latitude and longitude at this offset from the start, within the valid ranges.
    func place(eastMetres: Double, northMetres: Double) -> (latitude: Double, longitude: Double) {
        let latitude = min(89.9, max(-89.9, start.latitude + northMetres / Self.metresPerDegree))
        let shrink = max(0.001, cos(latitude * .pi / 180))
        var longitude = start.longitude + eastMetres / (Self.metresPerDegree * shrink)
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return (latitude, longitude)
    }
}
