import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@Suite struct NearnessTests {
    struct Walk: Sendable, CustomTestStringConvertible {
        let name: String
        /// Seconds since the answer before, metres (nil: unknown), and the mode after it.
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

    @Test("the mode follows the distance with hysteresis, and is reported", arguments: walks)
    func mode(_ walk: Walk) throws {
        var bench = try Bench.bound()
        for step in walk.steps {
            try bench.after(seconds: step.seconds)
            try bench.answer(distanceMetres: step.metres)
            #expect(bench.machine.memory.nearness.mode == step.mode)
        }
        try bench.after(seconds: 60)
        #expect(try unwrap(bench.sent).mode == walk.steps.last?.mode)
    }

    @Test("two evaluations closer than ten seconds count as one") func tooClose() throws {
        var bench = try Bench.bound(plan: TrackerPlan(contactSeconds: 1))
        for second in 1...12 {
            try bench.after(seconds: 1)
            try bench.answer(distanceMetres: 5)
            #expect(bench.machine.memory.nearness.mode == (second >= 11 ? .bluetooth : .cellular))
        }
    }
}
