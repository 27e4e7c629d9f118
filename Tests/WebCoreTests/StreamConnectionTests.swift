import Accounts
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import Kernel
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Storage
import Synchronization
import Testing

@testable import WebCore

@Suite("The connection of a stream")
struct StreamConnectionTests {
    private static func listener(
        on hub: LiveHub, of site: WebTestServer, withCodec: Bool, isBlocked: Bool = false
    ) async throws -> (LiveListener, NIOAsyncTestingChannel) {
        let channel = NIOAsyncTestingChannel()
        try await channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            if isBlocked { try pipeline.addHandler(BlockedWrites()) }
            if withCodec { try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false)) }
        }.get()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        let mia = site.sessions.signIn("mia", kind: .bearer)
        let listener = try hub.listen(person: mia.account.id, session: mia.session.id, channel: channel)
        #expect(try await listener.watchInput() == withCodec)
        return (listener, channel)
    }

    @Test("Stays open after its task, gets events, and is closed after the end of the response")
    func outlivesTask() async throws {
        try await withSite { site async throws in
            let (listener, channel) = try await Self.listener(on: site.web.live, of: site, withCodec: true)
            #expect(try await listener.open(after: 0))
            // What Hummingbird does at the end of a task.
            try await channel.close(mode: .output)
            try await channel.close()
            #expect(channel.isActive)
            try await channel.eventLoop.submit { listener.beat() }.get()
            guard
                case .body(.byteBuffer(let heartbeat)) = try await channel.readOutbound(as: HTTPServerResponsePart.self)
            else {
                Issue.record("no heartbeat was written")
                return
            }
            #expect(String(buffer: heartbeat) == ": \n\n")
            listener.finish()
            try await channel.closeFuture.get()
            guard case .end = try await channel.readOutbound(as: HTTPServerResponsePart.self) else {
                Issue.record("the response has no end")
                return
            }
        }
    }

    @Test("A dropped stream closes it at once, even during a blocked write", .timeLimit(.minutes(5)))
    func drop() async throws {
        try await withSite { site async throws in
            let (listener, channel) = try await Self.listener(
                on: site.web.live, of: site, withCodec: true, isBlocked: true)
            #expect(try await listener.open(after: 0))
            listener.drop()
            try await channel.closeFuture.get()
        }
    }

    @Test("A stream that has already ended doesn't keep it open")
    func ended() async throws {
        try await withSite { site async throws in
            let (listener, channel) = try await Self.listener(on: site.web.live, of: site, withCodec: true)
            listener.finish()
            #expect(try await listener.open(after: 0) == false)
            try await channel.close()
            #expect(!channel.isActive)
        }
    }

    @Test("A stream of HTTP/2 ends with its task")
    func otherProtocol() async throws {
        try await withSite { site async throws in
            let (listener, channel) = try await Self.listener(on: site.web.live, of: site, withCodec: false)
            #expect(try await listener.open(after: 0) == false)
            try await channel.close()
            #expect(!channel.isActive)
        }
    }

    @Test("It is closed after a stream whose session ended before it was open", .timeLimit(.minutes(5)))
    func missedEnd() async throws {
        let ends = Ends()
        let server = HTTPServerBuilder { CountedChannel(base: HTTP1Channel(responder: $0), ends: ends) }
        try await withSite(.live, runsLive: true, server: server) { site async throws in
            let mia = site.sessions.signIn("mia", kind: .bearer)
            let end = "/account/sessions/\(mia.session.id)"
            try await site.database.write { tx in
                try tx.publish(
                    ChangeEvent(
                        audience: mia.account.id, kind: "session", resource: end, version: 1,
                        at: Instant(millisecondsSince1970: 0)))
            }
            // Valid when the stream begins, and not when the missed event has been sent.
            site.sessions.remainingLookups.withLock { $0[mia.session.id] = 1 }
            try await site.withPatientClient { client in
                let response = try await client.get(
                    "/events", headers: [.authorization: "Bearer mia", .lastEventID: "0"])
                #expect(response.headers[.connection] == "close")
                #expect(try String(buffer: #require(response.body)).contains(end))
                while ends.count.withLock({ $0 }) == 0 { await Task.yield() }
            }
        }
    }

    @Test(
        "On the server, its task ends while the stream stays open; the stream ends with its session",
        .timeLimit(.minutes(5)))
    func server() async throws {
        let ends = Ends()
        let server = HTTPServerBuilder { CountedChannel(base: HTTP1Channel(responder: $0), ends: ends) }
        try await withSite(.live, runsLive: true, server: server) { site async throws in
            let mia = site.sessions.signIn("mia", kind: .bearer)
            try await site.withPatientClient { client in
                async let response = client.get("/events", headers: [.authorization: "Bearer mia"])
                while ends.count.withLock({ $0 }) == 0 { await Task.yield() }
                #expect(site.web.live.listenerCount == 1)
                let end = "/account/sessions/\(mia.session.id)"
                site.sessions.end("mia")
                try await site.database.write { tx in
                    for (kind, resource) in [("item", "/tracking/items/1"), ("session", end)] {
                        try tx.publish(
                            ChangeEvent(
                                audience: mia.account.id, kind: kind, resource: resource, version: 1,
                                at: Instant(millisecondsSince1970: 0)))
                    }
                }
                // So that no other request is sent over the connection.
                #expect(try await response.headers[.connection] == "close")
                let text = try await String(buffer: #require(response.body))
                #expect(text.contains("/tracking/items/1"))
                #expect(text.contains(end))
            }
            while site.web.live.listenerCount != 0 { await Task.yield() }
        }
    }
}

/// The number of connections whose task has ended.
private final class Ends: Sendable {
    let count = Mutex(0)
}

private struct CountedChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let base: HTTP1Channel
    let ends: Ends

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger)
    }

    func handle(value: Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
        ends.count.withLock { $0 += 1 }
    }
}
