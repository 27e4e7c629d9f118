import Accounts
import Kernel
import Objects
import Pictures
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Deletion")
struct DeletionTests {
    private static let tables: [SQL] = [
        "item", "whereabouts", "track", "fix", "source", "command", "quarantine", "phone_position",
        "separation_history", "parking",
    ]

    @Test("A deleted item's fixes, source, commands, quarantine and picture are deleted", arguments: Engine.allCases)
    func everyTrace(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let picture = try await fixture.picture(of: ada)
            let change = Change(actor: ada)
            let item = try await fixture.tracking.items.create(ItemInput(name: "Bike", pictureID: picture), by: change)
                .item.id
            let phone = try await fixture.ownTracks(for: item, of: ada)
            let body = OwnTracksApp.location(1, 2, at: fixture.now)
            _ = try await phone.send(body)
            _ = try await phone.send(OwnTracksApp.location(91, 2, at: fixture.now))
            _ = try await fixture.tracking.commands.create(item, kind: .locate, by: change)
            #expect(try await fixture.count("fix") == 1)
            #expect(try await fixture.count("quarantine") == 1)
            #expect(try await fixture.count("command") == 1)

            try await fixture.tracking.itemDeletions.delete(item, by: change)
            for table in Self.tables { #expect(try await fixture.count(table) == 0, "\(table)") }
            #expect(try await fixture.count("picture") == 0)
            let again = await refusal { try await fixture.tracking.itemDeletions.delete(item, by: change) }
            #expect(again?.code == .notFound)
            #expect(try await phone.send(body) == .unauthorized)
            let event = try #require(await fixture.events().last { $0.kind == "item" })
            #expect(event.resource == "/tracking/items/\(item)")
        }
    }

    @Test("A photo that another item or the avatar shows isn't deleted", arguments: Engine.allCases)
    func sharedPicture(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let change = Change(actor: ada)
            let shared = try await fixture.picture(of: ada)
            let avatar = try await fixture.picture(of: ada)
            let own = try await fixture.picture(of: ada)
            try await fixture.database.write { tx in
                try tx.execute("UPDATE account SET avatar_picture_id = \(avatar) WHERE id = \(ada.person)")
            }
            func add(_ picture: ID<Picture>) async throws -> ID<Item> {
                let added = try await fixture.tracking.items.create(
                    ItemInput(name: "x", pictureID: picture), by: change)
                return added.item.id
            }
            let one = try await add(shared)
            let two = try await add(shared)
            let three = try await add(avatar)
            let four = try await add(own)
            let five = try await add(try await fixture.picture(of: ada))
            #expect(
                try await fixture.tracking.itemDetails.itemWithPictureUse(one, for: ada, requires: .own).isPictureShared
            )
            #expect(
                try await fixture.tracking.itemDetails.itemWithPictureUse(three, for: ada, requires: .own)
                    .isPictureShared)
            #expect(
                try await !fixture.tracking.itemDetails.itemWithPictureUse(four, for: ada, requires: .own)
                    .isPictureShared)
            try await fixture.tracking.itemDeletions.delete(one, by: change)
            #expect(
                try await !fixture.tracking.itemDetails.itemWithPictureUse(two, for: ada, requires: .own)
                    .isPictureShared)
            try await fixture.tracking.itemDeletions.delete(three, by: change)
            try await fixture.tracking.itemDeletions.delete(four, deletingPicture: false, by: change)
            #expect(try await fixture.count("picture") == 4)
            try await fixture.tracking.itemDeletions.delete(two, by: change)
            try await fixture.tracking.itemDeletions.delete(five, by: change)
            #expect(try await fixture.count("picture") == 2)
        }
    }

    @Test("A repeated deletion with the same idempotency key succeeds again", arguments: Engine.allCases)
    func idempotency(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let change = Change.keyed(ada, "DELETE", "/tracking/items/\(item)", "k")
            try await fixture.tracking.itemDeletions.delete(item, by: change)
            try await fixture.tracking.itemDeletions.delete(item, by: change)
        }
    }

    /// Inserts `count` fixes, one second apart.
    private func makeHistory(of item: ID<Item>, count: Int, in fixture: TrackingFixture) async throws {
        try await fixture.database.write { tx in
            let series: Int64 = try #require(try tx.row("SELECT series FROM track WHERE item_id = \(item)")).get(
                "series")
            try tx.execute(
                """
                INSERT INTO fix (series, at, latitude, longitude)
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
                SELECT \(series), 1000000000000 + n * 1000, 1, 2 FROM number
                """
            )
        }
    }

    @Test("A long history is deleted in parts, and none of it is visible in between", arguments: Engine.allCases)
    func longHistory(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let tracking = fixture.tracking
            let picture = try await fixture.picture(of: ada)
            let change = Change(actor: ada)
            let item = try await tracking.items.create(ItemInput(name: "Bike", pictureID: picture), by: change).item.id
            let phone = try await fixture.ownTracks(for: item, of: ada)
            let body = OwnTracksApp.location(1, 2, at: fixture.now)
            _ = try await phone.send(body)
            let count = 2 * Limits.fixesPerDeletion + 10
            try await makeHistory(of: item, count: count, in: fixture)

            try await tracking.itemDeletions.delete(item, by: change)
            #expect(try await fixture.count("fix") == count + 1 - Limits.fixesPerDeletion)
            for table: SQL in ["whereabouts", "source", "command", "quarantine", "picture"] {
                #expect(try await fixture.count(table) == 0, "\(table)")
            }
            let attempts: [() async throws -> Void] = [
                { _ = try await tracking.items.item(item, for: ada) },
                { _ = try await tracking.histories.list(of: item, for: ada, after: nil, limit: 1) },
                { _ = try await tracking.histories.export(item, format: .csv, for: ada) },
                { _ = try await tracking.items.update(item, ItemPatch(name: .set("x")), ifVersion: nil, by: change) },
                { _ = try await tracking.sources.create(SourceInput(kind: .osmand, itemID: item), by: change) },
                { try await tracking.itemDeletions.delete(item, by: change) },
            ]
            for (index, attempt) in attempts.enumerated() {
                let error = await refusal(attempt)
                #expect(error?.code == .notFound, "attempt \(index)")
            }
            #expect(try await tracking.items.page(for: ada, after: nil, limit: 10).items.isEmpty)
            #expect(try await phone.send(body) == .unauthorized)
            let left = try await fixture.database.read { tx in try tx.row("SELECT name FROM item") }
            #expect(try left?.get("name", as: String.self) == "deleted")

            _ = try await fixture.database.write { tx in try HistorySweeper.sweepPart(in: tx) }
            #expect(try await fixture.count("fix") == count + 1 - 2 * Limits.fixesPerDeletion)
            try await tracking.housekeeping.run()
            for table in Self.tables { #expect(try await fixture.count(table) == 0, "\(table)") }
        }
    }

    @Test("An account with unfinished deletions of histories can be deleted", arguments: Engine.allCases)
    func accountWithLongHistory(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            for person in [ada, eve] {
                let (item, _) = try await fixture.tracked(of: person)
                try await makeHistory(of: item, count: Limits.fixesPerDeletion + 10, in: fixture)
                try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: person))
            }
            let dataHandler = fixture.tracking.dataHandler
            try await fixture.database.write { tx in try dataHandler.erase(ada.person, in: tx) }
            #expect(try await fixture.count("item WHERE account_id IS NULL") == 1)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.count("item") == 0)
            #expect(try await fixture.count("fix") == 0)
        }
    }

    /// Deletes an account as the Accounts module does.
    private func erase(_ actor: Actor, in fixture: TrackingFixture) async throws {
        let dataHandler = fixture.tracking.dataHandler
        try await fixture.database.write { tx in
            try dataHandler.erase(actor.person, in: tx)
            try tx.execute("DELETE FROM session WHERE account_id = \(actor.person)")
            try tx.execute("DELETE FROM account WHERE id = \(actor.person)")
        }
    }

    @Test("An account is deleted at once, its histories in parts, also after a crash", arguments: Engine.allCases)
    func accountInSlices(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let ben = try await fixture.person("Ben")
            var secrets: [String] = []
            for name in ["Bike", "Bag"] {
                let (item, secret) = try await fixture.tracked(name, of: ada)
                try await fixture.makeHistory(of: item, count: 3 * Limits.fixesPerDeletion)
                secrets.append(secret)
            }
            let (kept, _) = try await fixture.tracked("Ben's", of: ben)
            try await fixture.makeHistory(of: kept, count: 7)
            try await fixture.tracking.archive.writeSegments(early: true)
            let objects = try await fixture.objects.keys(below: "").count
            try await erase(ada, in: fixture)
            // The transaction that deleted the account deleted no position.
            #expect(try await fixture.count("fix") == 6 * Limits.fixesPerDeletion + 7)
            #expect(try await fixture.count("account") == 1)
            let names = try await fixture.database.read { tx in
                try tx.rows("SELECT name FROM item WHERE account_id IS NULL").map {
                    try $0.get("name", as: String.self)
                }
            }
            #expect(names == ["deleted", "deleted"])
            for secret in secrets { #expect(try await fixture.osmand(secret, 1, 2) == .unknownDevice) }
            try await fixture.tracking.dataHandler.afterErasure()
            let left = try await fixture.count("fix")
            #expect(left >= (6 - Limits.slicesWithDeletion) * Limits.fixesPerDeletion + 7)
            // The server stops here, and another node continues.
            let other = try fixture.otherNode()
            try await other.housekeeping.run()
            #expect(try await fixture.count("fix") == 7)
            #expect(try await fixture.count("item") == 1)
            #expect(try await fixture.count("track") == 1)
            try await fixture.pictures.sweep()
            #expect(try await fixture.objects.keys(below: "").count < objects)
            #expect(try await fixture.fixes(of: kept, for: ben).count == 7)
        }
    }

    @Test("Reports during a deletion leave no data behind", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let start = fixture.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<30 {
                    group.addTask {
                        try await fixture.osmand(secret, 1, 2, at: start.adding(seconds: Int64(-index)))
                    }
                    if index == 15 {
                        group.addTask { try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: ada)) }
                    }
                }
                try await group.waitForAll()
            }
            for table in Self.tables { #expect(try await fixture.count(table) == 0, "\(table)") }
            #expect(try await fixture.osmand(secret, 1, 2) == .unknownDevice)
        }
    }

    @Test("An account is exported and deleted completely", arguments: Engine.allCases)
    func dataHandler(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 1, 2)
            try await fixture.osmand(secret, 91, 2)
            let phone = try await fixture.app(.osmand, of: ada)
            try await fixture.osmand(phone.secret, 1, 2)
            try await fixture.osmand(phone.secret, 91, 2)
            try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 1, longitude: 2), by: ada)
            let (_, theirs) = try await fixture.tracked("Eve's", of: eve)
            try await fixture.osmand(theirs, 3, 4)

            let dataHandler = fixture.tracking.dataHandler
            let files = try await fixture.database.read { tx in try dataHandler.export(ada.person, in: tx) }
            let paths = [
                "items", "shared-items", "sources", "phones", "defaults", "item-alerts", "alerts", "live-links",
                "people", "parkings", "lost-items",
            ].map { "tracking/\($0).json" }
            #expect(files.map(\.path) == paths)
            let text = files.map { String(decoding: $0.contents, as: UTF8.self) }.joined()
            #expect(text.contains("\"Bike\""))
            #expect(!text.contains("Eve"))
            #expect(!text.contains(secret))
            let attachments = try await dataHandler.attachments(of: ada.person)
            #expect(
                attachments.map(\.path) == [
                    "tracking/histories/\(item).gpx", "tracking/days/\(item).json", "tracking/distances.json",
                ])
            var days = ""
            for try await piece in try #require(await attachments[1].open()) {
                days += String(decoding: piece, as: UTF8.self)
            }
            #expect(days == "[\n]\n")
            var gpx = ""
            for try await piece in try #require(await attachments.first?.open()) {
                gpx += String(decoding: piece, as: UTF8.self)
            }
            #expect(gpx.contains("lat=\"1\" lon=\"2\""))

            try await fixture.database.write { tx in try dataHandler.erase(ada.person, in: tx) }
            try await dataHandler.afterErasure()
            #expect(try await fixture.count("item") == 1)
            #expect(try await fixture.count("source") == 1)
            #expect(try await fixture.count("fix") == 1)
            #expect(try await fixture.count("quarantine") == 0)
            #expect(try await fixture.count("phone_position") == 0)
            #expect(try await fixture.osmand(secret, 1, 2) == .unknownDevice)
            #expect(try await fixture.osmand(phone.secret, 1, 2) == .unknownDevice)
            try await fixture.database.write { tx in
                try tx.execute("DELETE FROM session WHERE account_id = \(ada.person)")
                try tx.execute("DELETE FROM account WHERE id = \(ada.person)")
            }
        }
    }
}
