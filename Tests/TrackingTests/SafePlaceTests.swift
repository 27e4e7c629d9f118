import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Safe places")
struct SafePlaceTests {
    private static let home = SafePlaceInput(name: "  Home ", latitude: 50.7753, longitude: 6.0839)

    @Test("A place is added, read, changed and deleted", arguments: Engine.allCases)
    func life(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let added = try await fixture.tracking.safePlaces.create(Self.home, by: Change(actor: ada))
            #expect(added.name == "Home")
            #expect(added.radiusMetres == 100)
            #expect(added.version == 1)
            #expect(try await fixture.tracking.safePlaces.safePlace(added.id, for: ada) == added)
            let patch = SafePlacePatch(name: .set("Our house"), radiusMetres: .set(40))
            let changed = try await fixture.tracking.safePlaces.update(
                added.id, patch, by: Change(actor: ada, ifVersion: 1))
            #expect(changed.name == "Our house" && changed.radiusMetres == 40 && changed.version == 2)
            #expect(changed.centre == added.centre)
            let same = try await fixture.tracking.safePlaces.update(added.id, patch, by: Change(actor: ada))
            #expect(same == changed)
            let cleared = try await fixture.tracking.safePlaces.update(
                added.id, SafePlacePatch(radiusMetres: .clear), by: Change(actor: ada)
            )
            #expect(cleared.radiusMetres == 100)
            try await fixture.tracking.safePlaces.delete(added.id, by: Change(actor: ada))
            let gone = await refusal { try await fixture.tracking.safePlaces.delete(added.id, by: Change(actor: ada)) }
            #expect(gone?.code == .notFound)
            let kinds = try await fixture.events().filter { $0.kind == "place" }.map(\.version)
            #expect(kinds == [1, 2, 3, 4])
        }
    }

    @Test("Another account's place counts as not found", arguments: Engine.allCases)
    func others(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let place = try await fixture.tracking.safePlaces.create(Self.home, by: Change(actor: ada))
            let attempts: [() async throws -> Void] = [
                { _ = try await fixture.tracking.safePlaces.safePlace(place.id, for: eve) },
                {
                    _ = try await fixture.tracking.safePlaces.update(place.id, SafePlacePatch(), by: Change(actor: eve))
                },
                { try await fixture.tracking.safePlaces.delete(place.id, by: Change(actor: eve)) },
            ]
            for attempt in attempts { #expect(await refusal(attempt)?.code == .notFound) }
            #expect(try await fixture.tracking.safePlaces.list(for: eve, after: nil, limit: 10).items.isEmpty)
        }
    }

    @Test("A new place can copy the positions of the phone and of items", arguments: Engine.allCases)
    func knownPositions(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let places = fixture.tracking.safePlaces
            let none = try await places.knownPositions(for: ada)
            #expect(none == KnownPositions(phone: nil, chosen: nil, items: []))
            let (bag, secret) = try await fixture.tracked("Bag", of: ada)
            let lamp = try await fixture.item("Lamp", of: ada).item.id
            try await fixture.osmand(secret, 50, 6)
            try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 51, longitude: 7), by: ada)
            let known = try await places.knownPositions(for: ada, of: bag)
            #expect(known.phone == Coordinate(latitude: 51, longitude: 7))
            #expect(known.chosen == Coordinate(latitude: 50, longitude: 6))
            #expect(known.items.map(\.item.id) == [bag])
            #expect(known.items.first?.coordinate == Coordinate(latitude: 50, longitude: 6))
            #expect(try await places.knownPositions(for: ada, of: lamp).chosen == nil)
            #expect(await refusal { _ = try await places.knownPositions(for: eve, of: bag) }?.code == .notFound)
            #expect(try await places.knownPositions(for: eve).items.isEmpty)
        }
    }

    @Test("The positions to copy have a maximum number", arguments: Engine.allCases)
    func positionLimit(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            for number in 0...Limits.positionsForNewPlace {
                let (_, secret) = try await fixture.tracked("Bag \(number)", of: ada)
                try await fixture.osmand(secret, 50, 6)
            }
            let known = try await fixture.tracking.safePlaces.knownPositions(for: ada)
            #expect(known.items.count == Limits.positionsForNewPlace)
        }
    }

    @Test("All invalid fields are reported together")
    func wrong() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let input = SafePlaceInput(name: " ", latitude: 91, longitude: .nan, radiusMetres: 9)
            let error = await refusal {
                _ = try await fixture.tracking.safePlaces.create(input, by: Change(actor: ada))
            }
            #expect(error?.code == .invalid)
            #expect(error?.fields.keys.sorted() == ["latitude", "longitude", "name", "radiusMetres"])
            let place = try await fixture.tracking.safePlaces.create(Self.home, by: Change(actor: ada))
            let patch = SafePlacePatch(name: .clear, latitude: .clear, radiusMetres: .set(10_001))
            let change = await refusal {
                _ = try await fixture.tracking.safePlaces.update(place.id, patch, by: Change(actor: ada))
            }
            #expect(change?.fields.keys.sorted() == ["latitude", "name", "radiusMetres"])
            #expect(try await fixture.tracking.safePlaces.safePlace(place.id, for: ada) == place)
        }
    }

    @Test("A stale change is rejected, and a repeated one is applied once", arguments: Engine.allCases)
    func repeated(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let keyed = Change.keyed(ada, "POST", "/tracking/safe-places", "one")
            let first = try await fixture.tracking.safePlaces.create(Self.home, by: keyed)
            let again = try await fixture.tracking.safePlaces.create(Self.home, by: keyed)
            #expect(first == again)
            let stale = await refusal {
                let patch = SafePlacePatch(name: .set("x"))
                _ = try await fixture.tracking.safePlaces.update(first.id, patch, by: Change(actor: ada, ifVersion: 7))
            }
            #expect(stale?.code == .conflict)
            let staleDeletion = await refusal {
                try await fixture.tracking.safePlaces.delete(first.id, by: Change(actor: ada, ifVersion: 7))
            }
            #expect(staleDeletion?.code == .conflict)
        }
    }

    @Test("An account has a maximum number of safe places")
    func limit() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            for _ in 0..<Limits.safePlacesPerAccount {
                fixture.clock.advance(milliseconds: 1)
                _ = try await fixture.tracking.safePlaces.create(Self.home, by: Change(actor: ada))
            }
            let error = await refusal {
                _ = try await fixture.tracking.safePlaces.create(Self.home, by: Change(actor: ada))
            }
            #expect(error?.code == .conflict)
        }
    }

    @Test("Safe places and the alert mode are exported, and deleted with the account", arguments: Engine.allCases)
    func leaving(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let ben = try await fixture.person("Ben")
            for person in [ada, ben] {
                _ = try await fixture.tracking.safePlaces.create(Self.home, by: Change(actor: person))
                try await fixture.tracking.alerts.setMode(.whenSure, by: Change(actor: person))
            }
            let dataHandler = fixture.tracking.dataHandler
            let files = try await fixture.database.read { tx in try dataHandler.export(ada.person, in: tx) }
            let alerts = try #require(files.first { $0.path == "tracking/alerts.json" })
            let text = String(decoding: alerts.contents, as: UTF8.self)
            #expect(text.contains("\"whenSure\"") && text.contains("\"Home\""))
            try await fixture.database.write { tx in try dataHandler.erase(ada.person, in: tx) }
            #expect(try await fixture.count("safe_place") == 1)
            #expect(try await fixture.count("alert_setting") == 1)
        }
    }
}
