import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import Server
import Storage
import Synchronization
import TestSupport
import Testing

@testable import WebCore

@Suite("HTTP/2", .timeLimit(.minutes(3)))
struct HTTP2Tests {
    /// Limits that no test reaches by accident.
    static let long = ConnectionLimits(grace: .minutes(10), perNetwork: 1_000)
    /// Limits that a slow client reaches soon, and a busy machine doesn't.
    static let short = ConnectionLimits(grace: .seconds(3), bytesPerSecond: 1_000_000, perNetwork: 1_000)
    /// Longer than these limits.
    static let pause = Duration.seconds(5)

    /// Calls `body` with a TLS server and its port.
    static func withTLS(
        _ limits: ConnectionLimits = long, _ body: @escaping @Sendable (ServerHarness, Int) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try await withServer(settings: try TestCertificate.settings(in: folder)) { harness async throws in
            try await harness.server.application(limits: limits).test(.live) { client in
                try await body(harness, try #require(client.port))
            }
        }
    }

    static func open(_ client: HTTP2TestClient, _ token: String, after last: Int64? = nil) -> UInt32 {
        let resumption = last.map { [("last-event-id", "\($0)")] } ?? []
        return client.request("GET", "/events", [("authorization", "Bearer \(token)")] + resumption)
    }

    // MARK: Negotiation and requests

    @Test(
        "A client gets HTTP/2 if it offers it, and else HTTP/1.1",
        arguments: [
            (["h2", "http/1.1"], "h2"), (["http/1.1", "h2"], "h2"), (["h2"], "h2"), (["http/1.1"], "http/1.1"),
            ([], nil), (["spdy/3"], nil),
        ] as [([String], String?)])
    func negotiation(offer: [String], expected: String?) async throws {
        try await Self.withTLS { _, port async throws in
            let client = try await HTTP2TestClient(port: port, protocols: offer, settings: expected == "h2" ? [] : nil)
            #expect(client.negotiated == expected)
            guard expected == "h2" else { return }
            let settings = try #require(client.settings)
            #expect(settings.kind == .settings)
            let values = stride(from: 0, to: settings.payload.count, by: 6).map {
                Array(settings.payload[$0..<($0 + 6)])
            }
            // SETTINGS_MAX_CONCURRENT_STREAMS and SETTINGS_MAX_HEADER_LIST_SIZE.
            #expect(values.contains([0, 3] + HTTP2TestFrame.bytes(UInt32(Limits.http2Streams))))
            #expect(values.contains([0, 6] + HTTP2TestFrame.bytes(UInt32(Limits.headerBytes))))
            #expect(await client.isServed())
        }
    }

    @Test("Without TLS, the server speaks no HTTP/2")
    func plain() async throws {
        try await withServer(.sqlite, .live) { harness async throws in
            let connection = try RawConnection(port: try #require(harness.client.port))
            #expect(connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
            var answer: [UInt8] = []
            let end = ContinuousClock.now + .seconds(60)
            while let bytes = connection.receive(), ContinuousClock.now < end {
                answer += bytes
                await Task.yield()
            }
            #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test("A body arrives whole from several frames, also without a declared length")
    func body() async throws {
        try await Self.withTLS { harness, port async throws in
            let client = try await HTTP2TestClient(port: port)
            let fields = [("content-type", "application/json"), ("accept", "application/json")]
            let stream = client.request("POST", "/accounts", fields, isComplete: false)
            client.body(#"{"email":"mia@example.org","#, on: stream, isLast: false)
            client.body(#""password":"correct horse","name":"Mia"}"#, on: stream)
            #expect(await client.status(on: stream) == "201")
            let token = try await harness.join("ben@example.org")
            let credential = [("authorization", "Bearer \(token)")] + fields
            let large = client.request("POST", "/tracking/items", credential, isComplete: false)
            // The server opens the stream's window of 64 KiB again when it has read half of it: four frames of 8 KiB.
            let chunk = String(repeating: " ", count: Limits.bodyBytes / 32)
            for number in 1...33 {
                client.body(chunk, on: large, isLast: false)
                if number % 4 == 0 { _ = await client.next { $0.kind == .windowUpdate && $0.stream == large } }
            }
            #expect(await client.status(on: large) == "413")
        }
    }

    @Test("HEAD of the live stream has a head and an end")
    func headOfStream() async throws {
        try await Self.withTLS { harness, port async throws in
            let client = try await HTTP2TestClient(port: port)
            let token = try await harness.join()
            let stream = client.request("HEAD", "/events", [("authorization", "Bearer \(token)")])
            #expect(await client.status(on: stream) == "200")
            let end = try #require(await client.next { $0.stream == stream })
            #expect(end.endsStream && end.payload.isEmpty)
        }
    }

    // MARK: The live stream

    @Test("A live stream sends events and heartbeats, isn't cut by a reader's frames, and ends with its session")
    func liveStream() async throws {
        try await Self.withTLS(Self.short) { harness, port async throws in
            let token = try await harness.join()
            let client = try await HTTP2TestClient(port: port)
            let stream = Self.open(client, token)
            #expect(await client.receives("id: ", on: stream))
            // Longer than a request may last.
            let end = ContinuousClock.now + Self.pause
            while ContinuousClock.now < end {
                // The server doesn't answer them.
                client.send(
                    HTTP2TestFrame(.windowUpdate, HTTP2TestFrame.bytes(1)),
                    HTTP2TestFrame(.windowUpdate, stream: stream, HTTP2TestFrame.bytes(1)))
                try await Task.sleep(for: .milliseconds(200))
            }
            await harness.server.web.live.beat()
            #expect(await client.receives(": \n\n", on: stream))
            let added = try await harness.send(.post, "/tracking/items", #"{"name":"Keys"}"#, token: token)
            #expect(added.status == .created)
            #expect(await client.receives(#""kind":"item""#, on: stream))
            // Other requests share the connection.
            #expect(await client.isServed())
            _ = try await harness.send(.delete, "/session", token: token)
            let last = await client.next { $0.stream == stream && ($0.endsStream || $0.kind == .reset) }
            #expect(last?.endsStream == true)
            while harness.server.web.live.listenerCount != 0 { await Task.yield() }
        }
    }

    @Test("A live stream resumes after its last event, and leaves the hub when the client is gone")
    func resumption() async throws {
        try await Self.withTLS { harness, port async throws in
            let token = try await harness.join()
            let client = try await HTTP2TestClient(port: port)
            let first = Self.open(client, token)
            #expect(await client.receives("id: ", on: first))
            client.send(HTTP2TestFrame(.reset, stream: first, HTTP2TestFrame.bytes(8)))
            while harness.server.web.live.listenerCount != 0 { await Task.yield() }
            let last = try await harness.services.database.read { try Outbox.lastSequence(in: $0) }
            _ = try await harness.send(.post, "/tracking/items", #"{"name":"Keys"}"#, token: token)
            let second = Self.open(client, token, after: last)
            #expect(await client.receives(#""kind":"item""#, on: second))
            try await client.close()
            while harness.server.web.live.listenerCount != 0 { await Task.yield() }
        }
    }

    @Test("A client that doesn't read its live stream loses that stream alone")
    func droppedStream() async throws {
        try await Self.withTLS { harness, port async throws in
            let token = try await harness.join()
            // No stream gets a window.
            let client = try await HTTP2TestClient(port: port, settings: [(HTTP2TestClient.initialWindow, 0)])
            let stream = Self.open(client, token)
            #expect(await client.status(on: stream) == "200")
            while !harness.server.web.live.hasOpenStream { await Task.yield() }
            var batch = 0
            while harness.server.web.live.listenerCount != 0 {
                let (number, now) = (batch, harness.clock.now)
                try await harness.services.database.write { transaction in
                    try transaction.publish(
                        (0..<100).map { index in
                            ChangeEvent(
                                audience: ChangeEvent.everyone, kind: "item", resource: "/\(number)/\(index)",
                                version: 1,
                                at: now)
                        })
                }
                batch += 1
            }
            #expect(await client.resetCode(of: stream) != nil)
            #expect(await client.isServed())
        }
    }

    @Test("A server that stops ends the streams, sends GOAWAY and closes the connection")
    func shutdown() async throws {
        let found = Mutex<(client: HTTP2TestClient, idle: HTTP2TestClient, stream: UInt32)?>(nil)
        try await Self.withTLS(ConnectionLimits(closing: .seconds(1))) { harness, port async throws in
            let token = try await harness.join()
            let client = try await HTTP2TestClient(port: port)
            let idle = try await HTTP2TestClient(port: port)
            #expect(await idle.isServed())
            let stream = Self.open(client, token)
            #expect(await client.receives("id: ", on: stream))
            found.withLock { $0 = (client, idle, stream) }
        }
        let (client, idle, stream) = try #require(found.withLock { $0 })
        // None of the clients has answered the server's PING.
        let frames = await client.rest()
        #expect(frames.contains { $0.stream == stream && $0.endsStream })
        #expect(frames.contains { $0.kind == .goAway && $0.errorCode == 0 })
        #expect(await idle.rest().contains { $0.kind == .goAway && $0.errorCode == 0 })
    }
}
