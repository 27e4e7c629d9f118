import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Live links")
struct LiveLinkTests {
    private static let address = "192.0.2.9"

    private func create(
        _ item: ID<Item>?, _ duration: LiveLinkDuration = .hour, showsName: Bool = false, by actor: Actor,
        _ fixture: TrackingFixture
    ) async throws -> (entry: LiveLinkEntry, secret: String) {
        try await fixture.tracking.liveLinks.create(
            LiveLinkInput(item: item, duration: duration, showsName: showsName), by: Change(actor: actor))
    }

    private func view(_ secret: String, _ fixture: TrackingFixture) async throws -> LiveLinkView {
        try await fixture.tracking.liveLinkViews.view(secret, clientAddress: Self.address)
    }

    private func refusalCode(_ secret: String, _ fixture: TrackingFixture) async -> AppError.Code? {
        let error = await refusal {
            _ = try await fixture.tracking.liveLinkViews.view(secret, clientAddress: Self.address)
        }
        return error?.code
    }

    /// The text of the next event.
    private func next(_ viewer: LiveLinkViewer) async -> String? {
        for await event in viewer.events { return String(decoding: event, as: UTF8.self) }
        return nil
    }

    @Test("A link shows no position from before its creation", arguments: Engine.allCases)
    func noHistory(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked("Bike", of: ada)
            try await fixture.item(secret, metres: 5)
            try await fixture.phone(of: ada, metres: 7)
            fixture.clock.advance(seconds: 1)
            let ofItem = try await create(item, by: ada, fixture).secret
            let ofPerson = try await create(nil, by: ada, fixture).secret
            #expect(try await view(ofItem, fixture).position == nil)
            #expect(try await view(ofPerson, fixture).position == nil)
            try await fixture.item(secret, metres: 9, at: fixture.now.adding(seconds: -1))
            #expect(try await view(ofItem, fixture).position == nil, "it was there before the link")
            try await fixture.item(secret, metres: 10, at: fixture.now.adding(seconds: 1), ["accuracy": "8"])
            try await fixture.phone(of: ada, metres: 20, accuracyMetres: 6, at: fixture.now.adding(seconds: 1))
            let shared = try #require(try await view(ofItem, fixture).position)
            #expect(shared.accuracyMetres == 8 && shared.at == fixture.now.adding(seconds: 1))
            #expect(try await view(ofPerson, fixture).position?.accuracyMetres == 6)
        }
    }

    @Test("New links at the same time don't exceed the limit together", arguments: Engine.allCases)
    func limit(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let refused = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<2 * Limits.liveLinksPerAccount {
                    group.addTask {
                        do {
                            _ = try await create(nil, by: ada, fixture)
                            return false
                        } catch {
                            return (error as? AppError)?.code == .conflict
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(refused == Limits.liveLinksPerAccount)
            #expect(try await fixture.count("live_link") == Limits.liveLinksPerAccount)
        }
    }

    @Test("A link ends by its time, by its owner and with the access to its item", arguments: Engine.allCases)
    func ending(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let item = try await fixture.item(of: ada).item.id
            let service = fixture.tracking.liveLinks
            let stranger = await refusal { _ = try await create(item, by: eve, fixture) }
            #expect(stranger?.code == .notFound)
            let short = try await create(item, .quarterHour, by: ada, fixture)
            let long = try await create(item, .week, by: ada, fixture)
            fixture.clock.advance(seconds: 15 * 60 - 1)
            #expect(await refusalCode(short.secret, fixture) == nil)
            fixture.clock.advance(seconds: 1)
            #expect(await refusalCode(short.secret, fixture) == .notFound)
            let foreign = await refusal {
                try await service.revoke(long.entry.link.id, by: Change(actor: eve))
            }
            #expect(foreign?.code == .notFound)
            #expect(await refusalCode(long.secret, fixture) == nil)
            try await service.revoke(long.entry.link.id, by: Change(actor: ada))
            #expect(await refusalCode(long.secret, fixture) == .notFound)
            for ended in [short, long] {
                let again = await refusal {
                    try await service.revoke(ended.entry.link.id, by: Change(actor: ada))
                }
                #expect(again?.code == .notFound)
            }
            let states = try await service.list(for: ada, after: nil, limit: 10).items.map(\.state)
            #expect(states == [.revoked, .expired])
            let last = try await create(item, by: ada, fixture)
            try await fixture.database.write { tx in
                try tx.execute("UPDATE account SET disabled_at = 1 WHERE id = \(ada.person)")
            }
            #expect(await refusalCode(last.secret, fixture) == .notFound)
            try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: ada))
            #expect(try await fixture.count("live_link") == 0)
        }
    }

    @Test(
        "The owner of an item sees and ends the links of those who manage it, and both are notified",
        arguments: Engine.allCases)
    func linksOfOthers(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let ben = try await fixture.member(.manage, of: item, by: ada)
            let cleo = try await fixture.member(.locate, of: item, by: ada)
            func seen(by actor: Actor) async throws -> [ID<LiveLink>] {
                try await fixture.tracking.itemDetails.details(of: item, for: actor, fixes: 1).liveLinks.map(\.link.id)
            }
            func notified(_ actor: Actor) async throws -> [String] {
                try await fixture.notices().filter { $0.person == actor.person }.compactMap { $0.details["event"] }
            }
            let link = try await create(item, by: ben, fixture)
            fixture.clock.advance(seconds: 1)
            let own = try await create(item, by: ada, fixture)
            let ids = [link.entry.link.id, own.entry.link.id]
            #expect(try await seen(by: ada) == ids)
            #expect(try await seen(by: ben) == ids)
            #expect(try await seen(by: cleo).isEmpty, "who only locates it isn't told")
            #expect(try await notified(ada).contains("linked"))
            let service = fixture.tracking.liveLinks
            for (actor, id) in [(cleo, ids[0]), (ben, ids[1])] {
                let error = await refusal { try await service.revoke(id, by: Change(actor: actor)) }
                #expect(error?.code == .notFound)
            }
            try await service.revoke(ids[0], by: Change(actor: ada))
            #expect(await refusalCode(link.secret, fixture) == .notFound)
            #expect(await refusalCode(own.secret, fixture) == nil)
            #expect(try await seen(by: ada) == [ids[1]])
            #expect(try await notified(ben).contains("unlinked"))
        }
    }

    @Test("An account has a limited number of open links, and unknown secrets are throttled")
    func limits() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            for _ in 1...Limits.liveLinksPerAccount { _ = try await create(nil, .quarterHour, by: ada, fixture) }
            let full = await refusal { _ = try await create(nil, by: ada, fixture) }
            #expect(full?.code == .conflict)
            fixture.clock.advance(seconds: 15 * 60)
            let link = try await create(nil, by: ada, fixture)
            for _ in 1...Limits.publicSecretFailures {
                #expect(
                    await refusalCode(Token.make(byteCount: Limits.publicSecretBytes, random: fixture.random), fixture)
                        == .notFound)
            }
            #expect(await refusalCode(link.secret, fixture) == .throttled)
        }
    }

    @Test("Only the first name is shown, and only if the owner chooses it")
    func name() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person("Ada Lovelace")
            let silent = try await create(nil, by: ada, fixture).secret
            let named = try await create(nil, showsName: true, by: ada, fixture).secret
            #expect(try await view(silent, fixture).name == nil)
            #expect(try await view(named, fixture).name == "Ada")
        }
    }

    @Test(
        "A revoked link ends its pages on every node, and open pages are counted over all nodes",
        arguments: Engine.allCases)
    func nodes(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, device) = try await fixture.tracked(of: ada)
            let other = try fixture.otherNode()
            let service = fixture.tracking.liveLinks
            let (entry, secret) = try await create(item, by: ada, fixture)
            let first = try await fixture.tracking.liveLinkViews.join(secret, clientAddress: Self.address)
            let second = try await other.liveLinkViews.join(secret, clientAddress: Self.address)
            #expect(await next(first) == "event: position\ndata: null\n\n")
            #expect(await next(second) == "event: position\ndata: null\n\n")
            #expect(try await service.list(for: ada, after: nil, limit: 1).items.first?.viewerCount == 2)

            try await fixture.item(device, metres: 100)
            try await fixture.tracking.liveLinkHub.poll()
            try await other.liveLinkHub.poll()
            try await other.liveLinkHub.poll()
            #expect(await next(first)?.contains("\"latitude\":0.0008993") == true)
            #expect(await next(second)?.contains("\"longitude\":1") == true)

            try await service.revoke(entry.link.id, by: Change(actor: ada))
            try await fixture.tracking.liveLinkHub.poll()
            try await other.liveLinkHub.poll()
            for viewer in [first, second] {
                #expect(await next(viewer) == "event: end\ndata: {}\n\n")
                #expect(await next(viewer) == nil)
            }
            #expect(fixture.tracking.liveLinkHub.viewerCount == 0 && other.liveLinkHub.viewerCount == 0)
        }
    }

    @Test("Pages of a node that died stop counting, and a link has a limited number of pages")
    func viewers() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let (entry, secret) = try await create(nil, by: ada, fixture)
            let views = fixture.tracking.liveLinkViews
            for _ in 1...Limits.liveViewersPerLink { _ = try await views.join(secret, clientAddress: Self.address) }
            let full = await refusal { _ = try await views.join(secret, clientAddress: Self.address) }
            #expect(full?.code == .throttled)
            #expect(fixture.tracking.liveLinkHub.viewerCount == Limits.liveViewersPerLink)
            func count() async throws -> Int? {
                try await fixture.tracking.liveLinks.link(entry.link.id, for: ada).entry.viewerCount
            }
            fixture.clock.advance(seconds: Limits.liveViewerSeconds - 1)
            #expect(try await count() == Limits.liveViewersPerLink)
            fixture.clock.advance(seconds: 1)
            #expect(try await count() == 0)
            try await fixture.tracking.liveLinkHub.beat()
            #expect(try await count() == Limits.liveViewersPerLink)
        }
    }

    @Test("A link until they meet ends near the recipient, whose position isn't stored", arguments: Engine.allCases)
    func meeting(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (_, secret) = try await create(nil, .untilMet, by: ada, fixture)
            func meet(metres: Double, accuracy: Double? = 10) async throws -> Bool {
                let place = try #require(
                    Coordinate(latitude: metres / TrackingFixture.metresPerDegree, longitude: TrackingFixture.meridian))
                return try await fixture.tracking.liveLinkViews.meet(
                    secret, at: place, accuracyMetres: accuracy, clientAddress: Self.address)
            }
            #expect(try await !meet(metres: 0), "there is no position yet")
            try await fixture.phone(of: ada, metres: 0, accuracyMetres: 10)
            #expect(try await !meet(metres: 51))
            #expect(try await !meet(metres: 10, accuracy: 51))
            #expect(try await !meet(metres: 10, accuracy: nil))
            fixture.clock.advance(seconds: 121)
            #expect(try await !meet(metres: 10), "the shared position is old")
            try await fixture.phone(of: ada, metres: 0, accuracyMetres: 10)
            #expect(try await meet(metres: 49))
            #expect(await refusalCode(secret, fixture) == .notFound)
            #expect(try await fixture.notices().map(\.kind) == ["liveLinkMet"])
            #expect(try await fixture.count("phone_position") == 1)
            let plain = try await create(nil, by: ada, fixture).secret
            let refused = await refusal {
                _ = try await fixture.tracking.liveLinkViews.meet(
                    plain, at: try #require(Coordinate(latitude: 0, longitude: TrackingFixture.meridian)),
                    accuracyMetres: 1,
                    clientAddress: Self.address)
            }
            #expect(refused?.code == .conflict)
        }
    }

    @Test("An account's export has its links without their secrets, and its deletion deletes them")
    func account() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let (_, secret) = try await create(nil, by: ada, fixture)
            let handler = fixture.tracking.dataHandler
            let files = try await fixture.database.read { tx in try handler.export(ada.person, in: tx) }
            let links = try #require(files.first { $0.path == "tracking/live-links.json" })
            let text = String(decoding: links.contents, as: UTF8.self)
            #expect(text.contains("\"untilMet\"") && !text.contains(secret))
            try await fixture.database.write { tx in try handler.erase(ada.person, in: tx) }
            #expect(try await fixture.count("live_link") == 0)
        }
    }
}
