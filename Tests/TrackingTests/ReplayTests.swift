import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("What would have come with other settings")
struct ReplayTests {
    @Test(
        "A replayed rule lists the crossings that it would have reported, and stores nothing",
        arguments: Engine.allCases)
    func crossings(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let (item, secret) = try await fixture.tracked(of: ada)
            let place = try await fixture.tracking.safePlaces.create(
                SafePlaceInput(name: "Home", latitude: 0, longitude: TrackingFixture.meridian, radiusMetres: 100),
                by: Change(actor: ada))
            // Too old to be replayed.
            for metres in [500.0, 500, 20, 20] {
                fixture.clock.advance(seconds: 60)
                try await fixture.item(secret, metres: metres, at: fixture.now, ["accuracy": "5"])
            }
            fixture.clock.advance(seconds: Limits.replayDays * 24 * 60 * 60 + 60)
            var arrivals: [Instant] = []
            for metres in [500.0, 500, 500, 20, 20, 500, 20, 500, 500, 20, 20, 20] {
                fixture.clock.advance(seconds: 60)
                try await fixture.item(secret, metres: metres, at: fixture.now, ["accuracy": "5"])
                if metres == 20 { arrivals.append(fixture.now) }
            }
            let replays = fixture.tracking.replays
            let arrive = GeofenceInput(place: place.id, kind: .arrive)
            let replay = try await replays.replay(arrive, of: item, for: ada)
            #expect(replay.fixCount == 12 && !replay.isCut && replay.placeName == "Home")
            #expect(
                replay.alerts == [
                    ReplayedAlert(kind: .arrived, at: arrivals[0]), ReplayedAlert(kind: .arrived, at: arrivals[3]),
                ])
            let slow = GeofenceInput(place: place.id, kind: .arrive, dwellMinutes: 2)
            #expect(try await replays.replay(slow, of: item, for: ada).alerts.map(\.at) == [arrivals[3]])
            let leave = GeofenceInput(place: place.id, kind: .leave)
            #expect(try await replays.replay(leave, of: item, for: ada).alerts.map(\.kind) == [.left])
            #expect(try await fixture.noticeCount() == 0)
            #expect(try await fixture.count("geofence") == 0)
            let foreign = await #expect(throws: AppError.self) {
                _ = try await replays.replay(arrive, of: item, for: eve)
            }
            #expect(foreign?.code == .notFound)
        }
    }

    @Test("A replayed deadline is missed on each chosen day without an arrival")
    func deadlines() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let place = try await fixture.tracking.safePlaces.create(
                SafePlaceInput(name: "School", latitude: 0, longitude: TrackingFixture.meridian, radiusMetres: 100),
                by: Change(actor: ada))
            // Monday and Tuesday; it arrives on Tuesday.
            for (time, metres) in [
                ("2026-03-02T06:00:00Z", 500.0), ("2026-03-02T06:01:00Z", 500), ("2026-03-03T07:00:00Z", 20),
                ("2026-03-03T07:01:00Z", 20), ("2026-03-03T09:00:00Z", 500), ("2026-03-03T09:01:00Z", 500),
            ] {
                fixture.clock.set(try #require(Instant(rfc3339: time)))
                try await fixture.item(secret, metres: metres, at: fixture.now, ["accuracy": "5"])
            }
            fixture.clock.set(try #require(Instant(rfc3339: "2026-03-04T10:00:00Z")))
            let input = GeofenceInput(place: place.id, kind: .absent, days: ["MO", "TU", "WE"], by: "08:00")
            let replay = try await fixture.tracking.replays.replay(input, of: item, for: ada)
            #expect(replay.alerts.map(\.at.rfc3339) == ["2026-03-02T08:00:00.000Z", "2026-03-04T08:00:00.000Z"])
        }
    }

    @Test("Silences and low batteries are replayed with the typed hours", arguments: Engine.allCases)
    func health(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let start = fixture.now
            for (hours, percent) in [(0, 30), (1, 19), (4, 18), (10, 90)] {
                fixture.clock.set(start.adding(seconds: Int64(hours * 3_600)))
                try await fixture.osmand(secret, 1, 2, at: fixture.now, ["batt": "\(percent)"])
            }
            let replays = fixture.tracking.replays
            func kinds(_ hours: Int?) async throws -> [ItemAlertKind] {
                try await replays.replay(silentHours: hours, of: item, for: ada).alerts.map(\.kind)
            }
            #expect(try await kinds(nil) == [.batteryLow])
            #expect(try await kinds(5) == [.batteryLow, .silent])
            #expect(try await kinds(2) == [.batteryLow, .silent, .silent])
            fixture.clock.advance(seconds: 6 * 3_600)
            #expect(try await kinds(5) == [.batteryLow, .silent, .silent])
            let error = await #expect(throws: AppError.self) {
                _ = try await replays.replay(silentHours: 0, of: item, for: ada)
            }
            #expect(error?.fields.keys.sorted() == ["settings.silentHours"])
        }
    }
}
