import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("The storage of comparisons and parkings for replays")
struct SeparationStorageTests {
    private func evaluation(
        _ at: Instant, from before: Int = 0, to after: Int = 0, metres: Double = 1.234
    ) -> SeparationEvaluation {
        SeparationEvaluation(
            seen: SeparationObservation(
                now: at, itemAt: at, itemAccuracyMetres: nil, itemSpeedMetresPerSecond: 1.5,
                phones: [.init(at: at, distanceMetres: metres, accuracyMetres: nil, speedMetresPerSecond: nil)],
                others: .init(isApart: .open, newestAt: at)),
            before: .init(isApart: false, evidence: before), after: .init(isApart: false, evidence: after))
    }

    private func run(_ evaluations: [SeparationEvaluation], evidence: Int = 0) -> SeparationHistory.Run {
        .init(state: .init(evidence: evidence), evaluations: evaluations)
    }

    private func store(
        _ run: SeparationHistory.Run, of subject: SeparationHistory.Subject, _ fixture: TrackingFixture
    ) async throws {
        let id = ID<SeparationHistory>(at: run.startedAt, random: fixture.random)
        try await fixture.database.write { tx in try SeparationHistoryStore.insert(run, id: id, of: subject, in: tx) }
    }

    @Test("Housekeeping deletes the oldest comparisons of an item when there are too many", arguments: Engine.allCases)
    func bounded(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let items = [try await fixture.tracked(of: ada).item, try await fixture.tracked("Car", of: ada).item]
            let subjects = items.map { SeparationHistory.Subject(item: $0, person: ada.person) }
            for subject in subjects {
                for _ in 0..<3 {
                    fixture.clock.advance(seconds: 60)
                    try await store(run([evaluation(fixture.now)]), of: subject, fixture)
                }
            }
            try await fixture.database.write { tx in
                try tx.execute("UPDATE separation_history SET evaluations = \(Limits.evaluationsPerItem / 2)")
            }
            fixture.clock.advance(seconds: 60)
            // Several nodes store small rows.
            let last = run([evaluation(fixture.now)])
            for subject in subjects { try await store(last, of: subject, fixture) }
            #expect(try await fixture.count("separation_history") == 8)
            let limiter = SeparationHistoryLimiter(database: fixture.database, subjectsPerRun: 1)
            for left in [6, 4, 4] {
                try await limiter.run()
                #expect(try await fixture.count("separation_history") == left)
            }
            for subject in subjects {
                let kept = try await fixture.database.read { tx in
                    try SeparationHistoryStore.page(
                        of: subject.item, for: ada.person, after: nil, since: Instant(millisecondsSince1970: 0),
                        in: tx)
                }
                // The second one exceeds the limit together with the last.
                #expect(kept.count == 2 && kept.last?.run == last)
            }
        }
    }

    @Test("Evaluations of two processes are put in order by their times, and at the same time by their states")
    func order() throws {
        let start = RecordedWalk.start
        func at(_ milliseconds: Int64, _ before: Int, _ after: Int) -> SeparationEvaluation {
            evaluation(
                Instant(millisecondsSince1970: start.millisecondsSince1970 + milliseconds), from: before, to: after)
        }
        let random = SeededRandom(seed: 1)
        func entry(_ evaluations: [SeparationEvaluation]) -> SeparationHistoryStore.Entry {
            let run = run(evaluations)
            return .init(id: ID(at: run.startedAt, random: random), item: ID(at: start, random: random), run: run)
        }
        let one = [at(0, 0, 0), at(10_000, 0, 1), at(20_500, 2, 3), at(40_000, 3, 0)]
        // The second clock is half a second late.
        let other = [at(5_000, 0, 0), at(20_600, 1, 2), at(50_000, 0, 0)]
        let third = [at(45_000, 0, 0)]
        var timeline = SeparationTimeline()
        let first = timeline.add([entry(one), entry(other)], isLast: false).map(\.evaluation)
        #expect(first == [one[0]])
        let rest = timeline.add([entry(third)], isLast: true).map(\.evaluation)
        #expect(rest == [other[0], one[1], other[1], one[2], one[3], third[0], other[2]])
        var late = run([one[1]], evidence: 7)
        late.insert(one[3], from: .init(evidence: 3))
        late.insert(one[2], from: .init(evidence: 2))
        #expect(late.evaluations == [one[1], one[2], one[3]] && late.state.evidence == 7)
        late.insert(one[0], from: .init(evidence: 4))
        #expect(late.startedAt == start && late.state.evidence == 4)
    }

    @Test("Comparisons that can't be stored don't keep others from being stored, and aren't tried again")
    func refused() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let histories = fixture.tracking.separationHistories
            for (number, metres) in [1, Double.nan, 2, .nan, 3].enumerated() {
                let item = try await fixture.tracked("\(number)", of: ada).item
                histories.history.reinsert(
                    [run([evaluation(fixture.now, metres: metres)])], of: .init(item: item, person: ada.person))
            }
            await #expect(throws: (any Error).self) { try await histories.storeAll() }
            #expect(try await fixture.count("separation_history") == 3)
            try await histories.storeAll()
            #expect(try await fixture.count("separation_history") == 3)
        }
    }

    @Test("The newest comparisons wait in memory while they can't be stored")
    func waiting() throws {
        let history = SeparationHistory()
        let random = SeededRandom(seed: 1)
        let subject = SeparationHistory.Subject(
            item: ID(at: RecordedWalk.start, random: random), person: ID(at: RecordedWalk.start, random: random))
        let runs = (0..<Limits.waitingRunsPerSubject + 2).map { number in
            run([evaluation(RecordedWalk.start.adding(seconds: Int64(number)))])
        }
        history.reinsert(Array(runs.suffix(2)), of: subject)
        history.reinsert(Array(runs.dropLast(2)), of: subject)
        #expect(history.removeAll { _, _ in true }[subject] == Array(runs.dropFirst(2)))
    }

    @Test("Parkings go with the positions that an item keeps", arguments: Engine.allCases)
    func keepDays(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.item(secret, metres: 0, at: fixture.now)
            try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            fixture.clock.advance(seconds: 3_600)
            try await fixture.tracking.parking.end(item, by: Change(actor: ada))
            fixture.clock.advance(seconds: 3 * 24 * 60 * 60)
            try await fixture.item(secret, metres: 0, at: fixture.now)
            try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.count("parking") == 2)
            let patch = ItemPatch(settings: .set(SettingsPatch(keepDays: .set(2))))
            _ = try await fixture.tracking.items.update(item, patch, ifVersion: nil, by: Change(actor: ada))
            try await fixture.tracking.housekeeping.run()
            let left = try await fixture.database.read { tx in
                try ParkingHistoryStore.parkings(of: item, since: Instant(millisecondsSince1970: 0), in: tx)
            }
            #expect(left.map(\.endedAt) == [nil])
        }
    }

    @Test("Housekeeping ends a parking that a node with an older version ended", arguments: Engine.allCases)
    func olderVersion(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            var items: [ID<Item>] = []
            for name in ["Bike", "Car"] {
                let (item, secret) = try await fixture.tracked(name, of: ada)
                try await fixture.item(secret, metres: 0, at: fixture.now)
                try await fixture.tracking.parking.park(item, by: Change(actor: ada))
                items.append(item)
            }
            let bike = items[0]
            try await fixture.database.write { tx in try HealthStore.park(bike, nil, in: tx) }
            fixture.clock.advance(seconds: 60)
            try await fixture.tracking.housekeeping.run()
            let ends = try await fixture.database.read { [items] tx in
                try items.map {
                    try ParkingHistoryStore.parkings(of: $0, since: Instant(millisecondsSince1970: 0), in: tx)[0]
                        .endedAt
                }
            }
            #expect(ends == [fixture.now, nil])
        }
    }
}
