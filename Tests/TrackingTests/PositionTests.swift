import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Positions of phones")
struct PositionTests {
    @Test("An item is lost when it is farther than its limit from the requesting phone", arguments: Engine.allCases)
    func lost(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            #expect(try await fixture.tracking.items.item(item, for: ada).unknownReason == .noFix)
            try await fixture.osmand(secret, 0, TrackingFixture.meridian)
            #expect(try await fixture.tracking.items.item(item, for: ada).unknownReason == .noPhonePosition)
            try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 0, longitude: 1.0001), by: ada)
            let far = try await fixture.tracking.items.item(item, for: ada)
            #expect(far.lost)
            #expect(abs(try #require(far.distanceMetres) - 11.12) < 0.01)
            #expect(far.unknownReason == nil)
            let listed = try await fixture.tracking.items.page(for: ada, after: nil, limit: 10).items
            #expect(listed == [far])
            _ = try await fixture.tracking.items.update(
                item, ItemPatch(settings: .set(SettingsPatch(lostMetres: .set(12)))), ifVersion: nil,
                by: Change(actor: ada)
            )
            #expect(try await !fixture.tracking.items.item(item, for: ada).lost)
            let event = try #require(await fixture.events().last { $0.kind == "position" })
            #expect(event.resource == "/tracking/position")
        }
    }

    @Test(
        "Each device measures from itself, or else from the phone with the newest position", arguments: Engine.allCases
    )
    func whichPhone(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let laptop = try await fixture.otherDevice(of: ada)
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 0, 0.001)
            try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 0, longitude: 1), by: ada)
            func degrees(_ actor: Actor) async throws -> Double? {
                try await fixture.tracking.items.item(item, for: actor).distanceMetres.map {
                    ($0 / 111_195.08).rounded()
                }
            }
            #expect(try await degrees(laptop) == 1)
            try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 0, longitude: 2), by: laptop)
            #expect(try await degrees(laptop) == 2)
            #expect(try await degrees(ada) == 1)
            fixture.clock.advance(seconds: 300)
            let phone = try await fixture.app(.osmand, of: ada)
            try await fixture.osmand(phone.secret, 0, 3)
            #expect(try await degrees(ada) == 1)
            fixture.clock.advance(seconds: 301)
            #expect(try await degrees(ada) == 3)
            #expect(try await degrees(laptop) == 3)
            fixture.clock.advance(seconds: 86_400)
            #expect(try await degrees(ada) == nil)
        }
    }

    @Test("The export has the positions of all phones, also of more than 100", arguments: Engine.allCases)
    func export(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let phones = Limits.sourcesPerAccount + 5
            for _ in 0..<phones {
                let phone = try await fixture.otherDevice(of: ada)
                try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 0, longitude: 1), by: phone)
            }
            let dataHandler = fixture.tracking.dataHandler
            let files = try await fixture.database.read { tx in try dataHandler.export(ada.person, in: tx) }
            let contents = try #require(files.first { $0.path == "tracking/phones.json" }).contents
            let positions = try JSONSerialization.jsonObject(with: Data(contents)) as? [Any]
            #expect(positions?.count == phones)
        }
    }

    @Test("An older position is ignored", arguments: Engine.allCases)
    func older(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 0, 0.001)
            let now = fixture.now
            try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 0, longitude: 1, at: now), by: ada)
            let events = try await fixture.events().count
            try await fixture.tracking.phonePositions.report(
                PhonePosition(latitude: 0, longitude: 5, at: now.adding(seconds: -1)), by: ada
            )
            try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 0, longitude: 6, at: now), by: ada)
            #expect(try await fixture.events().count == events)
            let distance = try #require(await fixture.tracking.items.item(item, for: ada).distanceMetres)
            #expect((distance / 111_195.08).rounded() == 1)
        }
    }

    struct Bad: Sendable {
        let position: PhonePosition
        let field: String
    }

    private static let now = TestClock().now

    @Test(
        "Invalid values are named",
        arguments: [
            Bad(position: PhonePosition(latitude: 91, longitude: 0), field: "latitude"),
            Bad(position: PhonePosition(latitude: .nan, longitude: 0), field: "latitude"),
            Bad(position: PhonePosition(latitude: 0, longitude: -180.5), field: "longitude"),
            Bad(position: PhonePosition(latitude: 0, longitude: .infinity), field: "longitude"),
            Bad(position: PhonePosition(latitude: 0, longitude: 1, accuracyMetres: -1), field: "accuracy"),
            Bad(position: PhonePosition(latitude: 0, longitude: 1, accuracyMetres: .nan), field: "accuracy"),
            Bad(position: PhonePosition(latitude: 0, longitude: 1, at: Instant(millisecondsSince1970: 0)), field: "at"),
            Bad(position: PhonePosition(latitude: 0, longitude: 1, at: now.adding(seconds: 601)), field: "at"),
        ])
    func bad(_ bad: Bad) async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let error = await refusal { try await fixture.tracking.phonePositions.report(bad.position, by: ada) }
            #expect(error?.code == .invalid)
            #expect(error?.fields.keys.sorted() == [bad.field])
            #expect(try await fixture.count("phone_position") == 0)
        }
    }

    @Test("A phone's position is deleted with its session", arguments: Engine.allCases)
    func signedOut(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 0, longitude: 1), by: ada)
            try await fixture.database.write { tx in
                try tx.execute("DELETE FROM session WHERE id = \(ada.session)")
            }
            #expect(try await fixture.count("phone_position") == 0)
            let error = await refusal {
                try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 0, longitude: 1), by: ada)
            }
            #expect(error?.code == .unauthenticated)
        }
    }

    @Test("Navigation depends on distance and setting, and needs a position", arguments: Engine.allCases)
    func navigation(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let none = await refusal {
                _ = try await fixture.tracking.navigation.link(.item(item), to: .apple, for: ada)
            }
            #expect(none?.code == .conflict)
            try await fixture.osmand(secret, 52.5, 13.25)
            #expect(try await fixture.tracking.navigation.link(.item(item), to: .google, for: ada).mode == .walking)
            try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 52.53, longitude: 13.25), by: ada)
            let link = try await fixture.tracking.navigation.link(.item(item), to: .apple, for: ada)
            #expect(link.url == "https://maps.apple.com/?daddr=52.5,13.25&dirflg=r")
            #expect(link.mode == .transit)
            _ = try await fixture.tracking.items.update(
                item, ItemPatch(settings: .set(SettingsPatch(walkMetres: .set(5_000)))), ifVersion: nil,
                by: Change(actor: ada)
            )
            #expect(try await fixture.tracking.navigation.link(.item(item), to: .apple, for: ada).mode == .walking)
        }
    }
}
