import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Order, search and pages of the item list")
struct ItemListTests {
    private static func names(
        _ fixture: TrackingFixture, _ actor: Actor, _ order: ItemOrder = .name, search: String? = nil
    ) async throws -> [String] {
        try await fixture.tracking.items.list(for: actor, order: order, search: search, after: nil, limit: 200)
            .items.map(\.item.name)
    }

    @Test("Lost items come first, then the chosen order applies", arguments: Engine.allCases)
    func order(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            _ = try await fixture.item("Apple", of: eve)
            _ = try await fixture.item("zebra", of: ada)
            _ = try await fixture.item("Ärmel", of: ada)
            let (_, old) = try await fixture.tracked("Umbrella", of: ada)
            let (_, new) = try await fixture.tracked("Bike", of: ada)
            let (_, far) = try await fixture.tracked("Wallet", of: ada)
            try await fixture.tracking.phonePositions.report(
                PhonePosition(latitude: 0, longitude: TrackingFixture.meridian), by: ada)
            try await fixture.osmand(far, 1, 1, at: fixture.now.adding(seconds: -300))
            try await fixture.osmand(old, 0, TrackingFixture.meridian, at: fixture.now.adding(seconds: -200))
            try await fixture.osmand(new, 0, TrackingFixture.meridian, at: fixture.now.adding(seconds: -100))
            #expect(try await Self.names(fixture, ada) == ["Wallet", "Ärmel", "Bike", "Umbrella", "zebra"])
            #expect(try await Self.names(fixture, ada, .position) == ["Wallet", "Bike", "Umbrella", "Ärmel", "zebra"])
            // The API returns items by id: in the order of their creation times, and in any order for equal times.
            let ids = try await fixture.tracking.items.page(for: ada, after: nil, limit: 200).items.map(
                \.item.id.description)
            #expect(ids == ids.sorted())
        }
    }

    @Test("An item that is apart but not lost keeps its position in the order", arguments: Engine.allCases)
    func apart(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            _ = try await fixture.item("Apple", of: ada)
            let (_, secret) = try await fixture.tracked("Wallet", of: ada)
            try await fixture.phone(of: ada, metres: 0)
            // Beyond the list's 5 m, within the alerts' 10 m.
            try await fixture.item(secret, metres: 8)
            #expect(try await Self.names(fixture, ada) == ["Wallet", "Apple"])
            try await fixture.tracking.alerts.setMode(.whenSure, by: Change(actor: ada))
            #expect(try await Self.names(fixture, ada) == ["Apple", "Wallet"])
        }
    }

    @Test("A search finds a part of the name and reports the total", arguments: Engine.allCases)
    func search(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            for name in ["Schlüssel", "Bike", "bike light"] { _ = try await fixture.item(name, of: ada) }
            #expect(try await Self.names(fixture, ada, search: "BIKE") == ["Bike", "bike light"])
            #expect(try await Self.names(fixture, ada, search: "schluessel") == ["Schlüssel"])
            #expect(try await Self.names(fixture, ada, search: " ").count == 3)
            let none = try await fixture.tracking.items.list(
                for: ada, order: .name, search: "x", after: nil, limit: 200)
            #expect(none.items.isEmpty)
            #expect(none.total == 3)
        }
    }

    @Test(
        "The list contains a new item that its page doesn't show, and offers a passcode",
        arguments: Engine.allCases)
    func offers(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            _ = try await fixture.item("Apple", of: ada)
            let added = try await fixture.item("Zebra", of: ada)
            let other = try await fixture.item("Bike", of: eve)
            func read(added: ID<Item>?, mayOfferPasscode: Bool = true) async throws -> ItemList {
                try await fixture.tracking.items.list(
                    for: ada, order: .name, search: nil, after: nil, limit: 1, added: added,
                    mayOfferPasscode: mayOfferPasscode)
            }
            let list = try await read(added: added.item.id)
            #expect(list.items.map(\.item.name) == ["Apple"])
            #expect(list.added == added)
            #expect(list.offersPasscode)
            #expect(try await read(added: other.item.id).added == nil)
            #expect(try await read(added: nil).added == nil)
            #expect(try await !read(added: nil, mayOfferPasscode: false).offersPasscode)
            try await fixture.database.write { [now = fixture.now] tx in
                try tx.execute(
                    "INSERT INTO app_lock_offer (account_id, declined_at) VALUES (\(ada.person), \(now))")
            }
            #expect(try await !read(added: nil).offersPasscode)
        }
    }

    @Test("The list asks for the alert mode until it is chosen", arguments: Engine.allCases)
    func asksForAlertMode(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person(alertMode: nil)
            func asks(mayAsk: Bool = true) async throws -> Bool {
                try await fixture.tracking.items.list(
                    for: ada, order: .name, search: nil, after: nil, limit: 1, mayAsk: mayAsk
                ).asksForAlertMode
            }
            _ = try await fixture.item(of: ada)
            #expect(try await !asks(), "no tracker yet")
            _ = try await fixture.tracked(of: ada)
            #expect(try await asks())
            #expect(try await !asks(mayAsk: false))
            try await fixture.tracking.alerts.setMode(.everyTime, by: Change(actor: ada))
            #expect(try await !asks())
        }
    }

    @Test("Each page of a long list follows the one before", arguments: Engine.allCases)
    func parts(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            for name in ["d", "b", "a", "c", "e"] { _ = try await fixture.item(name, of: ada) }
            var shown: [[String]] = []
            var after: String?
            repeat {
                let part = try await fixture.tracking.items.list(
                    for: ada, order: .name, search: nil, after: after, limit: 2)
                shown.append(part.items.map(\.item.name))
                after = part.next
            } while after != nil && shown.count < 9
            #expect(shown == [["a", "b"], ["c", "d"], ["e"]])
            let error = await refusal {
                _ = try await fixture.tracking.items.list(for: ada, order: .name, search: nil, after: "x", limit: 2)
            }
            #expect(error?.fields.keys.sorted() == ["after"])
        }
    }
}
