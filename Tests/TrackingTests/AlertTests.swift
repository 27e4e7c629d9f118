import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Separation alerts")
struct AlertTests {
    @Test("A fix far from the phone causes an alert with name, place, time and distance", arguments: Engine.allCases)
    func told(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked("Bike", of: ada)
            try await fixture.phone(of: ada, metres: 0)
            let seenAt = fixture.now.adding(seconds: -5)
            try await fixture.osmand(secret, 0.001, 0.5, at: seenAt)
            let notice = PostedNotification(
                person: ada.person, kind: "itemTooFar", resource: "/tracking/items/\(item)", subject: "Bike",
                details: [
                    "distanceMetres": "55598", "place": "0.001,0.5", "lastSeenAt": seenAt.rfc3339, "device": "Test",
                ],
                at: fixture.now
            )
            let alert = try #require(try await fixture.alerts(about: item, of: ada).first)
            #expect(try await fixture.notices() == [notice.explained(by: alert.id)])
            #expect(alert.evidence.positions.map(\.role) == [.item, .phone])
            #expect(alert.evidence.positions.map(\.device) == [nil, "Test"])
            #expect(alert.evidence.limitMetres == 10 && alert.evidence.mode == "everyTime")
            #expect(try await fixture.tracking.items.item(item, for: ada).tooFarSince == fixture.now)
        }
    }

    @Test("A phone that moves away from the item causes an alert", arguments: Engine.allCases)
    func phoneLeaves(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (_, secret) = try await fixture.tracked(of: ada)
            try await fixture.item(secret, metres: 0)
            try await fixture.phone(of: ada, metres: 9)
            #expect(try await fixture.noticeCount() == 0)
            fixture.clock.advance(seconds: 60)
            try await fixture.phone(of: ada, metres: 12)
            #expect(try await fixture.notices().map(\.details["distanceMetres"]) == ["12"])
        }
    }

    @Test("Each separation causes one alert, and a return allows the next", arguments: Engine.allCases)
    func once(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.item(secret, metres: 0)
            var told: [Int] = []
            for metres in [0.0, 20, 30, 400, 11, 3, 50, 60] {
                fixture.clock.advance(seconds: 10)
                try await fixture.phone(of: ada, metres: metres)
                fixture.clock.advance(seconds: 10)
                try await fixture.item(secret, metres: 0)
                told.append(try await fixture.noticeCount())
            }
            #expect(told == [0, 1, 1, 1, 1, 1, 2, 2])
            #expect(try await fixture.tracking.items.item(item, for: ada).tooFarSince != nil)
            try await fixture.phone(of: ada, metres: 2, at: fixture.now.adding(seconds: 1))
            #expect(try await fixture.tracking.items.item(item, for: ada).tooFarSince == nil)
        }
    }

    @Test("Each item has its own distance; other accounts' phones and items don't count", arguments: Engine.allCases)
    func ownDistance(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let ben = try await fixture.person("Ben")
            let (bike, bikeSecret) = try await fixture.tracked("Bike", of: ada)
            let (_, bagSecret) = try await fixture.tracked("Bag", of: ada)
            let patch = ItemPatch(settings: .set(SettingsPatch(alertMetres: .set(100))))
            _ = try await fixture.tracking.items.update(bike, patch, ifVersion: nil, by: Change(actor: ada))
            try await fixture.item(bikeSecret, metres: 50)
            try await fixture.item(bagSecret, metres: 50)
            try await fixture.phone(of: ben, metres: 50_000)
            #expect(try await fixture.noticeCount() == 0)
            try await fixture.phone(of: ada, metres: 0)
            #expect(try await fixture.notices().map(\.subject) == ["Bag"])
        }
    }

    @Test("The nearest phone with a position younger than half an hour counts", arguments: Engine.allCases)
    func nearest(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let tablet = try await fixture.otherDevice(of: ada)
            let (_, secret) = try await fixture.tracked(of: ada)
            try await fixture.item(secret, metres: 0)
            try await fixture.phone(of: tablet, metres: 4)
            try await fixture.phone(of: ada, metres: 500)
            #expect(try await fixture.noticeCount() == 0)
            fixture.clock.advance(seconds: Limits.alertPositionSeconds - 1)
            try await fixture.phone(of: ada, metres: 600)
            try await fixture.item(secret, metres: 1)
            #expect(try await fixture.noticeCount() == 0)
            fixture.clock.advance(seconds: 1)
            try await fixture.item(secret, metres: 0)
            #expect(try await fixture.noticeCount() == 1)
        }
    }

    @Test("A position source counts like the phone's browser", arguments: Engine.allCases)
    func appOnPhone(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (_, secret) = try await fixture.tracked(of: ada)
            let phone = try await fixture.app(.osmand, of: ada)
            try await fixture.item(secret, metres: 0)
            try await fixture.item(phone.secret, metres: 5)
            #expect(try await fixture.noticeCount() == 0)
            fixture.clock.advance(seconds: 30)
            try await fixture.item(phone.secret, metres: 25)
            #expect(try await fixture.noticeCount() == 1)
        }
    }

    @Test("A late position causes no alert for the past", arguments: Engine.allCases)
    func late(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let now = fixture.now
            try await fixture.item(secret, metres: 0, at: now)
            try await fixture.phone(of: ada, metres: 0)
            // Older than the last position: it only joins the history.
            try await fixture.item(secret, metres: 900, at: now.adding(seconds: -30))
            try await fixture.phone(of: ada, metres: 900, at: now.adding(seconds: -30))
            #expect(try await fixture.noticeCount() == 0)
            #expect(try await fixture.fixes(of: item, for: ada).count == 2)
            // The newest fix of a tracker's spool, but too old, because the phone has moved since.
            fixture.clock.advance(seconds: 3_600)
            try await fixture.phone(of: ada, metres: 5_000)
            try await fixture.item(secret, metres: 10, at: fixture.now.adding(seconds: -Limits.alertPositionSeconds))
            #expect(try await fixture.noticeCount() == 0)
            try await fixture.item(secret, metres: 10, at: fixture.now.adding(seconds: 1 - Limits.alertPositionSeconds))
            #expect(try await fixture.noticeCount() == 1)
        }
    }

    @Test("The newest fix of a tracker's batch decides", arguments: Engine.allCases)
    func batch(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            try await fixture.phone(of: ada, metres: 0)
            func fix(_ metres: Double, _ seconds: Int64) throws -> TrackerFix {
                try tracker.fix(
                    metres / TrackingFixture.metresPerDegree, TrackingFixture.meridian,
                    at: fixture.now.adding(seconds: seconds))
            }
            let wasFar = [try fix(800, -300), try fix(400, -200), try fix(2, -100)]
            _ = try await tracker.call(phase: .active, fixes: wasFar)
            #expect(try await fixture.noticeCount() == 0)
            _ = try await tracker.call(phase: .active, fixes: [try fix(3, -90), try fix(300, -10)])
            #expect(try await fixture.notices().map(\.details["distanceMetres"]) == ["300"])
        }
    }

    @Test(
        "An item whose tracker is off or was removed causes no alert", arguments: Engine.allCases)
    func switchedOff(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            let here = try tracker.fix(0, TrackingFixture.meridian)
            _ = try await tracker.call(phase: .active, fixes: [here])
            _ = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            try await fixture.phone(of: ada, metres: 900)
            let there = try tracker.fix(0.1, TrackingFixture.meridian, at: fixture.now.adding(seconds: 1))
            _ = try await tracker.call(phase: .active, fixes: [there])
            #expect(try await fixture.noticeCount() == 0)
            let (other, secret) = try await fixture.tracked("Bag", of: ada)
            try await fixture.item(secret, metres: 900)
            try await fixture.tracking.unpairings.unpair(other, by: Change(actor: ada))
            try await fixture.phone(of: ada, metres: 5_000, at: fixture.now.adding(seconds: 1))
            #expect(try await fixture.noticeCount() == 0)
        }
    }

    @Test("An item in a safe place causes no alert, and outside of it one", arguments: Engine.allCases)
    func safePlace(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let ben = try await fixture.person("Ben")
            let (_, secret) = try await fixture.tracked(of: ada)
            let home = SafePlaceInput(name: "Home", latitude: 0, longitude: TrackingFixture.meridian, radiusMetres: 50)
            let place = try await fixture.tracking.safePlaces.create(home, by: Change(actor: ada))
            let far = SafePlaceInput(name: "Far", latitude: 0.01, longitude: TrackingFixture.meridian, radiusMetres: 50)
            _ = try await fixture.tracking.safePlaces.create(far, by: Change(actor: ben))
            try await fixture.phone(of: ada, metres: 3_000)
            try await fixture.item(secret, metres: 40)
            #expect(try await fixture.noticeCount() == 0)
            fixture.clock.advance(seconds: 10)
            try await fixture.item(secret, metres: 1_112)
            #expect(try await fixture.noticeCount() == 1)
            fixture.clock.advance(seconds: 10)
            try await fixture.item(secret, metres: 40)
            fixture.clock.advance(seconds: 10)
            try await fixture.item(secret, metres: 90)
            #expect(try await fixture.noticeCount() == 1)
            // Together again, and then without a safe place.
            try await fixture.phone(of: ada, metres: 90, at: fixture.now.adding(seconds: 1))
            try await fixture.tracking.safePlaces.delete(place.id, by: Change(actor: ada))
            fixture.clock.advance(seconds: 10)
            try await fixture.item(secret, metres: 40)
            #expect(try await fixture.noticeCount() == 2)
        }
    }

    @Test(
        "T-4-1-1: When sure, inaccurate positions cause no alert, several accurate ones do",
        arguments: Engine.allCases)
    func whenSure(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (_, secret) = try await fixture.tracked(of: ada)
            #expect(try await fixture.tracking.alerts.mode(for: ada) == .everyTime)
            try await fixture.tracking.alerts.setMode(.whenSure, by: Change(actor: ada))
            #expect(try await fixture.tracking.alerts.mode(for: ada) == .whenSure)
            for metres in [0.0, 60, 80, 60, 70] {
                fixture.clock.advance(seconds: 60)
                try await fixture.phone(of: ada, metres: metres, accuracyMetres: 20)
                try await fixture.item(secret, metres: 0, ["accuracy": "20"])
            }
            #expect(try await fixture.noticeCount() == 0)
            var told: [Int] = []
            for _ in 0..<4 {
                fixture.clock.advance(seconds: 60)
                try await fixture.phone(of: ada, metres: 300, accuracyMetres: 20)
                try await fixture.item(secret, metres: 0, ["accuracy": "20"])
                told.append(try await fixture.noticeCount())
            }
            #expect(told.last == 1)
            #expect(told.first == 0)
        }
    }

    @Test("Simultaneous reports and positions cause one alert", arguments: Engine.allCases)
    func atOnce(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let phones = [ada, try await fixture.otherDevice(of: ada), try await fixture.otherDevice(of: ada)]
            let (_, secret) = try await fixture.tracked(of: ada)
            let other = try fixture.otherNode()
            for round in 1...4 {
                try await fixture.item(secret, metres: 0)
                for phone in phones { try await fixture.phone(of: phone, metres: 1) }
                fixture.clock.advance(seconds: 60)
                let now = fixture.now
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, phone) in phones.enumerated() {
                        group.addTask { try await fixture.phone(of: phone, metres: 5_000 + Double(index)) }
                    }
                    for index in 0..<20 {
                        let query = [
                            (name: "id", value: secret), (name: "lat", value: "\(Double(index) * 1e-6)"),
                            (name: "lon", value: "0"),
                            (name: "timestamp", value: "\(now.millisecondsSince1970 - 1_000 + Int64(index))"),
                        ]
                        let node = index.isMultiple(of: 2) ? fixture.tracking : other
                        group.addTask { _ = try await node.osmAnd.ingest(query: query) }
                    }
                    try await group.waitForAll()
                }
                #expect(try await fixture.noticeCount() == round)
                fixture.clock.advance(seconds: 60)
            }
        }
    }

    @Test("Simultaneous positions of phone and item don't miss each other", arguments: Engine.allCases)
    func crossing(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            for round in 1...8 {
                let (_, secret) = try await fixture.tracked("Thing \(round)", of: ada)
                // The first positions of both: the item isn't watched yet.
                async let phone: Void = fixture.phone(of: ada, metres: 9_000 + Double(round))
                async let item: Void = fixture.item(secret, metres: 0)
                _ = try await (phone, item)
                #expect(try await fixture.noticeCount() == round)
                fixture.clock.advance(seconds: Limits.alertPositionSeconds + Limits.alertWatchSlackSeconds + 1)
            }
        }
    }

    @Test("A report without a recent phone reads no alert settings, and a phone without items no safe places")
    func costsNothing() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            // From here on every query of these tables fails.
            try await fixture.database.write { tx in
                try tx.execute("ALTER TABLE alert_setting RENAME TO alert_setting_away")
                try tx.execute("ALTER TABLE safe_place RENAME TO safe_place_away")
            }
            for second in 0..<5 {
                try await fixture.item(secret, metres: Double(second) * 100)
                fixture.clock.advance(seconds: 1)
            }
            #expect(try await fixture.fixes(of: item, for: ada).count == 5)
            await #expect(throws: (any Error).self) { try await fixture.phone(of: ada, metres: 0) }
            try await fixture.database.write { tx in
                try tx.execute("ALTER TABLE alert_setting_away RENAME TO alert_setting")
            }
            try await fixture.item(secret, metres: 0)
            try await fixture.phone(of: ada, metres: 1)
            await #expect(throws: (any Error).self) {
                try await fixture.phone(of: ada, metres: 900, at: fixture.now.adding(seconds: 1))
            }
            // Long after the phone's last position nothing is queried any more.
            fixture.clock.advance(seconds: Limits.alertPositionSeconds + Limits.alertWatchSlackSeconds)
            try await fixture.database.write { tx in
                try tx.execute("ALTER TABLE alert_setting RENAME TO alert_setting_away")
            }
            try await fixture.item(secret, metres: 5_000)
            #expect(try await fixture.noticeCount() == 0)
        }
    }

    @Test("An item that is added after the phone's last position is watched", arguments: Engine.allCases)
    func addedLater(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            try await fixture.phone(of: ada, metres: 0)
            let (_, secret) = try await fixture.tracked(of: ada)
            try await fixture.item(secret, metres: 70)
            #expect(try await fixture.noticeCount() == 1)
        }
    }

    @Test("An item's notifications are deleted with it", arguments: Engine.allCases)
    func deleted(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (bike, bikeSecret) = try await fixture.tracked("Bike", of: ada)
            let (_, bagSecret) = try await fixture.tracked("Bag", of: ada)
            try await fixture.phone(of: ada, metres: 0)
            try await fixture.item(bikeSecret, metres: 100)
            try await fixture.item(bagSecret, metres: 100)
            #expect(try await fixture.noticeCount() == 2)
            try await fixture.tracking.itemDeletions.delete(bike, by: Change(actor: ada))
            #expect(try await fixture.notices().map(\.subject) == ["Bag"])
        }
    }

    @Test("The service gives the same alerts for a walk as the rule alone", arguments: Engine.allCases)
    func walk(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (_, secret) = try await fixture.tracked(of: ada)
            try await fixture.tracking.alerts.setMode(.whenSure, by: Change(actor: ada))
            let walk = RecordedWalk(.forgotten, seed: 3)
            let behind = RecordedWalk.start
            fixture.clock.set(behind)
            for event in walk.events where event.second < 2_700 {
                fixture.clock.set(behind.adding(seconds: Int64(event.second)))
                let place = event.sighting.coordinate
                let accuracy = event.sighting.accuracyMetres ?? 0
                switch event.who {
                case .item:
                    try await fixture.osmand(
                        secret, place.latitude, place.longitude, at: event.sighting.at,
                        [
                            "accuracy": "\(accuracy)",
                            "speed": "\((event.sighting.speedMetresPerSecond ?? 0) / 0.514444)",
                        ]
                    )
                case .phone:
                    let position = PhonePosition(
                        latitude: place.latitude, longitude: place.longitude, accuracyMetres: accuracy,
                        at: event.sighting.at
                    )
                    try await fixture.tracking.phonePositions.report(position, by: ada)
                }
            }
            #expect(try await fixture.noticeCount() == 1)
        }
    }
}
