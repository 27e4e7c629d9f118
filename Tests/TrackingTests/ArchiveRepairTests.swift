import Accounts
import Kernel
import Objects
import Pictures
import Pictures
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Check and rebuild of the fix archive")
struct ArchiveRepairTests {
    /// Runs the test with two items with three archived fixes each.
    private func withArchive(
        _ engine: Engine, objects: (any ObjectStore)? = nil,
        _ body: (TrackingFixture, Actor, [ID<Item>]) async throws -> Void
    ) async throws {
        try await withFixture(engine, objects: objects) { fixture in
            let ada = try await fixture.person()
            var items: [ID<Item>] = []
            for name in ["One", "Two"] {
                let (item, secret) = try await fixture.tracked(name, of: ada)
                items.append(item)
                for hours in [30, 20, 1] as [Int64] {
                    let at = fixture.now.adding(seconds: -hours * 3_600)
                    try await fixture.osmand(
                        secret, Double(hours) + 0.1, 2.7, at: at,
                        ["batt": "\(hours)", "altitude": "12.5", "accuracy": "3", "speed": "1", "bearing": "10"])
                }
            }
            #expect(try await fixture.tracking.archive.writeSegments(early: true) == 6)
            #expect(try await fixture.tracking.archiveCheck.check().isSound)
            try await body(fixture, ada, items)
        }
    }

    @Test("A rebuild restores the table from the archive, and a second one changes nothing", arguments: Engine.allCases)
    func lostTable(engine: Engine) async throws {
        try await withArchive(engine) { fixture, ada, items in
            var before: [[Fix]] = []
            for item in items { before.append(try await fixture.fixes(of: item, for: ada)) }
            #expect(before.allSatisfy { $0.count == 3 })
            try await fixture.database.write { tx in
                for table: SQL in ["fix", "fix_segment", "whereabouts", "track"] {
                    try tx.execute("DELETE FROM \(sql: table)")
                }
                for item in items { try tx.execute("INSERT INTO whereabouts (item_id) VALUES (\(item))") }
            }
            #expect(try await !fixture.tracking.archiveCheck.check().isSound)
            let events = try await fixture.events().count
            let rebuild = try await fixture.tracking.archiveRebuild.rebuild()
            #expect(rebuild.restored == 6 && rebuild.rewritten == 0 && rebuild.result.isSound)
            #expect(try await fixture.events().count > events, "open pages get an event")
            for (item, fixes) in zip(items, before) {
                let after = try await fixture.fixes(of: item, for: ada)
                // The tracks get new numbers, which are part of the fixes' ids.
                #expect(after.map(\.at) == fixes.map(\.at) && after.map(\.coordinate) == fixes.map(\.coordinate))
                #expect(after.map(\.batteryPercent) == fixes.map(\.batteryPercent))
                #expect(after.map(\.speedMetresPerSecond) == fixes.map(\.speedMetresPerSecond))
                #expect(try await fixture.tracking.items.item(item, for: ada).lastFix?.at == fixes[0].at)
            }
            #expect(try await fixture.tracking.archiveCheck.check().isSound)
            #expect(try await fixture.tracking.archiveRebuild.rebuild() == ArchiveRebuild(segments: rebuild.segments))
            #expect(
                try await fixture.tracking.archive.writeSegments(early: true) == 0, "nothing is archived a second time")
        }
    }

    @Test("A rebuild finds lost and damaged objects and writes them again", arguments: Engine.allCases)
    func lostObjects(engine: Engine) async throws {
        try await withArchive(engine) { fixture, _, _ in
            let keys = try await fixture.objects.keys(below: SegmentKey.root)
            #expect(keys.count == 4)
            try await fixture.objects.delete(keys[0])
            var bytes = try #require(try await fixture.objects.get(keys[1]))
            bytes[60] ^= 1
            try await fixture.objects.put(bytes, at: keys[1])
            let report = try await fixture.tracking.archiveCheck.check()
            #expect(report.findings.map(\.subject) == [keys[0], keys[1]])
            #expect(report.findings[0].problem.contains("missing"))
            #expect(report.findings[1].problem.contains("checksum"))
            let rebuild = try await fixture.tracking.archiveRebuild.rebuild()
            #expect(rebuild.rewritten == 2 && rebuild.restored == 0 && rebuild.result.isSound)
            try await fixture.pictures.sweep()
            #expect(try await fixture.tracking.archiveCheck.check().isSound)
            #expect(try await fixture.tracking.archiveCheck.check().fixes == 6)
        }
    }

    @Test("The check reports differences between archive and table", arguments: Engine.allCases)
    func differences(engine: Engine) async throws {
        try await withArchive(engine) { fixture, _, _ in
            let keys = try await fixture.objects.keys(below: SegmentKey.root)
            try await fixture.database.write { tx in
                try tx.execute("UPDATE fix SET battery = 99 WHERE battery = 30")
                try tx.execute("DELETE FROM fix WHERE battery = 1")
                try tx.execute("UPDATE fix SET segment = 4711 WHERE battery = 20")
            }
            try await fixture.objects.put([1, 2, 3], at: "fixes/odd")
            let report = try await fixture.tracking.archiveCheck.check()
            let text = report.findings.map(\.description).joined(separator: "\n")
            #expect(report.findingCount == 6, "\(text)")
            for key in keys { #expect(text.contains(key)) }
            for problem in ["different", "not in the database", "isn't the name of a segment"] {
                #expect(text.contains(problem))
            }
            #expect(text.contains("fix: 2 rows are marked"))
        }
    }

    @Test("The check finds an object without an item, and a rebuild ignores it", arguments: Engine.allCases)
    func orphans(engine: Engine) async throws {
        try await withArchive(engine) { fixture, ada, items in
            let keys = try await fixture.objects.keys(below: SegmentKey.folder(of: items[0]))
            let bytes = try #require(try await fixture.objects.get(keys[0]))
            try await fixture.tracking.itemDeletions.delete(items[0], by: Change(actor: ada))
            #expect(try await fixture.tracking.archiveCheck.checkDeleted(items[0]).isSound)
            try await fixture.objects.put(bytes, at: keys[0])
            let report = try await fixture.tracking.archiveCheck.checkDeleted(items[0])
            #expect(report.findings.map(\.subject) == [keys[0]])
            #expect(try await fixture.tracking.archiveCheck.check().findings.map(\.problem) == ["belongs to no item"])
            let rebuild = try await fixture.tracking.archiveRebuild.rebuild()
            #expect(rebuild.restored == 0 && rebuild.result.findingCount == 1)
            #expect(try await fixture.fixes(of: items[1], for: ada).count == 3)
            #expect(try await fixture.count("fix") == 3)
        }
    }

    @Test("Check and rebuild work with a bucket that verifies signatures", arguments: Engine.allCases)
    func bucket(engine: Engine) async throws {
        let server = try await S3TestServer.shared()
        let address = try ObjectStoreAddress(server.address("archive-\(engine.rawValue)"))
        let credentials = S3Credentials(accessKey: S3TestServer.accessKey, secretKey: S3TestServer.secretKey)
        let bucket = try ObjectStores.open(address, credentials: credentials, logger: .silent)
        for key in try await bucket.keys(below: "") { try await bucket.delete(key) }
        try await withArchive(engine, objects: bucket) { fixture, ada, items in
            #expect(try await bucket.keys(below: "").count == 4)
            try await fixture.database.write { tx in
                try tx.execute("DELETE FROM fix")
                try tx.execute("DELETE FROM fix_segment")
            }
            #expect(try await fixture.tracking.archiveRebuild.rebuild().restored == 6)
            #expect(try await fixture.tracking.archiveCheck.check().isSound)
            for item in items {
                try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: ada))
                #expect(try await fixture.tracking.archiveCheck.checkDeleted(item).isSound)
            }
            #expect(try await bucket.keys(below: "") == [])
        }
    }
}

@Suite("Limited storage of positions (keepDays)")
struct KeepingTests {
    private func setKeepDays(_ days: Int?, _ item: ID<Item>, _ actor: Actor, _ fixture: TrackingFixture) async throws {
        let patch = ItemPatch(settings: .set(SettingsPatch(keepDays: days.map(FieldChange.set) ?? .clear)))
        _ = try await fixture.tracking.items.update(item, patch, ifVersion: nil, by: Change(actor: actor))
    }

    @Test(
        "Old positions are deleted from table and archive; the last position remains", arguments: Engine.allCases)
    func expiry(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (kept, keptSecret) = try await fixture.tracked("Kept", of: ada)
            let (item, secret) = try await fixture.tracked("Bike", of: ada)
            for secret in [keptSecret, secret] {
                for days in [40, 3, 2, 1] as [Int64] {
                    try await fixture.osmand(secret, 1, 2, at: fixture.now.adding(seconds: -days * ArchiveTests.day))
                }
            }
            try await fixture.tracking.archive.writeSegments()
            #expect(try await fixture.objects.keys(below: "").count == 8)
            try await setKeepDays(2, item, ada, fixture)
            try await fixture.tracking.housekeeping.run()
            try await fixture.pictures.sweep()
            #expect(try await fixture.fixes(of: item, for: ada).count == 2)
            #expect(try await fixture.fixes(of: kept, for: ada).count == 4)
            let left = try await fixture.segments().filter { $0.item == item }
            #expect(left.map { ArchiveDay.text($0.day) } == ["2026-02-27", "2026-02-28"])
            #expect(try await fixture.tracking.archiveCheck.check().isSound)
            // A day later one more fix is too old, and so is a late one.
            fixture.clock.advance(seconds: ArchiveTests.day)
            try await fixture.osmand(secret, 1, 2, at: fixture.now.adding(seconds: -50 * ArchiveTests.day))
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.fixes(of: item, for: ada).count == 1)
            fixture.clock.advance(seconds: 10 * ArchiveTests.day)
            try await fixture.tracking.housekeeping.run()
            try await fixture.pictures.sweep()
            #expect(try await fixture.fixes(of: item, for: ada).isEmpty)
            #expect(try await fixture.tracking.items.item(item, for: ada).lastFix != nil)
            #expect(try await fixture.objects.keys(below: SegmentKey.folder(of: item)) == [])
            #expect(try await fixture.tracking.archiveCheck.check().isSound)
            // Without a limit nothing more is deleted.
            try await setKeepDays(nil, kept, ada, fixture)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.fixes(of: kept, for: ada).count == 4)
        }
    }

    @Test("A rebuild doesn't restore fixes that are too old", arguments: Engine.allCases)
    func rebuild(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            for days in [5, 1] as [Int64] {
                try await fixture.osmand(secret, 1, 2, at: fixture.now.adding(seconds: -days * ArchiveTests.day))
            }
            try await fixture.tracking.archive.writeSegments()
            let saved = try await fixture.objects.keys(below: "")
            let bytes = try #require(try await fixture.objects.get(saved[0]))
            try await setKeepDays(2, item, ada, fixture)
            try await fixture.tracking.housekeeping.run()
            try await fixture.pictures.sweep()
            try await fixture.objects.put(bytes, at: saved[0])
            #expect(try await fixture.tracking.archiveRebuild.rebuild().restored == 0)
            #expect(try await fixture.fixes(of: item, for: ada).count == 1)
        }
    }

    @Test("keepDays is a whole number in a range, and null keeps positions forever", arguments: Engine.allCases)
    func setting(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            #expect(try await fixture.tracking.items.item(item, for: ada).item.settings.keepDays == nil)
            try await setKeepDays(3_650, item, ada, fixture)
            #expect(try await fixture.tracking.items.item(item, for: ada).item.settings.keepDays == 3_650)
            for wrong in [0, -1, 3_651] {
                let error = await refusal { try await setKeepDays(wrong, item, ada, fixture) }
                #expect(error?.fields.keys.sorted() == ["settings.keepDays"])
            }
            #expect(
                try await fixture.tracking.items.page(for: ada, after: nil, limit: 10).items[0].item.settings.keepDays
                    == 3_650)
            try await setKeepDays(nil, item, ada, fixture)
            #expect(try await fixture.tracking.items.item(item, for: ada).item.settings.keepDays == nil)
        }
    }
}
