import Accounts
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Alerts about the health of items")
struct HealthTests {
    private func kinds(_ fixture: TrackingFixture) async throws -> [String] {
        try await fixture.notices().map(\.kind)
    }

    // MARK: Battery

    @Test("T-6-4-1: A low battery causes one notification per discharge", arguments: Engine.allCases)
    func battery(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            var counts: [Int] = []
            for percent in [60, 21, 20, 19, 25, 18, 34, 5, 35, 21, 20, 90] {
                fixture.clock.advance(seconds: 60)
                try await fixture.osmand(secret, 1, 2, at: fixture.now, ["batt": "\(percent)"])
                counts.append(try await fixture.noticeCount())
            }
            #expect(counts == [0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2])
            let notice = try #require(try await fixture.notices().first)
            #expect(notice.kind == "batteryLow" && notice.resource == "/tracking/items/\(item)")
            #expect(notice.details["percent"] == "20")
        }
    }

    @Test("A late fix with a low battery causes no notification", arguments: Engine.allCases)
    func lateBattery(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (_, secret) = try await fixture.tracked(of: ada)
            let before = fixture.now
            fixture.clock.advance(seconds: 600)
            try await fixture.osmand(secret, 1, 2, at: fixture.now, ["batt": "80"])
            try await fixture.osmand(secret, 1, 2, at: before, ["batt": "10"])
            #expect(try await fixture.noticeCount() == 0)
        }
    }

    @Test("A tracker's message without a position reports a low battery, too", arguments: Engine.allCases)
    func trackerBattery(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            for percent in [50, 15, 14] {
                fixture.clock.advance(seconds: 60)
                _ = try await tracker.call(phase: .active, battery: percent)
            }
            #expect(try await kinds(fixture) == ["batteryLow"])
        }
    }

    @Test("A tracker's late message with a low battery causes no notification", arguments: Engine.allCases)
    func lateTrackerBattery(engine: Engine) async throws {
        try await withTracker(engine) { fixture, _, _, tracker in
            let before = fixture.now
            fixture.clock.advance(seconds: 600)
            _ = try await tracker.call(phase: .active, battery: 80, fixes: [tracker.fix(1, 2)])
            _ = try await tracker.call(phase: .active, battery: 10, fixes: [tracker.fix(1, 2, at: before)])
            #expect(try await fixture.noticeCount() == 0)
            fixture.clock.advance(seconds: 60)
            _ = try await tracker.call(phase: .active, battery: 10, fixes: [tracker.fix(1, 2)])
            #expect(try await kinds(fixture) == ["batteryLow"])
        }
    }

    // MARK: Silence

    private func setHours(_ hours: Int?, of item: ID<Item>, by actor: Actor, _ fixture: TrackingFixture) async throws {
        let change: FieldChange<Int> = hours.map { .set($0) } ?? .clear
        _ = try await fixture.tracking.items.update(
            item, ItemPatch(settings: .set(SettingsPatch(silentHours: change))), ifVersion: nil,
            by: Change(actor: actor))
    }

    @Test("T-6-4-2: A silence longer than the item's hours causes one notification", arguments: Engine.allCases)
    func silence(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let (_, other) = try await fixture.tracked("Without the setting", of: ada)
            try await setHours(3, of: item, by: ada, fixture)
            try await fixture.osmand(secret, 1, 2)
            try await fixture.osmand(other, 1, 2)
            let seenAt = fixture.now
            fixture.clock.advance(seconds: 3 * 3_600)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.noticeCount() == 0)
            fixture.clock.advance(milliseconds: 1)
            for _ in 1...3 { try await fixture.tracking.housekeeping.run() }
            let notices = try await fixture.notices()
            #expect(notices.map(\.kind) == ["itemSilent"])
            #expect(notices.first?.details["silentHours"] == "3")
            #expect(notices.first?.details["lastSeenAt"] == seenAt.rfc3339)
            #expect(notices.first?.details["place"] == "1,2")
            #expect(notices.first?.details["placeName"] == nil)

            try await fixture.osmand(secret, 1, 3)
            fixture.clock.advance(seconds: 3 * 3_600 + 1)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.noticeCount() == 2)
            try await setHours(nil, of: item, by: ada, fixture)
            try await fixture.osmand(secret, 1, 4)
            fixture.clock.advance(seconds: 1_000 * 3_600)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.noticeCount() == 2)
        }
    }

    @Test("T-6-4-2: The hours of silence are whole numbers from 1 to 168, or none")
    func hours() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            for wrong in [0, 169, -1] {
                let error = await #expect(throws: AppError.self) {
                    try await setHours(wrong, of: item, by: ada, fixture)
                }
                #expect(error?.fields.keys.sorted() == ["settings.silentHours"])
            }
            for hours in [1, 168] {
                try await setHours(hours, of: item, by: ada, fixture)
                #expect(try await fixture.tracking.items.item(item, for: ada).item.settings.silentHours == hours)
            }
        }
    }

    // MARK: Parking

    @Test(
        "T-6-4-3: A parked item that moves causes one notification and is no longer parked",
        arguments: Engine.allCases)
    func moved(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let garage = SafePlaceInput(
                name: "Garage", latitude: 300 / TrackingFixture.metresPerDegree, longitude: TrackingFixture.meridian,
                radiusMetres: 50)
            _ = try await fixture.tracking.safePlaces.create(garage, by: Change(actor: ada))
            try await fixture.item(secret, metres: 0, ["accuracy": "5"])
            try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            let since = fixture.now
            #expect(try await fixture.tracking.items.item(item, for: ada).parkedSince == since)
            for metres in [12.0, 44, 30, 200, 3, 46, 300] {
                fixture.clock.advance(seconds: 60)
                try await fixture.item(secret, metres: metres, at: fixture.now, ["accuracy": "5"])
                #expect(try await kinds(fixture) == (metres == 300 ? ["itemMoved"] : []), "\(metres)")
            }
            #expect(try await fixture.tracking.parking.parkedSince(item, for: ada) == nil)
            #expect(try await fixture.notices().first?.details["distanceMetres"] == "300")
            #expect(try await fixture.notices().first?.details["placeName"] == "Garage", "in the person's words")
            for metres in [900.0, 1_000] {
                fixture.clock.advance(seconds: 60)
                try await fixture.item(secret, metres: metres, at: fixture.now, ["accuracy": "5"])
            }
            #expect(try await fixture.noticeCount() == 1)
            let alert = try #require(try await fixture.alerts(about: item, of: ada).first)
            #expect(alert.kind == .moved)
            #expect(alert.evidence.positions.map(\.role) == [.parked, .item])
            #expect(alert.evidence.positions.map(\.accuracyMetres) == [5, 5])
            #expect(alert.evidence.since == since)
        }
    }

    @Test("T-6-4-3: An inaccurate, a late and a repeated position don't move a parked item", arguments: Engine.allCases)
    func notMoved(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let before = fixture.now
            fixture.clock.advance(seconds: 600)
            try await fixture.item(secret, metres: 0, at: fixture.now, ["accuracy": "5"])
            try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            for second in 1...5 {
                try await fixture.item(secret, metres: 500, at: before.adding(seconds: Int64(second * 30)))
            }
            for _ in 1...3 {
                fixture.clock.advance(seconds: 60)
                try await fixture.item(secret, metres: 500, at: fixture.now, ["accuracy": "300"])
            }
            fixture.clock.advance(seconds: 60)
            for _ in 1...3 { try await fixture.item(secret, metres: 500, at: fixture.now, ["accuracy": "5"]) }
            #expect(try await fixture.noticeCount() == 0)
            fixture.clock.advance(seconds: 60)
            try await fixture.item(secret, metres: 500, at: fixture.now, ["accuracy": "5"])
            #expect(try await kinds(fixture) == ["itemMoved"])
        }
    }

    @Test("A position from before the parking doesn't move a parked item", arguments: Engine.allCases)
    func beforeParking(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.item(secret, metres: 0, at: fixture.now, ["accuracy": "5"])
            fixture.clock.advance(seconds: 120)
            let since = fixture.now
            try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            fixture.clock.advance(seconds: 60)
            for seconds in [-90, -60, -30, 0] as [Int64] {
                try await fixture.item(secret, metres: 500, at: since.adding(seconds: seconds), ["accuracy": "5"])
            }
            #expect(try await fixture.noticeCount() == 0)
            try await fixture.item(secret, metres: 500, at: since.adding(seconds: 15), ["accuracy": "5"])
            #expect(try await fixture.noticeCount() == 0)
            try await fixture.item(secret, metres: 500, at: since.adding(seconds: 30), ["accuracy": "5"])
            #expect(try await kinds(fixture) == ["itemMoved"])
        }
    }

    @Test("An item with an old position is parked at its next one", arguments: Engine.allCases)
    func parkedLater(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.item(secret, metres: 0, at: fixture.now, ["accuracy": "5"])
            fixture.clock.advance(milliseconds: 120_001)
            let since = fixture.now
            try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            #expect(try await fixture.tracking.items.item(item, for: ada).parkedSince == since)
            fixture.clock.advance(seconds: 60)
            try await fixture.item(secret, metres: 100, at: since.adding(seconds: -1), ["accuracy": "5"])
            for second in [15, 30, 45] as [Int64] {
                try await fixture.item(secret, metres: 500, at: since.adding(seconds: second), ["accuracy": "5"])
            }
            #expect(try await fixture.noticeCount() == 0)
            fixture.clock.advance(seconds: 60)
            for second in [75, 90] as [Int64] {
                try await fixture.item(secret, metres: 900, at: since.adding(seconds: second), ["accuracy": "5"])
            }
            #expect(try await fixture.notices().first?.details["distanceMetres"] == "400")
            #expect(try await kinds(fixture) == ["itemMoved"])
        }
    }

    @Test("A tracker's message with several positions is evaluated in their order", arguments: Engine.allCases)
    func movedInOneMessage(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            func fix(_ latitude: Double, secondsAgo: Int64) throws -> TrackerFix {
                try TrackerFix(
                    at: fixture.now.adding(seconds: -secondsAgo), latitude: latitude,
                    longitude: TrackingFixture.meridian, accuracyMetres: 5)
            }
            _ = try await tracker.call(phase: .active, fixes: [fix(0, secondsAgo: 0)])
            try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            fixture.clock.advance(seconds: 600)
            _ = try await tracker.call(
                phase: .active, fixes: [fix(0, secondsAgo: 1), fix(0.01, secondsAgo: 300), fix(0.01, secondsAgo: 200)])
            #expect(try await kinds(fixture) == ["itemMoved"])
        }
    }

    @Test(
        "T-6-4-3: An item without a position can't be parked, and only its owner can park it",
        arguments: Engine.allCases)
    func parkingIsChecked(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let (item, secret) = try await fixture.tracked(of: ada)
            let error = await #expect(throws: AppError.self) {
                try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            }
            #expect(error?.code == .conflict)
            try await fixture.osmand(secret, 1, 2)
            for attempt in [fixture.tracking.parking.park, fixture.tracking.parking.end] {
                let error = await #expect(throws: AppError.self) { try await attempt(item, Change(actor: eve)) }
                #expect(error?.code == .notFound)
            }
            try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            try await fixture.tracking.parking.end(item, by: Change(actor: ada))
            #expect(try await fixture.tracking.parking.parkedSince(item, for: ada) == nil)
        }
    }

    @Test(
        "Deleting the item deletes its alerts, and housekeeping deletes them after 90 days", arguments: Engine.allCases)
    func deleted(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let (_, other) = try await fixture.tracked("Bag", of: ada)
            try await fixture.osmand(secret, 1, 2, ["batt": "5"])
            try await fixture.osmand(other, 1, 2, ["batt": "5"])
            #expect(try await fixture.count("item_alert") == 2)
            try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: ada))
            #expect(try await fixture.count("item_alert") == 1)
            fixture.clock.advance(seconds: Limits.itemAlertSeconds)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.count("item_alert") == 1)
            fixture.clock.advance(milliseconds: 1)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.count("item_alert") == 0)
        }
    }
}
