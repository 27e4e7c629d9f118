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
    ]

    @Test("A deleted item's fixes, source, commands, quarantine and picture are deleted", arguments: Engine.allCases)
    func everyTrace(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let picture = try await house.picture(of: ada)
            let change = Change(actor: ada)
            let item = try await house.service.add(ItemInput(name: "Bike", pictureID: picture), by: change).item.id
            let phone = try await house.ownTracks(for: item, of: ada)
            let body = OwnTracksApp.location(1, 2, at: house.now)
            _ = try await phone.send(body)
            _ = try await phone.send(OwnTracksApp.location(91, 2, at: house.now))
            _ = try await house.service.command(item, kind: .locate, by: change)
            #expect(try await house.count("fix") == 1)
            #expect(try await house.count("quarantine") == 1)
            #expect(try await house.count("command") == 1)

            try await house.service.delete(item, by: change)
            for table in Self.tables { #expect(try await house.count(table) == 0, "\(table)") }
            #expect(try await house.count("picture") == 0)
            let again = await refusal { try await house.service.delete(item, by: change) }
            #expect(again?.code == .notFound)
            #expect(try await phone.send(body) == .unauthorized)
            let event = try #require(await house.events().last { $0.kind == "item" })
            #expect(event.resource == "/tracking/items/\(item)")
        }
    }

    @Test("A photo that another item or the avatar shows isn't deleted", arguments: Engine.allCases)
    func sharedPicture(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let change = Change(actor: ada)
            let shared = try await house.picture(of: ada)
            let avatar = try await house.picture(of: ada)
            let own = try await house.picture(of: ada)
            try await house.database.write { tx in
                try tx.execute("UPDATE account SET avatar_picture_id = \(avatar) WHERE id = \(ada.person)")
            }
            func add(_ picture: ID<Picture>) async throws -> ID<Item> {
                let added = try await house.service.add(ItemInput(name: "x", pictureID: picture), by: change)
                return added.item.id
            }
            let one = try await add(shared)
            let two = try await add(shared)
            let three = try await add(avatar)
            let four = try await add(own)
            let five = try await add(try await house.picture(of: ada))
            #expect(try await house.service.pictureIsShared(one, for: ada))
            #expect(try await house.service.pictureIsShared(three, for: ada))
            #expect(try await !house.service.pictureIsShared(four, for: ada))
            try await house.service.delete(one, by: change)
            #expect(try await !house.service.pictureIsShared(two, for: ada))
            try await house.service.delete(three, by: change)
            try await house.service.delete(four, deletingPicture: false, by: change)
            #expect(try await house.count("picture") == 4)
            try await house.service.delete(two, by: change)
            try await house.service.delete(five, by: change)
            #expect(try await house.count("picture") == 2)
        }
    }

    @Test("A repeated deletion with the same idempotency key succeeds again", arguments: Engine.allCases)
    func idempotency(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let item = try await house.item(of: ada).item.id
            let change = Change.keyed(ada, "DELETE", "/tracking/items/\(item)", "k")
            try await house.service.delete(item, by: change)
            try await house.service.delete(item, by: change)
        }
    }

    /// Inserts `count` fixes, one second apart.
    private func makeHistory(of item: ID<Item>, count: Int, in house: TrackingHouse) async throws {
        try await house.database.write { tx in
            let series: Int64 = try #require(try tx.row("SELECT series FROM track WHERE item_id = \(item)")).get(
                "series")
            _ = try tx.execute(
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
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let service = house.service
            let picture = try await house.picture(of: ada)
            let change = Change(actor: ada)
            let item = try await service.add(ItemInput(name: "Bike", pictureID: picture), by: change).item.id
            let phone = try await house.ownTracks(for: item, of: ada)
            let body = OwnTracksApp.location(1, 2, at: house.now)
            _ = try await phone.send(body)
            let count = 2 * Limits.fixesPerDeletion + 10
            try await makeHistory(of: item, count: count, in: house)

            try await service.delete(item, by: change)
            #expect(try await house.count("fix") == count + 1 - Limits.fixesPerDeletion)
            for table: SQL in ["whereabouts", "source", "command", "quarantine", "picture"] {
                #expect(try await house.count(table) == 0, "\(table)")
            }
            let attempts: [() async throws -> Void] = [
                { _ = try await service.item(item, for: ada) },
                { _ = try await service.fixes(of: item, for: ada, after: nil, limit: 1) },
                { _ = try await service.export(item, format: .csv, for: ada) },
                { _ = try await service.update(item, ItemPatch(name: .set("x")), ifVersion: nil, by: change) },
                { _ = try await service.addSource(SourceInput(kind: .osmand, itemID: item), by: change) },
                { try await service.delete(item, by: change) },
            ]
            for (index, attempt) in attempts.enumerated() {
                let error = await refusal(attempt)
                #expect(error?.code == .notFound, "attempt \(index)")
            }
            #expect(try await service.items(for: ada, after: nil, limit: 10).items.isEmpty)
            #expect(try await phone.send(body) == .unauthorized)
            let left = try await house.database.read { tx in try tx.row("SELECT name FROM item") }
            #expect(try left?.get("name", as: String.self) == "deleted")

            _ = try await house.database.write { tx in try TrackingService.sweepHistory(in: tx) }
            #expect(try await house.count("fix") == count + 1 - 2 * Limits.fixesPerDeletion)
            try await service.housekeeping()
            for table in Self.tables { #expect(try await house.count(table) == 0, "\(table)") }
        }
    }

    @Test("An account with unfinished deletions of histories can be deleted", arguments: Engine.allCases)
    func accountWithLongHistory(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let eve = try await house.person("Eve")
            for person in [ada, eve] {
                let (item, _) = try await house.tracked(of: person)
                try await makeHistory(of: item, count: Limits.fixesPerDeletion + 10, in: house)
                try await house.service.delete(item, by: Change(actor: person))
            }
            let companion = house.service.companion
            try await house.database.write { tx in try companion.erase(ada.person, in: tx) }
            #expect(try await house.count("item WHERE account_id IS NULL") == 1)
            try await house.service.housekeeping()
            #expect(try await house.count("item") == 0)
            #expect(try await house.count("fix") == 0)
        }
    }

    /// Deletes an account as the Accounts module does.
    private func erase(_ actor: Actor, in house: TrackingHouse) async throws {
        let companion = house.service.companion
        try await house.database.write { tx in
            try companion.erase(actor.person, in: tx)
            try tx.execute("DELETE FROM session WHERE account_id = \(actor.person)")
            try tx.execute("DELETE FROM account WHERE id = \(actor.person)")
        }
    }

    @Test("An account is deleted at once, its histories in parts, also after a crash", arguments: Engine.allCases)
    func accountInSlices(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let ben = try await house.person("Ben")
            var secrets: [String] = []
            for name in ["Bike", "Bag"] {
                let (item, secret) = try await house.tracked(name, of: ada)
                try await house.makeHistory(of: item, count: 3 * Limits.fixesPerDeletion)
                secrets.append(secret)
            }
            let (kept, _) = try await house.tracked("Ben's", of: ben)
            try await house.makeHistory(of: kept, count: 7)
            try await house.service.archive(early: true)
            let objects = try await house.objects.keys(below: "").count
            try await erase(ada, in: house)
            // The transaction that deleted the account deleted no position.
            #expect(try await house.count("fix") == 6 * Limits.fixesPerDeletion + 7)
            #expect(try await house.count("account") == 1)
            let names = try await house.database.read { tx in
                try tx.rows("SELECT name FROM item WHERE account_id IS NULL").map {
                    try $0.get("name", as: String.self)
                }
            }
            #expect(names == ["deleted", "deleted"])
            for secret in secrets { #expect(try await house.osmand(secret, 1, 2) == .unknownDevice) }
            try await house.service.companion.afterErasure()
            let left = try await house.count("fix")
            #expect(left >= (6 - Limits.slicesWithDeletion) * Limits.fixesPerDeletion + 7)
            // The server stops here, and another node continues.
            let other = try house.otherNode()
            try await other.housekeeping()
            #expect(try await house.count("fix") == 7)
            #expect(try await house.count("item") == 1)
            #expect(try await house.count("track") == 1)
            try await house.pictures.sweep()
            #expect(try await house.objects.keys(below: "").count < objects)
            #expect(try await house.fixes(of: kept, for: ben).count == 7)
        }
    }

    @Test("Reports during a deletion leave no data behind", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let (item, secret) = try await house.tracked(of: ada)
            let start = house.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<30 {
                    group.addTask {
                        try await house.osmand(secret, 1, 2, at: start.adding(seconds: Int64(-index)))
                    }
                    if index == 15 {
                        group.addTask { try await house.service.delete(item, by: Change(actor: ada)) }
                    }
                }
                try await group.waitForAll()
            }
            for table in Self.tables { #expect(try await house.count(table) == 0, "\(table)") }
            #expect(try await house.osmand(secret, 1, 2) == .unknownDevice)
        }
    }

    @Test("An account is exported and deleted completely", arguments: Engine.allCases)
    func companion(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let eve = try await house.person("Eve")
            let (item, secret) = try await house.tracked(of: ada)
            try await house.osmand(secret, 1, 2)
            try await house.osmand(secret, 91, 2)
            let phone = try await house.app(.osmand, of: ada)
            try await house.osmand(phone.secret, 1, 2)
            try await house.osmand(phone.secret, 91, 2)
            try await house.service.reportPosition(PhonePosition(latitude: 1, longitude: 2), by: ada)
            let (_, theirs) = try await house.tracked("Eve's", of: eve)
            try await house.osmand(theirs, 3, 4)

            let companion = house.service.companion
            let files = try await house.database.read { tx in try companion.export(ada.person, in: tx) }
            let paths = ["items", "sources", "phones", "defaults", "alerts"].map { "tracking/\($0).json" }
            #expect(files.map(\.path) == paths)
            let text = files.map { String(decoding: $0.contents, as: UTF8.self) }.joined()
            #expect(text.contains("\"Bike\""))
            #expect(!text.contains("Eve"))
            #expect(!text.contains(secret))
            let attachments = try await companion.attachments(of: ada.person)
            #expect(attachments.map(\.path) == ["tracking/histories/\(item).gpx"])
            var gpx = ""
            for try await piece in try #require(await attachments.first?.open()) {
                gpx += String(decoding: piece, as: UTF8.self)
            }
            #expect(gpx.contains("lat=\"1\" lon=\"2\""))

            try await house.database.write { tx in try companion.erase(ada.person, in: tx) }
            try await companion.afterErasure()
            #expect(try await house.count("item") == 1)
            #expect(try await house.count("source") == 1)
            #expect(try await house.count("fix") == 1)
            #expect(try await house.count("quarantine") == 0)
            #expect(try await house.count("phone_position") == 0)
            #expect(try await house.osmand(secret, 1, 2) == .unknownDevice)
            #expect(try await house.osmand(phone.secret, 1, 2) == .unknownDevice)
            try await house.database.write { tx in
                try tx.execute("DELETE FROM session WHERE account_id = \(ada.person)")
                try tx.execute("DELETE FROM account WHERE id = \(ada.person)")
            }
        }
    }
}
