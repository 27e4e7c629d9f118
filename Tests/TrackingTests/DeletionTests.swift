import Accounts
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Deletion leaves no trace")
struct DeletionTests {
    private static let tables: [SQL] = [
        "item", "whereabouts", "track", "fix", "source", "command", "quarantine", "phone_position",
    ]

    @Test("a deleted item takes fixes, source, commands, quarantine and picture along", arguments: Engine.allCases)
    func everyTrace(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let picture = try await house.picture(of: ada)
            let change = Change(actor: ada)
            let item = try await house.service.add(ItemInput(name: "Bike", pictureID: picture), by: change).item.id
            let source = try await house.service.addSource(SourceInput(kind: .owntracks, itemID: item), by: change)
            let user = try #require(source.user)
            let body = OwnTracksApp.location(1, 2, at: house.now)
            _ = try await house.service.ingestOwnTracks(user: user, password: source.secret, body: body)
            let bad = OwnTracksApp.location(91, 2, at: house.now)
            _ = try await house.service.ingestOwnTracks(user: user, password: source.secret, body: bad)
            _ = try await house.service.command(item, kind: .locate, by: change)
            #expect(try await house.count("fix") == 1)
            #expect(try await house.count("quarantine") == 1)
            #expect(try await house.count("command") == 1)

            try await house.service.delete(item, by: change)
            for table in Self.tables { #expect(try await house.count(table) == 0, "\(table)") }
            #expect(try await house.count("picture") == 0)
            let again = await refusal { try await house.service.delete(item, by: change) }
            #expect(again?.code == .notFound)
            let answer = try await house.service.ingestOwnTracks(user: user, password: source.secret, body: body)
            #expect(answer == .unauthorized)
            let event = try #require(await house.events().last { $0.kind == "item" })
            #expect(event.resource == "/tracking/items/\(item)")
        }
    }

    @Test("a photo that another item or the avatar shows stays", arguments: Engine.allCases)
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

    @Test("deleting twice under one key answers alike", arguments: Engine.allCases)
    func idempotency(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let item = try await house.item(of: ada).item.id
            let change = Change.keyed(ada, "DELETE", "/tracking/items/\(item)", "k")
            try await house.service.delete(item, by: change)
            try await house.service.delete(item, by: change)
        }
    }

    @Test("reports that race with the deletion leave nothing behind", arguments: Engine.allCases)
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

    @Test("an account is exported whole and erased whole", arguments: Engine.allCases)
    func companion(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let eve = try await house.person("Eve")
            let (item, secret) = try await house.tracked(of: ada)
            try await house.osmand(secret, 1, 2)
            try await house.osmand(secret, 91, 2)
            let phone = try await house.service.addSource(SourceInput(kind: .osmand), by: Change(actor: ada))
            try await house.osmand(phone.secret, 1, 2)
            try await house.osmand(phone.secret, 91, 2)
            try await house.service.reportPosition(PhonePosition(latitude: 1, longitude: 2), by: ada)
            let (_, theirs) = try await house.tracked("Eve's", of: eve)
            try await house.osmand(theirs, 3, 4)

            let companion = house.service.companion
            let files = try await house.database.read { tx in try companion.export(ada.person, in: tx) }
            #expect(files.map(\.path) == ["tracking/items.json", "tracking/sources.json", "tracking/phones.json"])
            let text = files.map { String(decoding: $0.contents, as: UTF8.self) }.joined()
            #expect(text.contains("\"Bike\""))
            #expect(!text.contains("Eve"))
            #expect(!text.contains(secret))
            let attachments = try await companion.attachments(of: ada.person)
            #expect(attachments.map(\.path) == ["tracking/histories/\(item).gpx"])
            let gpx = String(decoding: try #require(await attachments.first?.load()), as: UTF8.self)
            #expect(gpx.contains("lat=\"1\" lon=\"2\""))

            try await house.database.write { tx in try companion.erase(ada.person, in: tx) }
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
