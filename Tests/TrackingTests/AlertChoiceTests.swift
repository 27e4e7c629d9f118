import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("The person's choices about separations")
struct AlertChoiceTests {
    @Test(
        "No separation alert comes before the person has chosen a mode, and the next one right after",
        arguments: Engine.allCases)
    func unanswered(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person(alertMode: nil)
            let (bike, secret) = try await fixture.tracked(of: ada)
            let ben = try await fixture.member(.see, of: bike, by: ada, alertMode: nil)
            for person in [ada, ben] {
                #expect(try await fixture.offer(to: person) == .firstChoice)
                try await fixture.phone(of: person, metres: 0)
            }
            try await fixture.item(secret, metres: 0)
            for metres in [400.0, 500] {
                fixture.clock.advance(seconds: 60)
                try await fixture.item(secret, metres: metres)
            }
            #expect(try await fixture.notices().filter { $0.kind == "itemTooFar" }.isEmpty)
            #expect(try await fixture.tracking.items.item(bike, for: ada).presence == .lost, "pages show it")
            for (count, person) in [ada, ben].enumerated() {
                try await fixture.tracking.alerts.setMode(.everyTime, by: Change(actor: person))
                fixture.clock.advance(seconds: 60)
                try await fixture.item(secret, metres: 600)
                let alerted = try await fixture.notices().filter { $0.kind == "itemTooFar" }.map(\.person)
                #expect(alerted == [ada, ben].prefix(count + 1).map(\.person))
            }
        }
    }

    @Test(
        "A new safe place around a lost item ends the separation at once, and leaving the place alerts again",
        arguments: Engine.allCases)
    func markedAsSafe(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (bike, secret) = try await fixture.tracked(of: ada)
            let ben = try await fixture.member(.see, of: bike, by: ada)
            try await fixture.phone(of: ada, metres: 0)
            try await fixture.phone(of: ben, metres: 0)
            try await fixture.item(secret, metres: 0)
            fixture.clock.advance(seconds: 60)
            try await fixture.item(secret, metres: 900)
            func shown(to person: Actor) async throws -> String {
                let item = try await fixture.tracking.items.item(bike, for: person)
                return (item.presence?.rawValue ?? "unknown") + (item.tooFarSince == nil ? "" : ", too far")
            }
            for person in [ada, ben] { #expect(try await shown(to: person) == "lost, too far") }
            let places = fixture.tracking.safePlaces
            let far = SafePlaceInput(name: "Far", latitude: 1, longitude: 1)
            let place = try await places.create(far, by: Change(actor: ben))
            #expect(try await shown(to: ben) == "lost, too far", "a place elsewhere changes nothing")
            let latitude = 900 / TrackingFixture.metresPerDegree
            let patch = SafePlacePatch(latitude: .set(latitude), longitude: .set(TrackingFixture.meridian))
            _ = try await places.update(place.id, patch, by: Change(actor: ben))
            #expect(try await shown(to: ben) == "apart")
            #expect(try await shown(to: ada) == "lost, too far", "it is only Ben's place")
            let input = SafePlaceInput(name: "Work", latitude: latitude, longitude: TrackingFixture.meridian)
            _ = try await places.create(input, by: Change(actor: ada))
            #expect(try await shown(to: ada) == "apart")
            #expect(try await fixture.noticeCount(of: .itemTooFar) == 2)
            fixture.clock.advance(seconds: 60)
            try await fixture.item(secret, metres: 1_200)
            for person in [ada, ben] { #expect(try await shown(to: person) == "lost, too far") }
            #expect(try await fixture.noticeCount(of: .itemTooFar) == 4)
            // An item that comes into a safe place while it is apart is safe there, too.
            fixture.clock.advance(seconds: 60)
            try await fixture.item(secret, metres: 910)
            for person in [ada, ben] { #expect(try await shown(to: person) == "apart") }
        }
    }

    @Test(
        "An item that was never near a person stays so when they answer or mark its place", arguments: Engine.allCases)
    func neverNear(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (bike, secret) = try await fixture.tracked(of: ada)
            try await fixture.item(secret, metres: 900)
            let ben = try await fixture.member(.see, of: bike, by: ada, alertMode: nil)
            try await fixture.phone(of: ben, metres: 0)
            try await fixture.tracking.alerts.setMode(.everyTime, by: Change(actor: ben))
            let input = SafePlaceInput(
                name: "Work", latitude: 900 / TrackingFixture.metresPerDegree, longitude: TrackingFixture.meridian,
                radiusMetres: 50)
            let place = try await fixture.tracking.safePlaces.create(input, by: Change(actor: ben))
            try await fixture.tracking.safePlaces.delete(place.id, by: Change(actor: ben))
            fixture.clock.advance(seconds: 60)
            try await fixture.item(secret, metres: 901)
            #expect(try await fixture.tracking.items.item(bike, for: ben).presence == .apart)
            #expect(try await fixture.noticeCount(of: .itemTooFar) == 0)
        }
    }

    @Test("The distance says from which of the person's phones it is", arguments: Engine.allCases)
    func distanceOrigin(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let tablet = try await fixture.otherDevice(of: ada)
            let (bike, secret) = try await fixture.tracked(of: ada)
            func origin(for actor: Actor) async throws -> DistanceOrigin? {
                try await fixture.tracking.items.item(bike, for: actor).distanceFrom
            }
            try await fixture.item(secret, metres: 50)
            #expect(try await origin(for: ada) == nil)
            try await fixture.phone(of: tablet, metres: 0)
            #expect(try await origin(for: ada) == .device("Test"))
            #expect(try await origin(for: tablet) == .thisDevice)
            fixture.clock.advance(seconds: 11 * 60)
            #expect(try await origin(for: tablet) == .thisDevice, "still the newest one")
            let phone = try await fixture.app(.osmand, of: ada)
            try await fixture.item(phone.secret, metres: 5)
            #expect(try await origin(for: tablet) == .source(.osmand))
        }
    }

    @Test("People who got separation alerts before they were asked keep them", arguments: Engine.allCases)
    func migration(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let ben = try await fixture.person("Ben")
            let (_, secret) = try await fixture.tracked(of: ada)
            _ = try await fixture.tracked(of: ben)
            try await fixture.phone(of: ada, metres: 0)
            try await fixture.item(secret, metres: 400)
            // As in a store of an earlier version.
            try await fixture.database.write { tx in
                try tx.execute("DELETE FROM alert_setting")
                try tx.execute(SQL(stringLiteral: TrackingServices.answeredAlertModes))
            }
            #expect(try await fixture.offer(to: ada) == .afterAlerts)
            #expect(try await fixture.offer(to: ben) == .firstChoice)
        }
    }
}
