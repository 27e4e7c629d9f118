import Accounts
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Rules about places: late positions and deadlines")
struct GeofenceTimeTests {
    private typealias Fixture = GeofenceTests.Fixture

    private func fix(_ metres: Double, at: Instant) throws -> TrackerFix {
        try TrackerFix(
            at: at, latitude: metres / TrackingFixture.metresPerDegree, longitude: TrackingFixture.meridian,
            accuracyMetres: 5)
    }

    /// Returns another item of the same person with a tracker.
    private func tracker(_ fixture: Fixture) async throws -> (item: ID<Item>, tracker: FakeTracker) {
        let item = try await fixture.fixture.item("Bag", of: fixture.ada).item.id
        let tracker = try await FakeTracker(fixture.fixture)
        try await tracker.activate(for: item, of: fixture.ada)
        return (item, tracker)
    }

    @Test(
        "A tracker that reports twice a day reports its arrival, and not one of yesterday", arguments: Engine.allCases)
    func slowTracker(engine: Engine) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            try await fixture.move(500, 500)
            _ = try await fixture.add(.arrive)
            _ = try await fixture.add(.leave)
            for metres in [20.0, 20] {
                base.clock.advance(seconds: 13 * 3_600)
                try await base.item(fixture.secret, metres: metres, at: base.now, ["accuracy": "5"])
            }
            #expect(try await fixture.told() == ["itemArrived"])
            base.clock.advance(seconds: 24 * 3_600)
            for hoursAgo in [14, 13] as [Int64] {
                let at = base.now.adding(seconds: -hoursAgo * 3_600)
                try await base.item(fixture.secret, metres: 500, at: at, ["accuracy": "5"])
            }
            #expect(try await fixture.told() == ["itemArrived"])
        }
    }

    @Test(
        "Positions from before the last one don't count for a new rule, or for another place",
        arguments: Engine.allCases, [false, true])
    func newRule(engine: Engine, isChanged: Bool) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            let (bag, tracker) = try await tracker(fixture)
            let last = base.now
            _ = try await tracker.call(phase: .active, fixes: [fix(500, at: last)])
            let geofences = base.tracking.geofences
            let input = GeofenceInput(place: fixture.place.id, kind: .arrive)
            if isChanged {
                let far = try await base.tracking.safePlaces.create(
                    SafePlaceInput(name: "Far", latitude: 50, longitude: 6, radiusMetres: 100),
                    by: Change(actor: fixture.ada))
                let rule = try await geofences.create(
                    GeofenceInput(place: far.id, kind: .arrive), of: bag, by: Change(actor: fixture.ada))
                _ = try await geofences.update(rule.id, of: bag, input, by: Change(actor: fixture.ada))
            } else {
                _ = try await geofences.create(input, of: bag, by: Change(actor: fixture.ada))
            }
            base.clock.advance(seconds: 600)
            _ = try await tracker.call(
                phase: .active,
                fixes: [
                    fix(20, at: last.adding(seconds: -300)), fix(20, at: last.adding(seconds: -200)),
                    fix(500, at: last.adding(seconds: 60)),
                ])
            #expect(try await fixture.told() == [])
            base.clock.advance(seconds: 600)
            _ = try await tracker.call(
                phase: .active,
                fixes: [fix(20, at: base.now.adding(seconds: -60)), fix(20, at: base.now)])
            #expect(try await fixture.told() == ["itemArrived"])
        }
    }

    @Test("A position in the place postpones a missed arrival by some minutes", arguments: Engine.allCases)
    func pendingArrival(engine: Engine) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            func set(_ time: String) throws { base.clock.set(try #require(Instant(rfc3339: "2026-03-\(time):00Z"))) }
            func told(at time: String) async throws -> Int {
                try set(time)
                for _ in 1...2 { try await base.tracking.housekeeping.run() }
                return try await fixture.told().count
            }
            try set("02T06:00")
            try await fixture.move(500, 500)
            _ = try await fixture.add(.absent, by: "08:00")
            // On Monday one position, which nothing confirms.
            try set("02T07:57")
            try await fixture.move(20)
            #expect(try await told(at: "02T08:00") == 0)
            #expect(try await told(at: "02T08:12") == 0)
            #expect(try await told(at: "02T08:13") == 1)
            #expect(try await told(at: "02T08:30") == 1)
            try await fixture.move(500)
            // On Tuesday an old one.
            try set("03T07:00")
            try await fixture.move(20)
            #expect(try await told(at: "03T08:00") == 2)
            try await fixture.move(500)
            // On Wednesday it is confirmed after the time.
            try set("04T07:57")
            try await fixture.move(20)
            #expect(try await told(at: "04T08:00") == 2)
            try set("04T08:01")
            try await fixture.move(20)
            #expect(try await told(at: "04T08:30") == 2)
            #expect(try await fixture.told() == ["itemNotArrived", "itemNotArrived"])
            let alerts = try await base.alerts(about: fixture.item, of: fixture.ada)
            #expect(alerts.last?.evidence.since?.rfc3339 == "2026-03-02T08:00:00.000Z")
            #expect(alerts.last?.evidence.start == "00:00")
            let input = GeofenceInput(place: fixture.place.id, kind: .absent, by: "08:00")
            let replay = try await base.tracking.replays.replay(input, of: fixture.item, for: fixture.ada)
            #expect(
                replay.alerts.map(\.at.rfc3339) == ["2026-03-02T08:00:00.000Z", "2026-03-03T08:00:00.000Z"])
        }
    }

    @Test("No arrival is missed by an item that is switched off or has no tracker", arguments: Engine.allCases)
    func switchedOff(engine: Engine) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            base.clock.set(try #require(Instant(rfc3339: "2026-03-02T06:00:00Z")))
            let (bag, tracker) = try await tracker(fixture)
            let bare = try await base.item("Without a tracker", of: fixture.ada).item.id
            for item in [bag, bare] {
                let input = GeofenceInput(place: fixture.place.id, kind: .absent, by: "08:00")
                _ = try await base.tracking.geofences.create(input, of: item, by: Change(actor: fixture.ada))
            }
            base.clock.set(try #require(Instant(rfc3339: "2026-03-02T08:00:00Z")))
            try await base.tracking.housekeeping.run()
            #expect(try await base.notices().map(\.resource) == ["/tracking/items/\(bag)"])
            _ = try await base.tracking.commands.create(bag, kind: .off, by: Change(actor: fixture.ada))
            let command = try #require(try await tracker.call(phase: .active).commands.first)
            _ = try await tracker.call(
                phase: .off, acknowledging: [Acknowledgement(id: command.id, result: .applied)])
            base.clock.set(try #require(Instant(rfc3339: "2026-03-03T08:00:00Z")))
            try await base.tracking.housekeeping.run()
            #expect(try await fixture.told().filter { $0 == "itemNotArrived" }.count == 1)
        }
    }
}
