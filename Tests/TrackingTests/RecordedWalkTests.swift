import Foundation
import Kernel
import TestSupport
import Testing

@testable import Tracking

/// Compares both alert modes on the same walks.
@Suite("Alerts on recorded walks")
struct RecordedWalkTests {
    private static let walksOfEachScenario = 60

    /// The counted results of some walks.
    struct Tally: Equatable {
        var separations = 0
        /// Separations with exactly one alert.
        var toldOnce = 0
        var missed = 0
        /// Alerts while item and owner were together.
        var falseAlarms = 0
        /// Further alerts of a separation.
        var repeats = 0
        var secondsUntilTold: [Int] = []

        static func + (left: Tally, right: Tally) -> Tally {
            Tally(
                separations: left.separations + right.separations, toldOnce: left.toldOnce + right.toldOnce,
                missed: left.missed + right.missed, falseAlarms: left.falseAlarms + right.falseAlarms,
                repeats: left.repeats + right.repeats, secondsUntilTold: left.secondsUntilTold + right.secondsUntilTold
            )
        }

        /// All alerts.
        var given: Int { separations - missed + repeats + falseAlarms }

        /// The median; `nil` without alerts.
        var medianMinutes: Double? {
            let sorted = secondsUntilTold.sorted()
            return sorted.isEmpty ? nil : Double(sorted[sorted.count / 2]) / 60
        }
    }

    /// Runs a walk through the rule as the services do: it skips positions older than the last one.
    private func alerts(_ walk: RecordedWalk, _ mode: AlertMode) -> [Int] {
        let rule = SeparationAlertRule(mode: mode, alertMetres: RecordedWalk.alertMetres)
        var state = SeparationAlertRule.State()
        var item: PositionSample?
        var phone: PositionSample?
        var alerts: [Int] = []
        for event in walk.events {
            switch event.who {
            case .item:
                guard FixAcceptance.movesLastPosition(event.sighting.at, last: item?.at) else { continue }
                item = event.sighting
            case .phone: phone = event.sighting
            }
            guard let item, let phone else { continue }
            let now = RecordedWalk.instant(event.second)
            let step = rule.step(from: state, item: item, phones: [phone], now: now) { [] }
            state = step.state
            if step.alertDistanceMetres != nil { alerts.append(event.second) }
        }
        return alerts
    }

    private func tally(_ walk: RecordedWalk, _ mode: AlertMode) -> Tally {
        let alerts = alerts(walk, mode)
        var tally = Tally(separations: walk.separations.count)
        for separation in walk.separations {
            let within = alerts.filter { separation.contains($0) }
            if let first = within.first {
                tally.secondsUntilTold.append(first - separation.lowerBound)
                if within.count == 1 { tally.toldOnce += 1 }
                tally.repeats += within.count - 1
            } else {
                tally.missed += 1
            }
        }
        tally.falseAlarms += alerts.count { second in !walk.separations.contains { $0.contains(second) } }
        return tally
    }

    private func tally(_ scenario: RecordedWalk.Scenario, _ mode: AlertMode) -> Tally {
        (1...Self.walksOfEachScenario).map { tally(RecordedWalk(scenario, seed: UInt64($0)), mode) }
            .reduce(Tally(), +)
    }

    @Test("The same seed gives the same walk, and another seed another one")
    func repeatable() {
        let walk = RecordedWalk(.forgotten, seed: 4)
        #expect(walk.events.map(\.sighting) == RecordedWalk(.forgotten, seed: 4).events.map(\.sighting))
        #expect(walk.events.map(\.sighting) != RecordedWalk(.forgotten, seed: 5).events.map(\.sighting))
        #expect(walk.separations.count == 1)
        #expect(RecordedWalk(.forgottenTwice, seed: 1).separations.count == 2)
        for scenario in [RecordedWalk.Scenario.together, .indoors, .garden, .tram] {
            #expect(RecordedWalk(scenario, seed: 1).separations.isEmpty)
        }
    }

    @Test("When sure: each separation causes exactly one alert", arguments: RecordedWalk.Scenario.allCases)
    func whenSure(scenario: RecordedWalk.Scenario) {
        let sum = tally(scenario, .whenSure)
        #expect(sum.toldOnce == sum.separations)
        #expect(sum.missed == 0)
        #expect(sum.falseAlarms == 0)
        #expect(sum.repeats == 0)
        #expect(sum.given == sum.separations)
    }

    @Test(
        "Every time: with exact positions each separation causes one alert, and there are no others",
        arguments: [
            RecordedWalk.Scenario.together, .indoors, .garden, .forgotten, .forgottenTwice, .taken,
        ])
    func everyTimeExactly(scenario: RecordedWalk.Scenario) {
        let sum = (1...5).map { tally(RecordedWalk(scenario, seed: UInt64($0), isExact: true), .everyTime) }
            .reduce(Tally(), +)
        #expect(sum.toldOnce == sum.separations)
        #expect(sum.missed == 0)
        #expect(sum.falseAlarms == 0)
        #expect(sum.repeats == 0)
        #expect(sum.given == sum.separations)
    }

    @Test("Every time: jitter causes false alerts, which is why the other mode exists")
    func everyTime() {
        let sum = RecordedWalk.Scenario.allCases.map { tally($0, .everyTime) }.reduce(Tally(), +)
        #expect(sum.falseAlarms > 10 * sum.separations)
    }

    @Test("docs/alerts.md contains the measured numbers")
    func page() throws {
        let page = try AlertsDocument.text()
        var table = """
            | walks | separations | every time: given | told once | missed | again | false | after | when sure: given \
            | told once | missed | again | false | after |
            | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |

            """
        for scenario in RecordedWalk.Scenario.allCases {
            let literal = tally(scenario, .everyTime)
            let sure = tally(scenario, .whenSure)
            table += "| \(scenario.rawValue) | \(literal.separations) | \(cells(literal)) | \(cells(sure)) |\n"
        }
        let written = try AlertsDocument.replacing(table, in: page, at: "walks")
        if AlertsDocument.isWriting {
            try AlertsDocument.write(written)
        } else {
            #expect(written == page, "write it anew with HOMEWARD_WRITE_DOCUMENTS=1")
        }
    }

    private func cells(_ tally: Tally) -> String {
        let after = tally.medianMinutes.map { minutes in
            let tenths = Int((minutes * 10).rounded())
            return "\(tenths / 10).\(tenths % 10) min"
        }
        let counts = [tally.given, tally.toldOnce, tally.missed, tally.repeats, tally.falseAlarms]
        return (counts.map(String.init) + [after ?? "–"]).joined(separator: " | ")
    }
}
