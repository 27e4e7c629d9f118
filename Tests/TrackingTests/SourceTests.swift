import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Sources, locate and quarantine")
struct SourceTests {
    @Test("secrets are strong, shown once, and stored only as hash or sealed", arguments: Engine.allCases)
    func secrets(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let made = try await house.service.addSource(SourceInput(kind: .owntracks), by: Change(actor: ada))
            let user = try #require(made.user)
            let passphrase = try #require(made.passphrase)
            // Five bits a character.
            #expect(made.secret.count * 5 >= 128)
            #expect(passphrase.utf8.count <= 32)
            #expect(passphrase.utf8.count * 5 >= 128)
            #expect(made.path == "/ingest/owntracks")
            #expect(made.source.user == user)
            #expect(made.source.speedUnit == nil)
            let stored = try await house.database.read { tx in try tx.row("SELECT * FROM source") }
            let text = "\(try #require(stored))"
            #expect(!text.contains(made.secret))
            #expect(!text.contains(passphrase))
            let sealed: [UInt8] = try #require(stored).get("passphrase")
            #expect(try house.secrets.open(sealed) == Array(passphrase.utf8))

            let osmand = try await house.service.addSource(SourceInput(kind: .osmand), by: Change(actor: ada))
            #expect(osmand.path == "/ingest/osmand?id=\(osmand.secret)")
            #expect(osmand.source.speedUnit == .knots)
            #expect(osmand.user == nil)
            #expect(osmand.passphrase == nil)
            #expect(osmand.setupText(baseURL: "https://h.example") == "https://h.example\(osmand.path)")
            let listed = try await house.service.sources(for: ada, after: nil, limit: 10).items
            #expect(listed.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.osmand, .owntracks])
        }
    }

    @Test("OwnTracks is set up by a link that holds its configuration")
    func setup() async throws {
        try await withHouse(.sqlite) { house in
            let ada = try await house.person()
            let made = try await house.service.addSource(SourceInput(kind: .owntracks), by: Change(actor: ada))
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

    @Test("an item has one tracker at a time", arguments: Engine.allCases)
    func oneTracker(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let (item, _) = try await house.tracked(of: ada)
            let error = await refusal {
                _ = try await house.service.addSource(
                    SourceInput(kind: .owntracks, itemID: item), by: Change(actor: ada))
            }
            #expect(error?.code == .conflict)
            #expect(try await house.count("source") == 1)
        }
    }

    @Test("on and off are not for apps, locate only for OwnTracks", arguments: Engine.allCases)
    func commands(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let change = Change(actor: ada)
            let bare = try await house.item(of: ada).item.id
            let (osmand, _) = try await house.tracked(of: ada)
            let owntracks = try await house.item(of: ada).item.id
            _ = try await house.service.addSource(SourceInput(kind: .owntracks, itemID: owntracks), by: change)
            for item in [bare, osmand, owntracks] {
                for kind in CommandKind.forOwners {
                    let error = await refusal { _ = try await house.service.command(item, kind: kind, by: change) }
                    let isTaken = item == owntracks && kind == .locate
                    #expect((error == nil) == isTaken, "\(kind)")
                    if let error { #expect(error.code == .conflict) }
                }
            }
        }
    }

    @Test("locate goes out with OwnTracks' next report, and the one after it answers", arguments: Engine.allCases)
    func locate(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let item = try await house.item(of: ada).item.id
            let source = try await house.service.addSource(
                SourceInput(kind: .owntracks, itemID: item), by: Change(actor: ada)
            )
            let user = try #require(source.user)
            func send(_ body: [UInt8]) async throws -> String {
                let answer = try await house.service.ingestOwnTracks(user: user, password: source.secret, body: body)
                guard case .accepted(let json) = answer else { return "\(answer)" }
                return String(decoding: json, as: UTF8.self)
            }
            func state() async throws -> CommandState? {
                let page = try await house.service.commands(of: item, for: ada, after: nil, limit: 1)
                return page.items.first?.state
            }
            let request = #"[{"_type":"cmd","action":"reportLocation"}]"#
            #expect(try await send(OwnTracksApp.location(1, 2, at: house.now)) == "[]")
            _ = try await house.service.command(item, kind: .locate, by: Change(actor: ada))
            #expect(try await state() == .queued)
            house.clock.advance(seconds: 10)
            #expect(try await send(OwnTracksApp.location(1, 2, at: house.now)) == request)
            #expect(try await state() == .sent)
            #expect(try await send([]) == request)
            house.clock.advance(seconds: 10)
            #expect(try await send(OwnTracksApp.location(1, 3, at: house.now)) == "[]")
            #expect(try await state() == .applied)
            #expect(try await send([]) == "[]")
            _ = try await house.service.command(item, kind: .locate, by: Change(actor: ada))
            house.clock.advance(seconds: 20 * 60)
            #expect(try await send(OwnTracksApp.location(1, 4, at: house.now)) == "[]")
            #expect(try await state() == .expired)
        }
    }

    @Test("quarantine is listed newest first, bounded, aged out, and private", arguments: Engine.allCases)
    func quarantine(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let eve = try await house.person("Eve")
            let (_, secret) = try await house.tracked(of: ada)
            let queries: [(more: [String: String], reason: QuarantineReason)] = [
                (["valid": "false"], .markedInvalid), (["timestamp": "soon"], .unreadableTime),
                (["lat": "91"], .placeOutOfRange), (["lat": "north"], .unreadableNumber),
            ]
            for (more, _) in queries {
                house.clock.advance(milliseconds: 1)
                #expect(try await house.osmand(secret, 1, 2, more) == .accepted)
            }
            let page = try await house.service.quarantine(for: ada, after: nil, limit: 3)
            #expect(page.items.map(\.reason) == Array(queries.map(\.reason).reversed().prefix(3)))
            #expect(page.items.first?.receivedAt == house.now)
            let rest = try await house.service.quarantine(for: ada, after: page.next, limit: 3)
            #expect(rest.items.map(\.reason) == [.markedInvalid])
            #expect(try await house.service.quarantine(for: eve, after: nil, limit: 3).items.isEmpty)
            house.clock.advance(seconds: Limits.quarantineSeconds)
            try await house.service.housekeeping()
            #expect(try await house.quarantine(for: ada).count == 1)
            house.clock.advance(milliseconds: 10)
            try await house.service.housekeeping()
            #expect(try await house.quarantine(for: ada).isEmpty)
        }
    }

    @Test("of one source at most so many entries are kept, the newest", arguments: Engine.allCases)
    func quarantineLimit(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let (_, secret) = try await house.tracked(of: ada)
            let source = try #require(await house.service.sources(for: ada, after: nil, limit: 1).items.first)
            let now = house.now
            let old = (0..<Limits.quarantinePerSource).map { index in
                QuarantineEntry(
                    id: ID(at: now.adding(seconds: Int64(index) - 5_000), random: house.random),
                    sourceID: source.id.description, receivedAt: now, reason: .markedInvalid
                )
            }
            try await house.database.write { tx in
                for entry in old { try QuarantineStore.add(entry, owner: ada.person, item: nil, in: tx) }
            }
            try await house.osmand(secret, 91, 0)
            #expect(try await house.count("quarantine") == Limits.quarantinePerSource)
            #expect(try await house.quarantine(for: ada).first == .placeOutOfRange)
            try await house.service.deleteSource(source.id, by: Change(actor: ada))
            #expect(try await house.count("quarantine") == 0)
        }
    }
}
