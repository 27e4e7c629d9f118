import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Histories")
struct HistoryTests {
    /// Adds an item with fixes of two devices, some of them at the same instants.
    private func fill(_ fixture: TrackingFixture, of ada: Actor, count: Int) async throws -> ID<Item> {
        let (item, secret) = try await fixture.tracked("=Bike", of: ada)
        let now = fixture.now
        for index in 0..<count {
            try await fixture.osmand(secret, 1, Double(index), at: now.adding(seconds: Int64(-index)))
        }
        try await fixture.tracking.unpairings.unpair(item, by: Change(actor: ada))
        let second = try await fixture.app(.osmand, for: item, of: ada)
        for index in 0..<count {
            try await fixture.osmand(second.secret, 2, Double(index), at: now.adding(seconds: Int64(-index)))
        }
        return item
    }

    @Test("Pages are newest first, without gaps or repetitions, over all devices", arguments: Engine.allCases)
    func pages(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fill(fixture, of: ada, count: 12)
            let whole = try await fixture.fixes(of: item, for: ada)
            #expect(whole.count == 24)
            #expect(whole.map(\.at) == whole.map(\.at).sorted(by: >))
            for size in [1, 5, 10, 24] {
                var seen: [Fix] = []
                var after: String?
                repeat {
                    let page = try await fixture.tracking.histories.list(of: item, for: ada, after: after, limit: size)
                    #expect(page.items.count <= size)
                    seen += page.items
                    after = page.next
                } while after != nil
                #expect(seen == whole)
            }
            #expect(Set(whole.map(\.id)).count == 24)
        }
    }

    @Test("An unknown cursor is rejected")
    func cursors() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let error = await refusal {
                _ = try await fixture.tracking.histories.list(of: item, for: ada, after: "5", limit: 10)
            }
            #expect(error?.fields["after"] != nil)
        }
    }

    @Test("An export is complete and oldest first", arguments: Engine.allCases)
    func export(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fill(fixture, of: ada, count: 7)
            let fixes = try await fixture.fixes(of: item, for: ada)
            let export = try await fixture.tracking.histories.export(item, format: .csv, for: ada)
            #expect(export.fileName == "bike.csv")
            var text = ""
            for try await chunk in export { text += String(decoding: chunk, as: UTF8.self) }
            let lines = text.split(separator: "\r\n").dropFirst()
            let expected = fixes.reversed().map { "'=Bike,\($0.at.rfc3339)," }
            #expect(lines.count == 14)
            #expect(zip(lines, expected).allSatisfy { $0.hasPrefix($1) })
            var gpx = ""
            for try await chunk in try await fixture.tracking.histories.export(item, format: .gpx, for: ada) {
                gpx += String(decoding: chunk, as: UTF8.self)
            }
            if GPXSchema.canValidate { #expect(try GPXSchema.problems(of: gpx).isEmpty) }
        }
    }

    @Test("An export of many pages is complete", arguments: Engine.allCases)
    func longExport(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 1, 2)
            let now = fixture.now
            let total = Limits.exportPage * 2 + 1
            try await fixture.database.write { tx in
                let series: Int64 = try #require(try tx.row("SELECT series FROM track")).get("series")
                let place = try #require(Coordinate(latitude: 3, longitude: 4))
                for index in 1..<total {
                    _ = try FixStore.insert(
                        Report(coordinate: place), at: now.adding(seconds: Int64(-index)), series: series, in: tx
                    )
                }
            }
            var lines = 0
            var chunks = 0
            for try await chunk in try await fixture.tracking.histories.export(item, format: .csv, for: ada) {
                lines += chunk.count { $0 == UInt8(ascii: "\n") }
                chunks += 1
            }
            #expect(lines == total + 1)
            #expect(chunks == 4)
        }
    }
}
