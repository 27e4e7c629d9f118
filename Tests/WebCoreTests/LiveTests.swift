import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import NIOEmbedded
import Storage
import Synchronization
import Testing

@testable import WebCore

@Suite("The live stream")
struct LiveTests {
    private static let at = Instant(millisecondsSince1970: 1_767_225_600_000)

    private static func event(_ person: PersonID, _ resource: String, version: Int64 = 1, kind: String = "item")
        -> ChangeEvent
    {
        ChangeEvent(audience: person, kind: kind, resource: resource, version: version, at: at)
    }

    private static func publish(_ site: WebTestServer, _ events: ChangeEvent...) async throws {
        try await site.database.write { tx in
            for event in events { try tx.publish(event) }
        }
    }

    @Test("Each person gets only their own events, and the latest of several changes")
    func fanOut() async throws {
        try await withSite { site async throws in
            let mia = site.sessions.signIn("mia", kind: .cookie)
            let ben = site.sessions.signIn("ben", kind: .cookie)
            let hub = site.web.live
            let first = try await TestListener(mia, on: hub)
            let second = try await TestListener(mia, on: hub)
            let other = try await TestListener(ben, on: hub)
            _ = try await hub.begin()
            try await Self.publish(
                site, Self.event(mia.account.id, "/a", version: 1), Self.event(ben.account.id, "/b"),
                Self.event(mia.account.id, "/c"), Self.event(mia.account.id, "/a", version: 2)
            )
            await hub.drain()
            #expect(try await first.received() == ["/c", "/a"])
            #expect(try await second.received() == ["/c", "/a"])
            #expect(try await other.received() == ["/b"])
        }
    }

    @Test("After another process changes an account or a session, its cache is dropped before delivery")
    func forgets() async throws {
        try await withSite { site async throws in
            let mia = site.sessions.signIn("mia", kind: .cookie)
            let ben = site.sessions.signIn("ben", kind: .cookie)
            let hub = site.web.live
            let listener = try await TestListener(mia, on: hub)
            _ = try await hub.begin()
            try await Self.publish(site, Self.event(mia.account.id, "/a"), Self.event(ben.account.id, "/b"))
            await hub.drain()
            #expect(site.sessions.forgotten.withLock { $0 } == [])
            try await Self.publish(
                site, Self.event(mia.account.id, "/account", kind: "account"),
                Self.event(ben.account.id, "/account/sessions/1", kind: "session")
            )
            await hub.drain()
            #expect(site.sessions.forgotten.withLock { $0 } == [mia.account.id, ben.account.id])
            #expect(try await listener.received() == ["/a", "/account"])
        }
    }

    @Test("A slow reader is dropped, and doesn't delay the others")
    func slowReader() async throws {
        try await withSite { site async throws in
            let mia = site.sessions.signIn("mia", kind: .cookie)
            let hub = site.web.live
            let slow = try await TestListener(mia, on: hub, isBlocked: true)
            _ = try await hub.begin()
            let person = mia.account.id
            try await site.database.write { tx in
                for number in 0...Limits.liveBuffer { try tx.publish(Self.event(person, "/\(number)")) }
            }
            await hub.drain()
            #expect(hub.listenerCount == 1)
            let quick = try await TestListener(mia, on: hub)
            try await Self.publish(site, Self.event(person, "/last"))
            await hub.drain()
            #expect(hub.listenerCount == 1)
            #expect(try await quick.received() == ["/last"])
            try await slow.channel.closeFuture.get()
        }
    }

    @Test("A reader that has read everything gets any number of events at once")
    func manyAtOnce() async throws {
        try await withSite { site async throws in
            let mia = site.sessions.signIn("mia", kind: .cookie)
            let hub = site.web.live
            let stream = try await TestListener(mia, on: hub)
            _ = try await hub.begin()
            let person = mia.account.id
            let resources = (0..<Limits.liveBuffer + 50).map { "/\($0)" }
            try await site.database.write { tx in
                for resource in resources { try tx.publish(Self.event(person, resource)) }
            }
            await hub.drain()
            #expect(try await stream.received() == resources)
            #expect(hub.listenerCount == 1)
        }
    }

    @Test("After its session has ended, a stream gets no event that came with the session's end")
    func nothingAfterEnd() async throws {
        try await withSite { site async throws in
            let mia = site.sessions.signIn("mia", kind: .cookie)
            let hub = site.web.live
            let stream = try await TestListener(mia, on: hub)
            _ = try await hub.begin()
            let end = "/account/sessions/\(mia.session.id)"
            site.sessions.end("mia")
            try await Self.publish(
                site, Self.event(mia.account.id, end, kind: "session"), Self.event(mia.account.id, "/after"))
            await hub.drain()
            try await stream.listener.end()
            #expect(try await stream.received() == [end])
        }
    }

    @Test("A stream ends when the client closes its side of the connection")
    func closedInput() async throws {
        try await withSite { site async throws in
            let mia = site.sessions.signIn("mia", kind: .cookie)
            let stream = try await TestListener(mia, on: site.web.live)
            stream.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            try await stream.listener.end()
        }
    }

    @Test("Heartbeats never drop a listener, and are sent only to one that reads")
    func heartbeats() async throws {
        try await withSite { site async throws in
            let mia = site.sessions.signIn("mia", kind: .cookie)
            let hub = site.web.live
            let slow = try await TestListener(mia, on: hub, isBlocked: true)
            let quick = try await TestListener(mia, on: hub)
            _ = try await hub.begin()
            try await Self.publish(site, Self.event(mia.account.id, "/a"))
            await hub.drain()
            for _ in 0...Limits.liveBuffer { await hub.beat() }
            #expect(hub.listenerCount == 2)
            #expect(try await quick.bodies().filter { $0 == ": \n\n" }.count == Limits.liveBuffer + 1)
            #expect(try await slow.blockedWrites() == 1)
        }
    }

    @Test("A network has a limited number of streams, whichever accounts open them; closing one allows another")
    func networkLimit() async throws {
        try await withSite { site async throws in
            let mia = site.sessions.signIn("mia", kind: .bearer)
            let hub = site.web.live
            let channel = NIOAsyncTestingChannel()
            func listen(_ number: Int, from network: String) throws -> LiveListener {
                let person = PersonID(at: Instant(millisecondsSince1970: 1), series: Int64(number))
                return try hub.listen(person: person, session: mia.session.id, network: network, channel: channel)
            }
            let listeners = try (0..<Limits.liveStreamsPerNetwork).map { try listen($0, from: "192.0.2.1") }
            let error = #expect(throws: AppError.self) { try listen(Limits.liveStreamsPerNetwork, from: "192.0.2.1") }
            #expect(error?.code == .throttled && error?.retryAfterSeconds == Limits.liveHeartbeatSeconds)
            #expect(throws: Never.self) { try listen(0, from: "192.0.2.2") }
            hub.leave(listeners[0])
            #expect(throws: Never.self) { try listen(0, from: "192.0.2.1") }
        }
    }

    @Test("A person has a limited number of streams; closing one allows another")
    func limit() async throws {
        try await withSite { site async throws in
            let mia = site.sessions.signIn("mia", kind: .bearer)
            let ben = site.sessions.signIn("ben", kind: .bearer)
            let hub = site.web.live
            let channel = NIOAsyncTestingChannel()
            func listen(_ identity: Identity) throws -> LiveListener {
                try hub.listen(person: identity.account.id, session: identity.session.id, channel: channel)
            }
            let listeners = try (0..<Limits.liveStreamsPerAccount).map { _ in try listen(mia) }
            let refused = try await site.get("/events", [.authorization: "Bearer mia", .accept: "application/json"])
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "15")
            #expect(refused.text.contains("Too many open pages."))
            #expect(throws: Never.self) { try listen(ben) }
            hub.leave(listeners[0])
            hub.leave(listeners[0])
            #expect(throws: Never.self) { try listen(mia) }
            #expect(hub.listenerCount == Limits.liveStreamsPerAccount + 1)
        }
    }

    @Test("The stream sends changes, and ends when its own session does")
    func stream() async throws {
        try await withSite(.live, runsLive: true) { site async throws in
            let mia = site.sessions.signIn("mia", kind: .bearer)
            let person = mia.account.id
            let session = mia.session.id
            async let response = site.get("/events", [.authorization: "Bearer mia", .accept: "text/event-stream"])
            while !site.web.live.hasOpenStream { await Task.yield() }
            try await Self.publish(site, Self.event(person, "/tracking/items/1", version: 4))
            // Another device's session doesn't end the stream.
            try await Self.publish(site, Self.event(person, "/account/sessions/other", kind: "session"))
            site.sessions.end("mia")
            try await Self.publish(site, Self.event(person, "/account/sessions/\(session)", kind: "session"))
            let got = try await response
            #expect(got.status == .ok)
            #expect(got.headers[.contentType] == "text/event-stream")
            #expect(got.headers[.cacheControl] == "private, no-store")
            let text = got.text
            #expect(text.hasPrefix("retry: 2000\n\n"))
            #expect(
                text.contains(
                    """
                    event: change
                    data: {"at":"2026-01-01T00:00:00.000Z","kind":"item","resource":"/tracking/items/1","version":4}\n\n
                    """))
            #expect(text.contains("/account/sessions/other"))
            #expect(text.hasSuffix("/account/sessions/\(session)\",\"version\":1}\n\n"))
        }
    }

    @Test("A resumed stream gets the missed events once and in order, the latest of each resource")
    func resume() async throws {
        try await withSite(.live, runsLive: true) { site async throws in
            let mia = site.sessions.signIn("mia", kind: .bearer)
            let ben = site.sessions.signIn("ben", kind: .bearer)
            let person = mia.account.id
            try await Self.publish(site, Self.event(person, "/seen"))
            let seen = try await site.database.read { try Outbox.lastSequence(in: $0) }
            try await Self.publish(
                site, Self.event(person, "/a", version: 1), Self.event(ben.account.id, "/b"),
                Self.event(person, "/c"), Self.event(person, "/a", version: 2)
            )
            let headers: HTTPFields = [.authorization: "Bearer mia", .lastEventID: "\(seen)"]
            async let response = site.get("/events", headers)
            while !site.web.live.hasOpenStream { await Task.yield() }
            let end = "/account/sessions/\(mia.session.id)"
            site.sessions.end("mia")
            try await Self.publish(site, Self.event(person, "/d"), Self.event(person, end, kind: "session"))
            let text = try await response.text
            let resources = text.split(separator: "\n").filter { $0.hasPrefix("data:") }.compactMap { line in
                line.split(separator: "\"resource\":\"").last?.split(separator: "\"").first.map(String.init)
            }
            #expect(resources == ["/c", "/a", "/d", end])
            #expect(text.contains("\"version\":2"))
            let ids = text.split(separator: "\n").filter { $0.hasPrefix("id:") }.compactMap { Int64($0.dropFirst(4)) }
            #expect(ids == ids.sorted())
        }
    }

    @Test("A stream continues when it replays the start of its own session, and ends with the session's end")
    func ownBeginning() async throws {
        try await withSite(.live, runsLive: true) { site async throws in
            let mia = site.sessions.signIn("mia", kind: .bearer)
            let person = mia.account.id
            let own = "/account/sessions/\(mia.session.id)"
            try await Self.publish(site, Self.event(person, own, kind: "session"), Self.event(person, "/after"))
            async let response = site.get("/events", [.authorization: "Bearer mia", .lastEventID: "0"])
            while !site.web.live.hasOpenStream { await Task.yield() }
            try await Self.publish(site, Self.event(person, own, version: 2, kind: "session"))
            try await Self.publish(site, Self.event(person, "/live"))
            while site.sessions.lookups.withLock({ $0 }) < 3 { await Task.yield() }
            site.sessions.end("mia")
            try await Self.publish(site, Self.event(person, own, version: 3, kind: "session"))
            let text = try await response.text
            #expect(text.contains("/after"))
            #expect(text.contains("/live"))
            #expect(text.hasSuffix("\(own)\",\"version\":3}\n\n"))
        }
    }

    @Test("An unknown event id starts at the present", arguments: ["999999999", "-5", "x", ""])
    func strangeIDs(_ id: String) async throws {
        try await withSite(.live, runsLive: true) { site async throws in
            let mia = site.sessions.signIn("mia", kind: .bearer)
            let person = mia.account.id
            if id != "-5" { try await Self.publish(site, Self.event(person, "/before")) }
            async let response = site.get("/events", [.authorization: "Bearer mia", .lastEventID: id])
            while !site.web.live.hasOpenStream { await Task.yield() }
            let end = "/account/sessions/\(mia.session.id)"
            site.sessions.end("mia")
            try await Self.publish(site, Self.event(person, end, kind: "session"))
            let text = try await response.text
            #expect(!text.contains("/before"))
            #expect(text.contains(end))
        }
    }

    @Test("Streams end when the server stops, and no new one opens")
    func shutdown() async throws {
        let text = Shared<String?>(nil)
        let hub = Shared<LiveHub?>(nil)
        try await withSite(.live, runsLive: true) { site async throws in
            site.sessions.signIn("mia", kind: .bearer)
            hub.value = site.web.live
            let port = try #require(site.client.port)
            let client = TestClient(host: "localhost", port: port)
            client.connect()
            // Not awaited: the stream must end by the stop that follows this closure.
            Task {
                do {
                    let response = try await client.get("/events", headers: [.authorization: "Bearer mia"])
                    text.value = response.body.map { String(buffer: $0) } ?? "no body"
                } catch {
                    text.value = "\(error)"
                }
                try await client.shutdown()
            }
            while !site.web.live.hasOpenStream { await Task.yield() }
        }
        while text.value == nil { await Task.yield() }
        #expect(text.value?.hasPrefix("retry: 2000") ?? false)
        let stopped = try #require(hub.value)
        while stopped.listenerCount != 0 { await Task.yield() }
        let identity = FakeSessions().signIn("x", kind: .bearer)
        #expect(throws: AppError.self) {
            try stopped.listen(
                person: identity.account.id, session: identity.session.id, channel: NIOAsyncTestingChannel())
        }
    }

    @Test("A client that disconnects is removed")
    func goneClient() async throws {
        try await withSite(.live, runsLive: true) { site async throws in
            site.sessions.signIn("mia", kind: .bearer)
            let port = try #require(site.client.port)
            let client = TestClient(host: "localhost", port: port)
            client.connect()
            let task = Task { try await client.get("/events", headers: [.authorization: "Bearer mia"]) }
            while !site.web.live.hasOpenStream { await Task.yield() }
            try await client.shutdown()
            while site.web.live.listenerCount != 0 { await Task.yield() }
            _ = await task.result
        }
    }

    @Test("A session that ended elsewhere and is still cached here gets no stream")
    func endedElsewhere() async throws {
        try await withSite(.live) { site async throws in
            let mia = site.sessions.signIn("mia", kind: .bearer)
            site.sessions.remainingLookups.withLock { $0[mia.session.id] = 0 }
            let headers = HTTPFields.json.adding(.authorization, "Bearer mia")
            #expect(try await site.get("/events", headers).status == .unauthorized)
            #expect(site.web.live.listenerCount == 0)
        }
    }

    @Test("A stream needs a session")
    func stranger() async throws {
        try await withSite(.live) { site async throws in
            #expect(try await site.get("/events", [.accept: "text/event-stream"]).status == .seeOther)
            #expect(try await site.get("/events", .json).status == .unauthorized)
            site.sessions.signIn("mia", kind: .bearer)
            let head = try await site.send(.head, "/events", [.authorization: "Bearer mia"])
            #expect(head.status == .ok)
            #expect(site.web.live.listenerCount == 0)
        }
    }
}
