import Kernel
import Testing

@testable import Tracking

@Suite("The too-far rule")
struct TooFarRuleTests {
    private static let start = Instant(millisecondsSince1970: 1_772_366_400_000)
    private static let metresPerDegree = 111_195.08

    private func instant(_ seconds: Int64) -> Instant { Self.start.adding(seconds: seconds) }

    /// A sighting at a distance in metres north of the point 0° 0°.
    private func seen(
        _ metres: Double, at seconds: Int64 = 0, accuracy: Double? = nil, speed: Double? = nil
    ) throws -> PositionSample {
        let place = try #require(Coordinate(latitude: metres / Self.metresPerDegree, longitude: 0))
        return PositionSample(
            at: instant(seconds), coordinate: place, accuracyMetres: accuracy, speedMetresPerSecond: speed
        )
    }

    private func rule(_ mode: AlertMode, metres: Int = 10) -> SeparationAlertRule {
        SeparationAlertRule(mode: mode, alertMetres: metres)
    }

    private func safe(_ metres: Double, radius: Int) throws -> SafeArea {
        SafeArea(centre: try seen(metres).coordinate, radiusMetres: radius)
    }

    // MARK: Every time

    struct Limit: Sendable {
        let metres: Double
        let isTold: Bool
    }

    @Test(
        "Every time: a distance beyond the limit causes an alert, the limit itself doesn't",
        arguments: [
            Limit(metres: 0, isTold: false), Limit(metres: 10.0004, isTold: false), Limit(metres: 10.1, isTold: true),
            Limit(metres: 5_000, isTold: true),
        ])
    func strict(_ limit: Limit) throws {
        let step = rule(.everyTime).step(
            from: .init(), item: try seen(0), phones: [try seen(limit.metres)], now: instant(0)
        ) { [] }
        #expect((step.alertDistanceMetres != nil) == limit.isTold)
        #expect(step.state.apartSince == (limit.isTold ? instant(0) : nil))
    }

    @Test("Every time: each separation causes one alert, and a return allows the next")
    func once() throws {
        let rule = rule(.everyTime)
        var state = SeparationAlertRule.State()
        var told: [Int64] = []
        for (seconds, metres) in [(0, 2.0), (10, 30), (20, 500), (30, 11), (40, 10), (50, 40), (60, 45)] {
            let phone = try seen(metres, at: Int64(seconds))
            let step = rule.step(from: state, item: try seen(0), phones: [phone], now: instant(Int64(seconds))) { [] }
            state = step.state
            if step.alertDistanceMetres != nil { told.append(Int64(seconds)) }
        }
        #expect(told == [10, 50])
    }

    @Test("The nearest phone with a recent position counts", arguments: AlertMode.allCases)
    func nearest(mode: AlertMode) throws {
        let rule = rule(mode)
        let far = try seen(400, at: 1_800, accuracy: 1)
        let item = try seen(0, at: 1_799, accuracy: 1)
        for (near, isTold) in [(try seen(3, at: 1, accuracy: 1), false), (try seen(3, at: 0, accuracy: 1), true)] {
            let ripe = SeparationAlertRule.State(evidence: 2, evidenceAt: instant(-3_000))
            let step = rule.step(from: ripe, item: item, phones: [far, near], now: instant(1_800)) { [] }
            #expect((step.alertDistanceMetres != nil) == isTold)
        }
    }

    @Test("Old positions of either side don't count", arguments: AlertMode.allCases)
    func old(mode: AlertMode) throws {
        let rule = rule(mode)
        let state = SeparationAlertRule.State(evidence: 2, evidenceAt: instant(-3_000))
        let now = instant(1_800)
        let fresh = try seen(900, at: 1_800, accuracy: 1)
        let stale = try seen(0, at: 0, accuracy: 1)
        let silent: [(PositionSample, [PositionSample])] = [(stale, [fresh]), (fresh, [stale]), (fresh, [])]
        for (item, phones) in silent {
            let step = rule.step(from: state, item: item, phones: phones, now: now) { [] }
            #expect(step == SeparationAlertRule.Step(state: state))
        }
    }

    @Test("An item in a safe place causes no alert, and outside of it one", arguments: AlertMode.allCases)
    func safePlaces(mode: AlertMode) throws {
        let rule = rule(mode)
        let home = try safe(0, radius: 50)
        var state = SeparationAlertRule.State()
        var told: [Int64] = []
        for round in 0..<20 {
            let seconds = Int64(round) * 60
            let item = try seen(round < 10 ? 20 : -300, at: seconds, accuracy: 3)
            let phone = try seen(2_000, at: seconds, accuracy: 3)
            let step = rule.step(from: state, item: item, phones: [phone], now: instant(seconds)) { [home] }
            state = step.state
            if step.alertDistanceMetres != nil { told.append(seconds) }
        }
        #expect(told == [mode == .everyTime ? 600 : 720])
    }

    @Test("The safe places are read only when an alert depends on them", arguments: AlertMode.allCases)
    func readsOnDemand(mode: AlertMode) throws {
        var reads = 0
        let near = try seen(1, accuracy: 3)
        _ = rule(mode).step(from: .init(), item: try seen(0, accuracy: 3), phones: [near], now: instant(0)) {
            reads += 1
            return []
        }
        let apart = SeparationAlertRule.State(apartSince: instant(-60))
        let far = try seen(900, accuracy: 3)
        _ = rule(mode).step(from: apart, item: try seen(0, accuracy: 3), phones: [far], now: instant(0)) {
            reads += 1
            return []
        }
        #expect(reads == 0)
    }

    @Test("A safe place's circumference belongs to it")
    func edge() throws {
        let home = try safe(0, radius: 50)
        #expect(home.contains(try seen(50).coordinate))
        #expect(!home.contains(try seen(50.1).coordinate))
        #expect(home.mayContain(try seen(69).coordinate, within: 20))
        #expect(!home.mayContain(try seen(71).coordinate, within: 20))
    }

    // MARK: When sure

    /// Evaluates the rule once a minute, with positions of both sides at that time.
    private func told(_ metres: [Double], accuracy: Double?, from state: SeparationAlertRule.State = .init()) throws
        -> [Int]
    {
        var state = state
        var told: [Int] = []
        for (minute, distance) in metres.enumerated() {
            let seconds = Int64(minute) * 60
            let step = rule(.whenSure).step(
                from: state, item: try seen(0, at: seconds, accuracy: accuracy),
                phones: [try seen(distance, at: seconds, accuracy: accuracy)], now: instant(seconds)
            ) { [] }
            state = step.state
            if step.alertDistanceMetres != nil { told.append(minute) }
        }
        return told
    }

    @Test("When sure: three evaluations in a row beyond the possible error cause an alert")
    func inARow() throws {
        // Twice 10 m for each side, and the limit of 10 m.
        #expect(try told([0, 60, 60, 60, 60], accuracy: 10) == [3])
        #expect(try told([0, 60, 60, 49, 60, 60, 60], accuracy: 10) == [6])
        #expect(try told([0, 49, 49, 49, 49, 49], accuracy: 10) == [])
        // 15 m for a device without an accuracy.
        #expect(try told([0, 69, 69, 69, 69], accuracy: nil) == [])
        #expect(try told([0, 71, 71, 71], accuracy: nil) == [3])
    }

    @Test("When sure: a distance that varies around the limit causes one alert")
    func hysteresis() throws {
        // Apart beyond 50 m; together again only within 25 m.
        let wavering: [Double] = [60, 60, 60, 49, 30, 49, 60, 60, 60, 26, 26, 26, 60, 60, 60]
        #expect(try told(wavering, accuracy: 10) == [2])
        let back: [Double] = [60, 60, 60, 20, 20, 20, 60, 60, 60]
        #expect(try told(back, accuracy: 10) == [2, 8])
    }

    @Test("When sure: one wrong position isn't enough, however often it is evaluated")
    func samePositions() throws {
        var state = SeparationAlertRule.State()
        let item = try seen(500, at: 0, accuracy: 5)
        for second in stride(from: Int64(0), to: 240, by: 5) {
            let phone = try seen(0, at: second, accuracy: 5)
            let step = rule(.whenSure).step(from: state, item: item, phones: [phone], now: instant(second)) { [] }
            #expect(step.alertDistanceMetres == nil)
            state = step.state
        }
        #expect(state.evidence == 1)
    }

    @Test("When sure: a tracker with a long interval causes an alert with its second report")
    func seldom() throws {
        var state = SeparationAlertRule.State()
        var told: [Int64] = []
        for round in 0..<4 {
            let second = Int64(round) * 600
            let step = rule(.whenSure).step(
                from: state, item: try seen(0, at: second, accuracy: 5),
                phones: [try seen(800, at: second, accuracy: 5)], now: instant(second)
            ) { [] }
            state = step.state
            if step.alertDistanceMetres != nil { told.append(second) }
        }
        #expect(told == [600])
    }

    @Test("When sure: a walk between the times of both positions causes no alert")
    func walking() throws {
        let rule = rule(.whenSure)
        let ripe = SeparationAlertRule.State(evidence: 2, evidenceAt: instant(-100))
        for (metres, isTold) in [(219.0, false), (221.0, true)] {
            // Twice 7.5 m for each side, the limit of 10 m, and 1.5 m/s for two minutes: 220 m.
            let item = try seen(0, at: 0, accuracy: 7.5)
            let phone = try seen(metres, at: 120, accuracy: 7.5)
            let step = rule.step(from: ripe, item: item, phones: [phone], now: instant(120)) { [] }
            #expect((step.alertDistanceMetres != nil) == isTold)
            if !isTold { #expect(step.state == ripe) }
        }
    }

    @Test("When sure: an item in the same vehicle causes no alert")
    func riding() throws {
        var state = SeparationAlertRule.State()
        for round in 0..<20 {
            let second = Int64(round) * 60
            let item = try seen(Double(second) * 12, at: second, accuracy: 5, speed: 12)
            let phone = try seen(Double(second + 20) * 12, at: second + 20, accuracy: 5)
            let step = rule(.whenSure).step(
                from: state, item: item, phones: [phone], now: instant(second + 20)
            ) { [] }
            #expect(step.alertDistanceMetres == nil)
            state = step.state
        }
        #expect(state == .init())
    }
}
