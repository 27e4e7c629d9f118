import Accounts
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Items")
struct ItemTests {
    @Test("An item is stored with its defaults, published as an event, and shown", arguments: Engine.allCases)
    func add(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let picture = try await fixture.picture(of: ada)
            let input = ItemInput(name: "  Ada's  Bike ", pictureID: picture)
            let added = try await fixture.tracking.items.create(input, by: Change(actor: ada))
            #expect(added.item.name == "Ada's  Bike")
            #expect(added.item.pictureID == picture)
            #expect(added.item.settings == .standard)
            #expect(added.item.version == 1)
            #expect(added.tracker == nil)
            #expect(added.lastFix == nil)
            #expect(added.unknownReason == .noTracker)
            #expect(!added.lost)
            #expect(try await fixture.tracking.items.item(added.item.id, for: ada) == added)
            let event = try #require(await fixture.events().last)
            #expect(event.kind == "item")
            #expect(event.resource == "/tracking/items/\(added.item.id)")
            #expect(event.version == 1)
            #expect(event.audience == ada.person)
        }
    }

    @Test("All errors are reported together, and nothing is stored", arguments: Engine.allCases)
    func invalid(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let theirs = try await fixture.picture(of: eve)
            for name in ["", "   ", String(repeating: "x", count: 51), "a\u{0}b", "a\nb"] {
                let error = await refusal {
                    _ = try await fixture.tracking.items.create(
                        ItemInput(name: name, pictureID: theirs), by: Change(actor: ada))
                }
                #expect(error?.code == .invalid)
                #expect(error?.fields.keys.sorted() == ["name", "pictureId"])
            }
            #expect(try await fixture.count("item") == 0)
            #expect(try await fixture.events().isEmpty)
        }
    }

    @Test("An idempotency key makes a repeated request harmless", arguments: Engine.allCases)
    func idempotency(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let change = Change.keyed(ada, "POST", "/tracking/items", "k1", body: "Bike")
            let first = try await fixture.tracking.items.create(ItemInput(name: "Bike"), by: change)
            let again = try await fixture.tracking.items.create(ItemInput(name: "Bike"), by: change)
            #expect(first.item.id == again.item.id)
            #expect(try await fixture.count("item") == 1)
            let other = Change.keyed(ada, "POST", "/tracking/items", "k1", body: "Car")
            let error = await refusal { _ = try await fixture.tracking.items.create(ItemInput(name: "Car"), by: other) }
            #expect(error?.code == .conflict)
            try await fixture.tracking.itemDeletions.delete(first.item.id, by: Change(actor: ada))
            let gone = await refusal {
                _ = try await fixture.tracking.items.create(ItemInput(name: "Bike"), by: change)
            }
            #expect(gone?.code == .notFound)
        }
    }

    @Test("A patch changes the fields it contains; absent keeps, null clears", arguments: Engine.allCases)
    func patch(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let picture = try await fixture.picture(of: ada)
            let item = try await fixture.item(of: ada).item
            let change = Change(actor: ada)
            let named = try await fixture.tracking.items.update(
                item.id, ItemPatch(name: .set("Keys"), pictureID: .set(picture)), ifVersion: 1, by: change
            )
            #expect(named.item.name == "Keys")
            #expect(named.item.version == 2)
            let settings = SettingsPatch(locateMinutes: .set(1), lostMetres: .set(50))
            let set = try await fixture.tracking.items.update(
                item.id, ItemPatch(settings: .set(settings)), ifVersion: nil, by: change
            )
            #expect(set.item.settings == ItemSettings(locateMinutes: 1, lostMetres: 50))
            #expect(set.item.pictureID == picture)
            let cleared = try await fixture.tracking.items.update(
                item.id, ItemPatch(pictureID: .clear, settings: .set(SettingsPatch(lostMetres: .clear))),
                ifVersion: nil, by: change
            )
            #expect(cleared.item.pictureID == nil)
            #expect(cleared.item.settings == ItemSettings(locateMinutes: 1))
            let same = try await fixture.tracking.items.update(
                item.id, ItemPatch(name: .set("Keys")), ifVersion: nil, by: change
            )
            #expect(same.item.version == cleared.item.version)
        }
    }

    @Test("A stale or invalid patch changes nothing", arguments: Engine.allCases)
    func refusedPatches(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let change = Change(actor: ada)
            let item = try await fixture.item(of: ada).item
            _ = try await fixture.tracking.items.update(item.id, ItemPatch(name: .set("Two")), ifVersion: 1, by: change)
            let stale = await refusal {
                _ = try await fixture.tracking.items.update(
                    item.id, ItemPatch(name: .set("Three")), ifVersion: 1, by: change)
            }
            #expect(stale?.code == .conflict)
            let settings = SettingsPatch(lostMetres: .set(0), walkMetres: .set(-1))
            let patch = ItemPatch(name: .clear, settings: .set(settings))
            let faulty = await refusal {
                _ = try await fixture.tracking.items.update(item.id, patch, ifVersion: nil, by: change)
            }
            #expect(faulty?.code == .invalid)
            #expect(faulty?.fields.keys.sorted() == ["name", "settings.lostMetres", "settings.walkMetres"])
            #expect(try await fixture.tracking.items.item(item.id, for: ada).item.name == "Two")
        }
    }

    @Test("One of two changes from the same version succeeds", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item
            let wins = await withTaskGroup(of: Bool.self) { group in
                for index in 0..<8 {
                    group.addTask {
                        await refusal {
                            _ = try await fixture.tracking.items.update(
                                item.id, ItemPatch(name: .set("Name \(index)")), ifVersion: 1, by: Change(actor: ada)
                            )
                        } == nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(wins == 1)
            #expect(try await fixture.tracking.items.item(item.id, for: ada).item.version == 2)
        }
    }

    @Test("Lists have pages, oldest first, with only the account's own items", arguments: Engine.allCases)
    func pages(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            for index in 0..<5 {
                _ = try await fixture.item("Item \(index)", of: ada)
                fixture.clock.advance(milliseconds: 1)
            }
            _ = try await fixture.item("Eve's", of: eve)
            let first = try await fixture.tracking.items.page(for: ada, after: nil, limit: 3)
            #expect(first.items.map(\.item.name) == ["Item 0", "Item 1", "Item 2"])
            let next = try #require(first.next)
            let second = try await fixture.tracking.items.page(for: ada, after: next, limit: 3)
            #expect(second.items.map(\.item.name) == ["Item 3", "Item 4"])
            #expect(second.next == nil)
            #expect(try await fixture.tracking.items.page(for: ada, after: nil, limit: 5).next == nil)
            let error = await refusal { _ = try await fixture.tracking.items.page(for: ada, after: "x", limit: 3) }
            #expect(error?.fields["after"] != nil)
        }
    }

    @Test("Another account's item counts as not found", arguments: Engine.allCases)
    func isolation(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let (id, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 1, 2)
            let change = Change(actor: eve)
            let tracking = fixture.tracking
            let attempts: [@Sendable () async throws -> Void] = [
                { _ = try await tracking.items.item(id, for: eve) },
                { _ = try await tracking.items.update(id, ItemPatch(name: .set("Mine")), ifVersion: nil, by: change) },
                { try await tracking.itemDeletions.delete(id, by: change) },
                { _ = try await tracking.itemDetails.itemWithPictureUse(id, for: eve, requires: .own) },
                { _ = try await tracking.navigation.link(.item(id), to: .apple, for: eve) },
                { _ = try await tracking.histories.list(of: id, for: eve, after: nil, limit: 10) },
                { _ = try await tracking.histories.export(id, format: .csv, for: eve) },
                {
                    _ = try await tracking.claimCodePairings.pair(id, code: "x", clientAddress: "192.0.2.1", by: change)
                },
                { try await tracking.unpairings.unpair(id, by: change) },
                { _ = try await tracking.commands.list(of: id, for: eve, after: nil, limit: 10) },
                { _ = try await tracking.commands.create(id, kind: .locate, by: change) },
                { _ = try await tracking.sources.create(SourceInput(kind: .osmand, itemID: id), by: change) },
            ]
            for (index, attempt) in attempts.enumerated() {
                let error = await refusal(attempt)
                #expect(error?.code == .notFound, "attempt \(index)")
            }
            let source = try #require(await tracking.sources.list(for: ada, after: nil, limit: 10).items.first)
            let deletion = await refusal { try await tracking.sources.delete(source.id, by: change) }
            #expect(deletion?.code == .notFound)
            #expect(try await tracking.sources.list(for: eve, after: nil, limit: 10).items.isEmpty)
            #expect(try await tracking.items.item(id, for: ada).item.name == "Bike")
        }
    }

    @Test("An account has a maximum number of items")
    func quota() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let now = fixture.now
            let ids = (0..<Limits.itemsPerAccount).map { _ in ID<Item>(at: now, random: fixture.random) }
            try await fixture.database.write { tx in
                for id in ids {
                    try ItemStore.insert(
                        Item(
                            id: id, owner: ada.person, name: "x", pictureID: nil, settings: .standard, version: 1,
                            createdAt: now
                        ),
                        in: tx
                    )
                }
            }
            let error = await refusal { _ = try await fixture.item(of: ada) }
            #expect(error?.code == .conflict)
        }
    }
}
