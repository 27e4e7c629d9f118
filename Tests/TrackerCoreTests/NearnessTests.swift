import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@Suite struct NearnessTests {
    struct Walk: Sendable, CustomTestStringConvertible {
        let name: String
        /// Seconds since the previous response, metres (`nil`: unknown), and the mode afterwards.
        let steps: [(seconds: Int64, metres: Double?, mode: TrackerMode)]
        var testDescription: String { name }
    }

    static let walks = [
        Walk(name: "comes near", steps: [(60, 100, .cellular), (60, 29.9, .cellular), (60, 29.9, .bluetooth)]),
        Walk(name: "exactly 30 keeps", steps: [(60, 30, .cellular), (60, 30, .cellular), (60, 30, .cellular)]),
        Walk(
            name: "goes away",
            steps: [(60, 1, .cellular), (60, 1, .bluetooth), (60, 31, .bluetooth), (60, 31, .cellular)]
        ),
        Walk(
            name: "trembles",
            steps: [(60, 29, .cellular), (60, 31, .cellular), (60, 29, .cellular), (60, 31, .cellular)]
        ),
        Walk(name: "30 breaks the row", steps: [(60, 29, .cellular), (60, 30, .cellular), (60, 29, .cellular)]),
        Walk(name: "unknown breaks the row", steps: [(60, 29, .cellular), (60, nil, .cellular), (60, 29, .cellular)]),
    ]

    @Test("The mode follows the distance with hysteresis and is reported to the server", arguments: walks)
    func mode(_ walk: Walk) throws {
        var bench = try Bench.bound()
        for step in walk.steps {
            try bench.after(seconds: step.seconds)
            try bench.respond(distanceMetres: step.metres)
            #expect(bench.machine.memory.nearness.mode == step.mode)
        }
        try bench.after(seconds: 60)
        #expect(try unwrap(bench.sent).mode == walk.steps.last?.mode)
    }

    @Test("Two evaluations closer than ten seconds count as one") func tooClose() throws {
        var bench = try Bench.bound(plan: TrackerPlan(contactSeconds: 1))
        for second in 1...12 {
            try bench.after(seconds: 1)
            try bench.respond(distanceMetres: 5)
            #expect(bench.machine.memory.nearness.mode == (second >= 11 ? .bluetooth : .cellular))
        }
    }

    // MARK: Walks around 30 m

    struct WalkCase: Sendable, CustomTestStringConvertible {
        let name: String
        let seed: UInt64
        /// Metres that the walk reaches on each side of 30 m.
        let reachMetres: Double
        /// The receivers' error in metres, one standard deviation.
        let jitterMetres: Double
        /// The mode changes of a bare threshold and of the rule.
        let changes: (bare: Int, rule: Int)
        var testDescription: String { name }
    }

    /// One hour each, evaluated every ten seconds; each back-and-forth takes four minutes.
    static let strolls = [
        WalkCase(name: "stands at 30 m, 3 m jitter", seed: 1, reachMetres: 0, jitterMetres: 3, changes: (171, 59)),
        WalkCase(name: "walks 25 to 35 m, 5 m jitter", seed: 2, reachMetres: 5, jitterMetres: 5, changes: (151, 49)),
        WalkCase(name: "walks 10 to 50 m, 5 m jitter", seed: 3, reachMetres: 20, jitterMetres: 5, changes: (55, 31)),
        WalkCase(name: "walks 10 to 50 m, no jitter", seed: 4, reachMetres: 20, jitterMetres: 0, changes: (31, 31)),
    ]

    @Test(
        "T-2-2-2: Around 30 m the rule changes the mode far less often than a bare threshold", arguments: strolls)
    func flapping(_ stroll: WalkCase) throws {
        var bench = try Bench.bound(plan: TrackerPlan(contactSeconds: 10))
        var generator = SeededGenerator(state: stroll.seed)
        var changes = (bare: 0, rule: 0)
        var bare = bench.machine.memory.nearness.mode
        for step in 0..<360 {
            // A walk at constant speed: a triangle wave, because libraries round sines differently.
            let phase = Double(step % 24) / 12
            let walked = (phase < 1 ? phase : 2 - phase) * 2 - 1
            let noise = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
            let distance = max(0, 30 + walked * stroll.reachMetres + noise * stroll.jitterMetres)
            let wanted: TrackerMode = distance < 30 ? .bluetooth : distance > 30 ? .cellular : bare
            if wanted != bare { changes.bare += 1 }
            bare = wanted
            let before = bench.machine.memory.nearness.mode
            try bench.after(seconds: 10)
            try bench.respond(distanceMetres: distance)
            if bench.machine.memory.nearness.mode != before { changes.rule += 1 }
        }
        #expect(changes == stroll.changes)
    }
}
