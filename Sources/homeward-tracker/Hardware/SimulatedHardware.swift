import Foundation
import Kernel
import TrackerProtocol

/// The hardware of a simulated tracker: a receiver with a realistic error and a battery that drains.
struct SimulatedHardware: TrackerHardware {
    private let walk: Walk
    private let seed: UInt64
    private let speedFactor: Double
    private let beganAt: Instant
    private let batteryAtBeginning: Int
    private let clock: any WallClock

    private static let secondsPerPercent = 900.0
    private static let emptyPercent = 5
    private static let noiseMetres = 2.5
    private static let noiseStepSeconds = 20.0

    /// - Parameter route: the corners of the walk, in metres east and north of the start; empty for a walk that the
    ///   seed determines.
    init(
        start: Coordinate, route: [(east: Double, north: Double)] = [], seed: UInt64, speedFactor: Double,
        beganAt: Instant, batteryAtBeginning: Int, clock: any WallClock
    ) {
        self.clock = clock
        walk =
            route.isEmpty ? Walk(start: start, seed: seed) : Walk(start: start, corners: route, seed: seed)
        self.seed = seed
        self.speedFactor = speedFactor
        self.beganAt = beganAt
        self.batteryAtBeginning = batteryAtBeginning
    }

    private func walkedSeconds(at now: Instant) -> Double { max(0, now.seconds(since: beganAt)) * speedFactor }

    /// The charge in whole percent. The simulated battery is recharged when it is nearly empty.
    func batteryPercent(at now: Instant) -> Int? { charge(at: now) }

    func locate() async -> TrackerFix? { try? fix(at: clock.now) }

    var hasSounder: Bool { true }

    func sound(seconds: Int64) async {}

    var hasButton: Bool { false }

    func buttonHeld() async {}

    private func charge(at now: Instant) -> Int {
        let drained = Int(min(walkedSeconds(at: now) / Self.secondsPerPercent, 1e15))
        let left = batteryAtBeginning - drained
        if left >= Self.emptyPercent { return left }
        let cycle = 100 - Self.emptyPercent + 1
        return 100 - (Self.emptyPercent - 1 - left) % cycle
    }

    /// Returns the position with the receiver's error.
    func fix(at now: Instant) throws(TrackerFix.Failure) -> TrackerFix {
        let seconds = walkedSeconds(at: now)
        let truth = walk.position(afterSeconds: seconds)
        let east = noise(at: seconds, stream: 1) * Self.noiseMetres
        let north = noise(at: seconds, stream: 2) * Self.noiseMetres
        let metresPerDegree = 111_195.0
        let shrink = max(0.001, cos(truth.latitude * .pi / 180))
        let heading = truth.headingDegrees + noise(at: seconds, stream: 4) * 4
        return try TrackerFix(
            at: now, latitude: min(90, max(-90, truth.latitude + north / metresPerDegree)),
            longitude: min(180, max(-180, truth.longitude + east / (metresPerDegree * shrink))),
            accuracyMetres: 4 + abs(noise(at: seconds, stream: 3)) * 3,
            altitudeMetres: 520 + noise(at: seconds, stream: 5),
            speedMetresPerSecond: truth.speedMetresPerSecond,
            headingDegrees: (heading + 360).truncatingRemainder(dividingBy: 360),
            batteryPercent: charge(at: now)
        )
    }

    // A receiver's error drifts instead of jumping: interpolates between two random values.
    private func noise(at seconds: Double, stream: UInt64) -> Double {
        let step = (seconds / Self.noiseStepSeconds).rounded(.down)
        let share = seconds / Self.noiseStepSeconds - step
        return drawn(step, stream) * (1 - share) + drawn(step + 1, stream) * share
    }

    private func drawn(_ step: Double, _ stream: UInt64) -> Double {
        var random = SimulatedRandom(
            seed: seed &* 1_000_003 &+ stream &* 0x5851_f42d_4c95_7f2d &+ UInt64(step.magnitude))
        // The sum of four uniform values approximates a normal distribution with bounded outliers.
        return (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } * 0.87
    }
}
