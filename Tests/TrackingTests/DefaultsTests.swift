import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Settings for new items")
struct DefaultsTests {
    @Test(
        "New items get the account's defaults, null restores them, and existing items keep their settings",
        arguments: Engine.allCases)
    func taken(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let change = Change(actor: ada)
            #expect(
                try await fixture.tracking.itemDefaults.defaults(for: ada)
                    == ItemDefaults(settings: .standard, version: 1))
            let before = try await fixture.item(of: ada).item
            let wanted = SettingsPatch(locateMinutes: .set(3), alertMetres: .set(40))
            let changed = try await fixture.tracking.itemDefaults.update(.set(wanted), by: change)
            #expect(changed.settings == ItemSettings(locateMinutes: 3, alertMetres: 40))
            #expect(changed.version == 2)

            let after = try await fixture.item(of: ada).item
            #expect(after.settings == changed.settings)
            #expect(try await fixture.tracking.items.item(before.id, for: ada).item.settings == .standard)
            let own = SettingsPatch(locateMinutes: .set(60), alertMetres: .clear)
            let mixed = try await fixture.tracking.items.update(
                before.id, ItemPatch(settings: .set(own)), ifVersion: nil, by: change)
            #expect(mixed.item.settings == ItemSettings(locateMinutes: 60, alertMetres: 40))
            let whole = try await fixture.tracking.items.update(
                before.id, ItemPatch(settings: .clear), ifVersion: nil, by: change)
            #expect(whole.item.settings == changed.settings)
            // Other accounts aren't affected.
            let ben = try await fixture.person()
            #expect(try await fixture.item(of: ben).item.settings == .standard)
        }
    }

    @Test(
        "Null restores the product's defaults; an invalid or stale change changes nothing",
        arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let change = Change(actor: ada)
            let wanted = SettingsPatch(lostMetres: .set(20), walkMetres: .set(100))
            _ = try await fixture.tracking.itemDefaults.update(.set(wanted), by: change)
            let faulty = await refusal {
                let patch = SettingsPatch(locateMinutes: .set(0), lostMetres: .set(30))
                _ = try await fixture.tracking.itemDefaults.update(.set(patch), by: change)
            }
            #expect(faulty?.fields.keys.sorted() == ["settings.locateMinutes"])
            let stale = await refusal {
                let patch = SettingsPatch(lostMetres: .set(30))
                _ = try await fixture.tracking.itemDefaults.update(.set(patch), by: Change(actor: ada, ifVersion: 1))
            }
            #expect(stale?.code == .conflict)
            let cleared = try await fixture.tracking.itemDefaults.update(
                .set(SettingsPatch(lostMetres: .clear)), by: change)
            #expect(cleared == ItemDefaults(settings: ItemSettings(walkMetres: 100), version: 3))
            let same = try await fixture.tracking.itemDefaults.update(.unchanged, by: change)
            #expect(same == cleared)
            #expect(try await fixture.tracking.itemDefaults.update(.clear, by: change).settings == .standard)
        }
    }
}
