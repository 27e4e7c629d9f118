import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Position sources, locate and quarantine")
struct SourceTests {
    @Test("Secrets are strong, shown once, and stored only hashed or encrypted", arguments: Engine.allCases)
    func secrets(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let made = try await fixture.app(.owntracks, of: ada)
            let user = try #require(made.user)
            let passphrase = try #require(made.passphrase)
            // Five bits per character.
            #expect(made.secret.count * 5 >= 128)
            #expect(passphrase.utf8.count <= 32)
            #expect(passphrase.utf8.count * 5 >= 128)
            #expect(made.path == "/ingest/owntracks")
            #expect(made.source.user == user)
            #expect(made.source.speedUnit == nil)
            let stored = try await fixture.database.read { tx in try tx.row("SELECT * FROM source") }
            let text = "\(try #require(stored))"
            #expect(!text.contains(made.secret))
            #expect(!text.contains(passphrase))
            let sealed: [UInt8] = try #require(stored).get("passphrase")
            #expect(try fixture.secrets.open(sealed) == Array(passphrase.utf8))

            let osmand = try await fixture.app(.osmand, of: ada)
            #expect(osmand.path == "/ingest/osmand?id=\(osmand.secret)")
            #expect(osmand.source.speedUnit == .knots)
            #expect(osmand.user == nil)
            #expect(osmand.passphrase == nil)
            #expect(osmand.setupText(baseURL: "https://h.example") == "https://h.example\(osmand.path)")
            let listed = try await fixture.tracking.sources.list(for: ada, after: nil, limit: 10).items
            #expect(listed.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.osmand, .owntracks])
        }
    }

    @Test("A source is read with the name of the item that it tracks", arguments: Engine.allCases)
    func itemName(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let phone = try await fixture.app(.owntracks, of: ada).source
            let item = try await fixture.item("Bag", of: ada).item.id
            let tracker = try await fixture.app(.osmand, for: item, of: ada).source
            let sources = fixture.tracking.sources
            let ofPhone = try await sources.sourceWithItemName(phone.id, for: ada)
            #expect(ofPhone.source == phone && ofPhone.itemName == nil)
            let ofItem = try await sources.sourceWithItemName(tracker.id, for: ada)
            #expect(ofItem.source == tracker && ofItem.itemName == "Bag")
            let denied = await refusal { _ = try await sources.sourceWithItemName(tracker.id, for: eve) }
            #expect(denied?.code == .notFound)
        }
    }

    @Test("A link with the configuration sets up OwnTracks")
    func setup() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let made = try await fixture.app(.owntracks, of: ada)
            let text = made.setupText(baseURL: "https://h.example")
            let prefix = "owntracks:///config?inline="
            #expect(text.hasPrefix(prefix))
            let inline = try #require(String(text.dropFirst(prefix.count)).removingPercentEncoding)
            let data = try #require(Data(base64Encoded: inline))
            let configuration = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect(configuration["_type"] as? String == "configuration")
            #expect(configuration["mode"] as? Int == 3)
            #expect(configuration["url"] as? String == "https://h.example/ingest/owntracks")
            #expect(configuration["username"] as? String == made.user)
            #expect(configuration["password"] as? String == made.secret)
            #expect(configuration["encryptionKey"] as? String == made.passphrase)
        }
    }

    @Test("A repeated request creates no second source and shows no secret again", arguments: Engine.allCases)
    func doubleSubmit(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let input = SourceInput(kind: .owntracks, itemID: item)
            let change = Change.keyed(ada, "POST", "/tracking/sources", "k")
            let answers = try await withThrowingTaskGroup(of: SecretsResult.self) { group in
                for _ in 0..<5 { group.addTask { try await fixture.tracking.sources.create(input, by: change) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let made = answers.compactMap { try? $0.get() }
            #expect(made.count == 1)
            #expect(try await fixture.count("source") == 1)
            for case .shownBefore(let source) in answers { #expect(source.id == made.first?.source.id) }
            let again = try await fixture.tracking.sources.create(input, by: change)
            let error = await refusal { _ = try again.get() }
            #expect(error == AppError(.conflict, .secretsShown))
            let id = try #require(made.first?.source.id)
            try await fixture.tracking.sources.delete(id, by: Change(actor: ada))
            let gone = await refusal { _ = try await fixture.tracking.sources.create(input, by: change) }
            #expect(gone?.code == .notFound)
            let stored = try await fixture.database.read { tx in try tx.rows("SELECT * FROM idempotency") }
            let secret = try #require(made.first?.secret)
            #expect(!"\(stored)".contains(secret))
        }
    }

    @Test("A new secret is created once and voids the old one at once on every node", arguments: Engine.allCases)
    func newSecret(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let other = try fixture.otherNode()
            let item = try await fixture.item(of: ada).item.id
            let old = try await fixture.ownTracks(for: item, of: ada)
            let id = old.source.source.id
            // Both nodes have the old secret in their cache.
            for node in [fixture.tracking, other] {
                let body = OwnTracksApp.location(1, 2, at: fixture.now)
                #expect(try await old.send(body, to: node) == OwnTracksPhone.nothingToDo)
            }
            let change = Change.keyed(ada, "PUT", "/tracking/sources/\(id)/secret", "k")
            let moved = await refusal {
                _ = try await fixture.tracking.sources.renewSecret(of: id, ifVersion: 9, by: change)
            }
            #expect(moved == AppError(.conflict, .movedOn))
            let strangers = await refusal {
                _ = try await fixture.tracking.sources.renewSecret(of: id, ifVersion: nil, by: Change(actor: eve))
            }
            #expect(strangers?.code == .notFound)
            let made = try await fixture.tracking.sources.renewSecret(of: id, ifVersion: nil, by: change).get()
            var new = old
            new.source = made
            #expect(made.user == old.source.user)
            #expect(made.secret != old.source.secret)
            #expect(made.passphrase != old.source.passphrase)
            #expect(made.source.version > old.source.source.version)
            fixture.clock.advance(seconds: 1)
            let messages = [
                OwnTracksApp.location(3, 4, at: fixture.now),
                OwnTracksApp.location(1, 2, at: fixture.now.adding(seconds: -1)),
                OwnTracksApp.location(91, 4, at: fixture.now), [],
            ]
            for body in messages {
                #expect(try await old.send(body, to: other) == .unauthorized)
                #expect(try await old.send(body) == .unauthorized)
            }
            #expect(try await fixture.fixes(of: item, for: ada).count == 1)
            #expect(try await fixture.quarantine(for: ada).isEmpty)
            #expect(try await new.send(messages[0], to: other) == OwnTracksPhone.nothingToDo)
            #expect(try await fixture.fixes(of: item, for: ada).count == 2)
            let again = try await fixture.tracking.sources.renewSecret(of: id, ifVersion: nil, by: change)
            let shown = await refusal { _ = try again.get() }
            #expect(shown == AppError(.conflict, .secretsShown))
            #expect(try await new.send([]) == OwnTracksPhone.nothingToDo)
            let event = try #require(await fixture.events().last { $0.kind == "source" })
            #expect(event.resource == "/tracking/sources/\(id)")
            #expect(event.version == made.source.version)
        }
    }

    @Test("A new secret for OsmAnd is a new device id", arguments: Engine.allCases)
    func newDeviceID(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let phone = try await fixture.app(.osmand, of: ada)
            #expect(try await fixture.osmand(phone.secret, 1, 2) == .accepted)
            let id = phone.source.id
            let made = try await fixture.tracking.sources.renewSecret(of: id, ifVersion: 1, by: Change(actor: ada))
                .get()
            #expect(made.path == "/ingest/osmand?id=\(made.secret)")
            #expect(try await fixture.osmand(phone.secret, 1, 2) == .unknownDevice)
            #expect(try await fixture.osmand(made.secret, 1, 2) == .accepted)
            #expect(try await fixture.count("phone_position") == 1)
        }
    }

    @Test("An item has one tracker at a time", arguments: Engine.allCases)
    func oneTracker(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, _) = try await fixture.tracked(of: ada)
            let error = await refusal {
                _ = try await fixture.app(.owntracks, for: item, of: ada)
            }
            #expect(error?.code == .conflict)
            #expect(try await fixture.count("source") == 1)
        }
    }

    @Test("Position sources have no on and off, and only OwnTracks has locate", arguments: Engine.allCases)
    func commands(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let change = Change(actor: ada)
            let bare = try await fixture.item(of: ada).item.id
            let (osmand, _) = try await fixture.tracked(of: ada)
            let owntracks = try await fixture.item(of: ada).item.id
            _ = try await fixture.app(.owntracks, for: owntracks, of: ada)
            for item in [bare, osmand, owntracks] {
                for kind in CommandKind.forOwners {
                    let error = await refusal {
                        _ = try await fixture.tracking.commands.create(item, kind: kind, by: change)
                    }
                    let isTaken = item == owntracks && kind == .locate
                    #expect((error == nil) == isTaken, "\(kind)")
                    if let error { #expect(error.code == .conflict) }
                }
            }
        }
    }

    @Test("OwnTracks' next report gets the locate, and the one after fulfils it", arguments: Engine.allCases)
    func locate(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let phone = try await fixture.ownTracks(for: item, of: ada)
            func state() async throws -> CommandState? {
                let page = try await fixture.tracking.commands.list(of: item, for: ada, after: nil, limit: 1)
                return page.items.first?.state
            }
            let request = #"[{"_type":"cmd","action":"reportLocation"}]"#
            #expect(try await phone.answer(OwnTracksApp.location(1, 2, at: fixture.now)) == "[]")
            _ = try await fixture.tracking.commands.create(item, kind: .locate, by: Change(actor: ada))
            #expect(try await state() == .queued)
            fixture.clock.advance(seconds: 10)
            #expect(try await phone.answer(OwnTracksApp.location(1, 2, at: fixture.now)) == request)
            #expect(try await state() == .sent)
            #expect(try await phone.answer([]) == request)
            fixture.clock.advance(seconds: 10)
            #expect(try await phone.answer(OwnTracksApp.location(1, 3, at: fixture.now)) == "[]")
            #expect(try await state() == .applied)
            #expect(try await phone.answer([]) == "[]")
            _ = try await fixture.tracking.commands.create(item, kind: .locate, by: Change(actor: ada))
            fixture.clock.advance(seconds: 20 * 60)
            #expect(try await phone.answer(OwnTracksApp.location(1, 4, at: fixture.now)) == "[]")
            #expect(try await state() == .expired)
        }
    }

    @Test("The quarantine is newest first, limited, temporary and private", arguments: Engine.allCases)
    func quarantine(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let (_, secret) = try await fixture.tracked(of: ada)
            let queries: [(more: [String: String], reason: QuarantineReason)] = [
                (["valid": "false"], .markedInvalid), (["timestamp": "soon"], .unreadableTime),
                (["lat": "91"], .placeOutOfRange), (["lat": "north"], .unreadableNumber),
            ]
            for (more, _) in queries {
                fixture.clock.advance(milliseconds: 1)
                #expect(try await fixture.osmand(secret, 1, 2, more) == .accepted)
            }
            let page = try await fixture.tracking.quarantine.list(for: ada, after: nil, limit: 3)
            #expect(page.items.map(\.reason) == Array(queries.map(\.reason).reversed().prefix(3)))
            #expect(page.items.first?.receivedAt == fixture.now)
            let rest = try await fixture.tracking.quarantine.list(for: ada, after: page.next, limit: 3)
            #expect(rest.items.map(\.reason) == [.markedInvalid])
            #expect(try await fixture.tracking.quarantine.list(for: eve, after: nil, limit: 3).items.isEmpty)
            fixture.clock.advance(seconds: Limits.quarantineSeconds)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.quarantine(for: ada).count == 1)
            fixture.clock.advance(milliseconds: 10)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.quarantine(for: ada).isEmpty)
        }
    }

    @Test("The quarantine keeps a limited number of the newest entries of a source", arguments: Engine.allCases)
    func quarantineLimit(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (_, secret) = try await fixture.tracked(of: ada)
            let source = try #require(await fixture.tracking.sources.list(for: ada, after: nil, limit: 1).items.first)
            let now = fixture.now
            let old = (0..<Limits.quarantinePerSource).map { index in
                QuarantineEntry(
                    id: ID(at: now.adding(seconds: Int64(index) - 5_000), random: fixture.random),
                    sourceID: source.id.description, receivedAt: now, reason: .markedInvalid
                )
            }
            try await fixture.database.write { tx in
                for entry in old { try QuarantineStore.add(entry, owner: ada.person, item: nil, in: tx) }
            }
            try await fixture.osmand(secret, 91, 0)
            #expect(try await fixture.count("quarantine") == Limits.quarantinePerSource)
            #expect(try await fixture.quarantine(for: ada).first == .placeOutOfRange)
            try await fixture.tracking.sources.delete(source.id, by: Change(actor: ada))
            #expect(try await fixture.count("quarantine") == 0)
        }
    }
}
