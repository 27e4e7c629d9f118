import Kernel
import Testing
import TrackerProtocol

@testable import homeward_tracker

@Suite struct SimulationTests {
    struct MissingValue: Error {}

    private let began = Instant(millisecondsSince1970: 1_772_366_400_000)

    private func start(_ latitude: Double = 48.137154, _ longitude: Double = 11.576124) throws -> Coordinate {
        guard let start = Coordinate(latitude: latitude, longitude: longitude) else { throw MissingValue() }
        return start
    }

    @Test("The same seed gives the same walk, another seed a different one") func seeds() throws {
        let walks = [1, 1, 2].map { (seed: UInt64) in (try? start()).map { Walk(start: $0, seed: seed) } }
        #expect(walks[0]?.position(afterSeconds: 777) == walks[1]?.position(afterSeconds: 777))
        #expect(walks[0]?.position(afterSeconds: 777) != walks[2]?.position(afterSeconds: 777))
    }

    @Test(
        "A walk keeps walking speed, stays near its start and returns to it",
        arguments: UInt64(0)..<40)
    func plausible(seed: UInt64) throws {
        let start = try start()
        let walk = Walk(start: start, seed: seed)
        var before = start
        var farthest = 0.0
        for second in stride(from: 0.0, through: walk.roundSeconds, by: 5) {
            let position = walk.position(afterSeconds: second)
            guard let place = Coordinate(latitude: position.latitude, longitude: position.longitude) else {
                throw MissingValue()
            }
            #expect(place.distanceMetres(to: before) <= 5 * Walk.speedMetresPerSecond * 1.01)
            farthest = max(farthest, place.distanceMetres(to: start))
            before = place
        }
        #expect((100...800).contains(farthest))
        #expect(before.distanceMetres(to: start) < 10)
        let first = walk.position(afterSeconds: 100)
        let later = walk.position(afterSeconds: 100 + walk.roundSeconds * 3)
        #expect(abs(first.latitude - later.latitude) < 1e-8)
        #expect(abs(first.longitude - later.longitude) < 1e-8)
    }

    @Test("A walk with a given route passes its corners in order and returns") func route() throws {
        let start = try start()
        let corners = [(east: 120.0, north: 0.0), (east: 120.0, north: 90.0), (east: 0.0, north: 90.0)]
        let walk = Walk(start: start, corners: corners, seed: 4)
        let path = stride(from: 0.0, through: walk.roundSeconds, by: 0.5).map { walk.position(afterSeconds: $0) }
        var from = 0
        for corner in corners + [(east: 0, north: 0)] {
            let (latitude, longitude) = walk.place(eastMetres: corner.east, northMetres: corner.north)
            let found = path[from...].firstIndex {
                abs($0.latitude - latitude) < 0.000_01 && abs($0.longitude - longitude) < 0.000_02
            }
            from = try #require(found, "\(corner)")
        }
        #expect(walk.roundSeconds >= 420 / Walk.speedMetresPerSecond)
    }

    @Test(
        "Positions exist everywhere on the globe",
        arguments: [(90.0, 0.0), (-90, 10), (0, 180), (0, -180), (70, 179.999)])
    func everywhere(latitude: Double, longitude: Double) throws {
        let hardware = SimulatedHardware(
            start: try start(latitude, longitude), seed: 3, speedFactor: 10, beganAt: began, batteryAtBeginning: 100,
            clock: SystemClock()
        )
        for minute in 0..<200 { _ = try hardware.fix(at: began.adding(seconds: Int64(minute) * 60)) }
    }

    @Test("The receiver's error is a few metres, changes smoothly, and is reported") func noise() throws {
        let start = try start()
        let hardware = SimulatedHardware(
            start: start, seed: 3, speedFactor: 0, beganAt: began, batteryAtBeginning: 100,
            clock: SystemClock()
        )
        let still = try hardware.fix(at: began.adding(seconds: 60))
        #expect(still.coordinate.distanceMetres(to: start) < 15)
        let walking = SimulatedHardware(
            start: start, seed: 3, speedFactor: 1, beganAt: began, batteryAtBeginning: 100,
            clock: SystemClock()
        )
        var before = try walking.fix(at: began)
        for second in 1...600 {
            let fix = try walking.fix(at: began.adding(seconds: Int64(second)))
            #expect(fix.coordinate.distanceMetres(to: before.coordinate) < 4)
            #expect((4...15).contains(fix.accuracyMetres ?? 0))
            before = fix
        }
    }

    @Test("The battery drains and is recharged when nearly empty") func battery() throws {
        let hardware = SimulatedHardware(
            start: try start(), seed: 3, speedFactor: 1, beganAt: began, batteryAtBeginning: 40,
            clock: SystemClock()
        )
        var before = try #require(hardware.batteryPercent(at: began))
        #expect(before == 40)
        var charges = 0
        for quarter in 1...400 {
            let percent = try #require(hardware.batteryPercent(at: began.adding(seconds: Int64(quarter) * 900)))
            #expect((5...100).contains(percent))
            if percent > before {
                #expect(before == 5)
                #expect(percent == 100)
                charges += 1
            } else {
                #expect(percent == before - 1)
            }
            before = percent
        }
        #expect(charges == 4)
    }
}
