import Accounts
import Kernel
import Recurrence
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Rules of items about places")
struct GeofenceTests {
    /// An item that reports from a point north of the middle of a place.
    struct Fixture {
        let fixture: TrackingFixture
        let ada: Actor
        let item: ID<Item>
        let secret: String
        let place: SafePlace

        init(_ fixture: TrackingFixture) async throws {
            self.fixture = fixture
            ada = try await fixture.person()
            (item, secret) = try await fixture.tracked(of: ada)
            place = try await fixture.tracking.safePlaces.create(
                SafePlaceInput(name: "Home", latitude: 0, longitude: TrackingFixture.meridian, radiusMetres: 100),
                by: Change(actor: ada))
        }

        func add(
            _ kind: GeofenceKind, dwell: Int = 0, days: [String]? = nil, from: String? = nil, until: String? = nil,
            by: String? = nil, zone: String = "UTC"
        ) async throws -> Geofence {
            let input = GeofenceInput(
                place: place.id, kind: kind, dwellMinutes: dwell, days: days, from: from, until: until, by: by,
                timeZone: zone)
            return try await fixture.tracking.geofences.create(input, of: item, by: Change(actor: ada))
        }

        /// Reports positions, one in each minute.
        func move(_ metres: Double...) async throws {
            for metre in metres {
                fixture.clock.advance(seconds: 60)
                try await fixture.item(secret, metres: metre, at: fixture.now, ["accuracy": "5"])
            }
        }

        func told() async throws -> [String] { try await fixture.notices().map(\.kind) }
    }

    /// A household in Lisbon.
    private struct Lisbon: HouseholdPeopleReader {
        func adults(with person: PersonID, in tx: Transaction) throws -> [HouseholdPerson] { [] }

        func timeZone(of person: PersonID, in tx: Transaction) throws -> String? { "Europe/Lisbon" }
    }

    @Test("A rule without a time zone gets the household's, and a form without one is refused")
    func timeZone() async throws {
        try await withFixture(.sqlite) { base in
            let fixture = try await Fixture(base)
            let service = GeofenceService(
                database: base.database, households: Lisbon(), clock: base.clock, random: base.random)
            func input(_ zone: String?) -> GeofenceInput {
                GeofenceInput(place: fixture.place.id, kind: .arrive, timeZone: zone)
            }
            let change = Change(actor: fixture.ada)
            let rule = try await service.create(input(nil), of: fixture.item, by: change)
            #expect(rule.settings.timeZone.identifier == "Europe/Lisbon")
            #expect(try await service.list(of: fixture.item, for: fixture.ada).timeZone == "Europe/Lisbon")
            let without = try await base.tracking.geofences.create(input(nil), of: fixture.item, by: change)
            #expect(without.settings.timeZone.identifier == "UTC")
            let error = await #expect(throws: AppError.self) {
                _ = try await service.create(input(""), of: fixture.item, by: change)
            }
            #expect(error?.fields.keys.sorted() == ["timeZone"])
        }
    }

    @Test("Arriving and leaving is reported once for each crossing", arguments: Engine.allCases)
    func crossings(engine: Engine) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            try await fixture.move(500)
            _ = try await fixture.add(.arrive)
            _ = try await fixture.add(.leave)
            try await fixture.move(500, 20)
            #expect(try await fixture.told() == [])
            try await fixture.move(25)
            #expect(try await fixture.told() == ["itemArrived"])
            try await fixture.move(20, 98, 105, 112, 20, 400, 10)
            #expect(try await fixture.told() == ["itemArrived"], "at the border, and one wrong position")
            try await fixture.move(300, 300, 900)
            #expect(try await fixture.told() == ["itemArrived", "itemLeft"])
            try await fixture.move(10, 10, 10)
            #expect(try await fixture.told() == ["itemArrived", "itemLeft", "itemArrived"])
            let notice = try #require(try await base.notices().first)
            #expect(notice.resource == "/tracking/items/\(fixture.item)" && notice.details["rulePlace"] == "Home")
        }
    }

    @Test("Repeated, late and shuffled positions report no crossing twice", arguments: Engine.allCases)
    func replays(engine: Engine) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            try await fixture.move(500, 500)
            _ = try await fixture.add(.arrive)
            _ = try await fixture.add(.leave)
            let start = base.now
            for (minute, metres) in [(1, 20.0), (2, 20), (5, 20), (3, 500), (4, 500), (1, 20), (5, 20), (2, 20)] {
                base.clock.advance(seconds: 1)
                let at = start.adding(seconds: Int64(minute * 60))
                base.clock.set(max(base.now, at))
                try await base.item(fixture.secret, metres: metres, at: at, ["accuracy": "5"])
            }
            #expect(try await fixture.told() == ["itemArrived"])
        }
    }

    @Test("A tracker's message with several positions reports the crossings in it", arguments: Engine.allCases)
    func oneMessage(engine: Engine) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            let bag = try await base.item("Bag", of: fixture.ada).item.id
            let tracker = try await FakeTracker(base)
            try await tracker.activate(for: bag, of: fixture.ada)
            func fix(_ metres: Double, secondsAgo: Int64) throws -> TrackerFix {
                try TrackerFix(
                    at: base.now.adding(seconds: -secondsAgo), latitude: metres / TrackingFixture.metresPerDegree,
                    longitude: TrackingFixture.meridian, accuracyMetres: 5)
            }
            _ = try await tracker.call(phase: .active, fixes: [fix(500, secondsAgo: 60), fix(500, secondsAgo: 0)])
            for kind in [GeofenceKind.arrive, .leave] {
                let input = GeofenceInput(place: fixture.place.id, kind: kind)
                _ = try await base.tracking.geofences.create(input, of: bag, by: Change(actor: fixture.ada))
            }
            base.clock.advance(seconds: 3_600)
            let fixes = [
                try fix(500, secondsAgo: 600), try fix(20, secondsAgo: 2_900), try fix(20, secondsAgo: 2_800),
                try fix(500, secondsAgo: 700),
            ]
            _ = try await tracker.call(phase: .active, fixes: fixes)
            #expect(try await fixture.told() == ["itemArrived", "itemLeft"])
        }
    }

    @Test("A dwell postpones the notification, and a shorter stay causes none", arguments: Engine.allCases)
    func dwell(engine: Engine) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            try await fixture.move(500, 500)
            _ = try await fixture.add(.arrive, dwell: 5)
            try await fixture.move(20, 20, 20, 20, 20)
            #expect(try await fixture.told() == [])
            try await fixture.move(500, 500, 20, 20, 20, 20, 20)
            #expect(try await fixture.told() == [])
            try await fixture.move(20)
            #expect(try await fixture.told() == ["itemArrived"])
        }
    }

    @Test("An item in the place when the rule is made hasn't arrived by that", arguments: Engine.allCases)
    func insideAtFirst(engine: Engine) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            try await fixture.move(20)
            _ = try await fixture.add(.arrive)
            try await fixture.move(20, 20, 20)
            #expect(try await fixture.told() == [])
            // A changed area forgets the side.
            _ = try await base.tracking.safePlaces.update(
                fixture.place.id, SafePlacePatch(radiusMetres: .set(200)), by: Change(actor: fixture.ada))
            try await fixture.move(20, 20, 20)
            #expect(try await fixture.told() == [])
        }
    }

    @Test("A rule reports only on its days and in its hours, in its time zone", arguments: Engine.allCases)
    func hours(engine: Engine) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            // Monday, 2026-03-02, 07:30 in Berlin.
            base.clock.set(try #require(Instant(rfc3339: "2026-03-02T06:30:00Z")))
            try await fixture.move(500, 500)
            _ = try await fixture.add(.arrive, days: ["MO"], from: "08:00", until: "09:00", zone: "Europe/Berlin")
            try await fixture.move(20, 20, 500, 500)
            #expect(try await fixture.told() == [])
            base.clock.set(try #require(Instant(rfc3339: "2026-03-02T07:10:00Z")))
            try await fixture.move(20, 20, 500, 500)
            #expect(try await fixture.told() == ["itemArrived"])
            base.clock.set(try #require(Instant(rfc3339: "2026-03-03T07:10:00Z")))
            try await fixture.move(20, 20)
            #expect(try await fixture.told() == ["itemArrived"], "on Tuesday")
        }
    }

    @Test("T-6-3-2: A missing arrival is reported once for each chosen day", arguments: Engine.allCases)
    func absent(engine: Engine) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            base.clock.set(try #require(Instant(rfc3339: "2026-03-02T06:00:00Z")))
            try await fixture.move(500, 500)
            _ = try await fixture.add(.absent, days: ["MO", "TU", "WE"], by: "08:00")
            base.clock.set(try #require(Instant(rfc3339: "2026-03-02T07:59:00Z")))
            try await base.tracking.housekeeping.run()
            #expect(try await fixture.told() == [])
            try await fixture.move(500)
            for _ in 1...3 { try await base.tracking.housekeeping.run() }
            #expect(try await fixture.told() == ["itemNotArrived"])
            #expect(try await base.notices().first?.details["by"] == "08:00")
            // On Tuesday it comes and leaves again before the time.
            base.clock.set(try #require(Instant(rfc3339: "2026-03-03T07:00:00Z")))
            try await fixture.move(20, 20, 500, 500)
            base.clock.set(try #require(Instant(rfc3339: "2026-03-03T08:00:00Z")))
            try await base.tracking.housekeeping.run()
            #expect(try await fixture.told() == ["itemNotArrived"])
            // On Wednesday it is there since the night.
            base.clock.set(try #require(Instant(rfc3339: "2026-03-03T22:00:00Z")))
            try await fixture.move(20, 20)
            base.clock.set(try #require(Instant(rfc3339: "2026-03-04T08:00:00Z")))
            try await base.tracking.housekeeping.run()
            #expect(try await fixture.told() == ["itemNotArrived"])
            // Thursday isn't chosen. Next Monday it is away, but the server starts a day later.
            try await fixture.move(500, 500)
            base.clock.set(try #require(Instant(rfc3339: "2026-03-05T08:00:00Z")))
            try await base.tracking.housekeeping.run()
            base.clock.set(try #require(Instant(rfc3339: "2026-03-09T21:00:00Z")))
            try await base.tracking.housekeeping.run()
            #expect(try await fixture.told() == ["itemNotArrived"])
            base.clock.set(try #require(Instant(rfc3339: "2026-03-10T08:01:00Z")))
            try await base.tracking.housekeeping.run()
            #expect(try await fixture.told() == ["itemNotArrived", "itemNotArrived"])
        }
    }

    @Test("A polygon counts by its outline, not by its circle", arguments: Engine.allCases)
    func polygon(engine: Engine) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            let metre = 1 / TrackingFixture.metresPerDegree
            // The south half of a square of 400 m.
            let corners = [(-200.0, -200.0), (-200, 200), (0, 200), (0, -200)]
                .map { "\($0.0 * metre), \(TrackingFixture.meridian + $0.1 * metre)" }
            let place = try await base.tracking.safePlaces.update(
                fixture.place.id, SafePlacePatch(outline: .set(corners)), by: Change(actor: fixture.ada))
            #expect(place.outline.count == 4 && place.radiusMetres > 200)
            try await fixture.move(100, 100)
            _ = try await fixture.add(.arrive)
            try await fixture.move(60, 60)
            #expect(try await fixture.told() == [], "in the circle, north of the outline")
            try await fixture.move(-100, -100)
            #expect(try await fixture.told() == ["itemArrived"])
            let evidence = try #require(try await base.alerts(about: fixture.item, of: fixture.ada).first).evidence
            #expect(evidence.area?.outline.count == 4)
            let alone = try await base.tracking.safePlaces.update(
                fixture.place.id, SafePlacePatch(outline: .clear), by: Change(actor: fixture.ada))
            #expect(alone.outline.isEmpty)
        }
    }

    @Test("Invalid rules get an error at each field, and other accounts' items and places aren't found")
    func checked() async throws {
        try await withFixture(.sqlite) { base in
            let fixture = try await Fixture(base)
            let service = base.tracking.geofences
            let eve = try await base.person("Eve")
            let wrong = GeofenceInput(
                place: nil, kind: nil, dwellMinutes: 241, days: [], from: "8", until: nil, by: "x", timeZone: "Moon")
            let error = await #expect(throws: AppError.self) {
                _ = try await service.create(wrong, of: fixture.item, by: Change(actor: fixture.ada))
            }
            #expect(
                error?.fields.keys.sorted() == ["by", "days", "dwellMinutes", "from", "kind", "placeId", "timeZone"])
            let rule = try await fixture.add(.arrive)
            let input = GeofenceInput(place: fixture.place.id, kind: .leave)
            for attempt in [
                { _ = try await service.list(of: fixture.item, for: eve) },
                { _ = try await service.create(input, of: fixture.item, by: Change(actor: eve)) },
                { _ = try await service.update(rule.id, of: fixture.item, input, by: Change(actor: eve)) },
                { try await service.delete(rule.id, of: fixture.item, by: Change(actor: eve)) },
            ] as [() async throws -> Void] {
                let error = await #expect(throws: AppError.self) { try await attempt() }
                #expect(error?.code == .notFound)
            }
            let hers = try await base.item("Hers", of: eve).item.id
            let foreign = await #expect(throws: AppError.self) {
                _ = try await service.create(input, of: hers, by: Change(actor: eve))
            }
            #expect(foreign?.fields.keys.sorted() == ["placeId"])
            for _ in 2...Limits.geofencesPerItem { _ = try await fixture.add(.leave) }
            let full = await #expect(throws: AppError.self) { _ = try await fixture.add(.leave) }
            #expect(full?.code == .conflict)
        }
    }

    @Test("The rules are deleted with their place, their item and their account", arguments: Engine.allCases)
    func deletion(engine: Engine) async throws {
        try await withFixture(engine) { base in
            let fixture = try await Fixture(base)
            _ = try await fixture.add(.arrive)
            try await base.tracking.safePlaces.delete(fixture.place.id, by: Change(actor: fixture.ada))
            #expect(try await base.count("geofence") == 0)
            #expect(try await base.count("whereabouts WHERE has_geofences = 1") == 0)
            let other = try await Fixture(base)
            _ = try await other.add(.arrive)
            #expect(try await base.count("whereabouts WHERE has_geofences = 1") == 1)
            try await base.tracking.itemDeletions.delete(other.item, by: Change(actor: other.ada))
            #expect(try await base.count("geofence") == 0)
            let third = try await Fixture(base)
            _ = try await third.add(.absent, by: "08:00")
            let handler = base.tracking.dataHandler
            try await base.database.write { tx in try handler.erase(third.ada.person, in: tx) }
            #expect(try await base.count("geofence") == 0)
        }
    }
}
