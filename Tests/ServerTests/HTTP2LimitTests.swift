import Foundation
import HummingbirdTesting
import Kernel
import NIOCore
import Server
import Testing

@Suite("Limits of HTTP/2", .timeLimit(.minutes(3)))
struct HTTP2LimitTests {
    private enum Code {
        static let refusedStream: UInt32 = 7
        static let enhanceYourCalm: UInt32 = 11
    }

    private static let json = [("content-type", "application/json"), ("accept", "application/json")]

    // MARK: Slow and idle clients

    @Test("A body that arrives too slowly, or not at all, resets its stream; the connection serves others")
    func slowBody() async throws {
        try await HTTP2Tests.withTLS(HTTP2Tests.short) { _, port async throws in
            let client = try await HTTP2TestClient(port: port)
            let slow = client.request("POST", "/accounts", Self.json, isComplete: false)
            let silent = client.request("POST", "/accounts", Self.json, isComplete: false)
            let trickle = Task {
                while !Task.isCancelled {
                    client.body("a", on: slow, isLast: false)
                    // Responses on other streams don't excuse this one.
                    client.request("GET", "/health/live")
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            defer { trickle.cancel() }
            var open: Set<UInt32> = [slow, silent]
            while !open.isEmpty {
                let reset = try #require(await client.next { $0.kind == .reset && open.contains($0.stream) })
                open.remove(reset.stream)
            }
            #expect(await client.isServed())
        }
    }

    @Test("A response that a client's windows don't take resets its stream", arguments: [true, false])
    func slowReader(ofStream: Bool) async throws {
        try await HTTP2Tests.withTLS(HTTP2Tests.short) { _, port async throws in
            // The window of the connection has 65,535 bytes, and the file more.
            let window: UInt32 = ofStream ? 0 : 1_000_000
            let client = try await HTTP2TestClient(port: port, settings: [(HTTP2TestClient.initialWindow, window)])
            let stream = client.request("GET", "/static/none/vendor/world.json")
            #expect(await client.resetCode(of: stream) != nil)
            #expect(!client.isClosed)
            if !ofStream {
                // The end of a response has no bytes, but waits for the window, too.
                let empty = client.request("GET", "/account/settings")
                #expect(await client.resetCode(of: empty) != nil)
            } else {
                #expect(await client.isServed())
            }
        }
    }

    @Test("Windows begin no request: a connection serves its next request after any pause")
    func pause() async throws {
        try await HTTP2Tests.withTLS(HTTP2Tests.short) { _, port async throws in
            let client = try await HTTP2TestClient(port: port)
            #expect(await client.isServed())
            client.send(HTTP2TestFrame(.windowUpdate, HTTP2TestFrame.bytes(1)))
            try await Task.sleep(for: HTTP2Tests.pause)
            client.send(HTTP2TestFrame(.windowUpdate, HTTP2TestFrame.bytes(1)))
            #expect(await client.isServed())
        }
    }

    @Test(
        "A connection without requests gets GOAWAY and is closed, even if its client doesn't answer",
        arguments: ["no preface", "no request", "a request", "a trickling head"])
    func idle(before: String) async throws {
        // A busy machine takes less time to connect and to serve a request.
        let limits = ConnectionLimits(idle: .seconds(3), closing: .seconds(1))
        try await HTTP2Tests.withTLS(limits) { _, port async throws in
            let client = try await HTTP2TestClient(port: port, settings: before == "no preface" ? nil : [])
            if before == "a request" { #expect(await client.isServed()) }
            let trickle = Task {
                guard before == "a trickling head" else { return }
                // The header of a frame of 1,000 bytes.
                client.write([0, 3, 232, 1, 4, 0, 0, 0, 1])
                while !Task.isCancelled {
                    client.write([0])
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            defer { trickle.cancel() }
            let frames = await client.rest()
            #expect(frames.contains { $0.kind == .goAway && $0.errorCode == 0 })
        }
    }

    // MARK: Networks

    @Test(
        "One network, and all together, have a limited number of open streams; a refused stream may be tried again",
        arguments: [(3, 1_000), (1_000, 3)])
    func openStreams(perNetwork: Int, inAll: Int) async throws {
        let limits = ConnectionLimits(grace: .minutes(10), perNetwork: perNetwork, streamsInAll: inAll)
        try await HTTP2Tests.withTLS(limits) { _, port async throws in
            let clients = [try await HTTP2TestClient(port: port), try await HTTP2TestClient(port: port)]
            var open = clients.map { $0.request("POST", "/accounts", Self.json, isComplete: false) }
            open.append(clients[0].request("POST", "/accounts", Self.json, isComplete: false))
            await clients[0].roundTrip()
            let refused = clients[1].request("GET", "/health/live")
            #expect(await clients[1].resetCode(of: refused) == Code.refusedStream)
            #expect(!clients[1].isClosed)
            clients[0].body("{}", on: open[0])
            #expect(await clients[0].status(on: open[0]) == "422")
            // The head of the response arrives before the stream has closed.
            let end = ContinuousClock.now + .seconds(60)
            var isServed = false
            while !isServed, ContinuousClock.now < end {
                isServed = await clients[1].isServed()
                await Task.yield()
            }
            #expect(isServed)
        }
    }

    @Test("One connection has a limited number of open streams; one that exceeds it is closed")
    func streams() async throws {
        try await HTTP2Tests.withTLS { _, port async throws in
            let client = try await HTTP2TestClient(port: port)
            for _ in 0..<Limits.http2Streams { client.request("POST", "/accounts", Self.json, isComplete: false) }
            await client.roundTrip()
            #expect(!client.isClosed)
            client.request("GET", "/health/live")
            #expect(await client.rest().contains { $0.kind == .goAway })
        }
    }

    // MARK: Headers

    @Test("Headers have a limit, and those below it are accepted", arguments: [30_000, 40_000])
    func headers(bytes: Int) async throws {
        try await HTTP2Tests.withTLS { _, port async throws in
            let client = try await HTTP2TestClient(port: port)
            let stream = client.openStream()
            let block = HTTP2TestFrame.headerBlock([
                (":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/health/live"),
                ("x-long", String(repeating: "a", count: bytes)),
            ])
            let (first, rest) = (Array(block.prefix(16_000)), block.dropFirst(16_000))
            client.send(HTTP2TestFrame(.headers, flags: HTTP2TestFrame.Flag.endStream, stream: stream, first))
            for start in stride(from: rest.startIndex, to: rest.endIndex, by: 16_000) {
                let end = min(start + 16_000, rest.endIndex)
                let flags = end == rest.endIndex ? HTTP2TestFrame.Flag.endHeaders : 0
                client.send(HTTP2TestFrame(.continuation, flags: flags, stream: stream, Array(rest[start..<end])))
            }
            #expect(await client.status(on: stream) == (bytes < Limits.headerBytes ? "200" : nil))
            if bytes > Limits.headerBytes { #expect(await client.next() == nil) }
        }
    }

    // MARK: Floods

    struct Flood: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let send: @Sendable (HTTP2TestClient) -> Void
    }

    static let floods = [
        Flood(testDescription: "resets") { client in
            for _ in 0...Limits.http2Resets {
                let stream = client.request("GET", "/health/live", isComplete: false)
                client.send(HTTP2TestFrame(.reset, stream: stream, HTTP2TestFrame.bytes(8)))
            }
        },
        Flood(testDescription: "pings") { client in
            let ping = HTTP2TestFrame(.ping, [UInt8](repeating: 0, count: 8))
            for _ in 0...Limits.http2ControlFrames { client.send(ping) }
        },
        Flood(testDescription: "settings") { client in
            for _ in 0...Limits.http2ControlFrames { client.send(.settings([])) }
        },
        Flood(testDescription: "continuations") { client in
            let stream = client.openStream()
            client.send(HTTP2TestFrame(.headers, stream: stream, HTTP2TestFrame.headerBlock([(":method", "GET")])))
            for _ in 0...(Limits.http2Continuations + 1) {
                client.send(HTTP2TestFrame(.continuation, stream: stream))
            }
        },
        Flood(testDescription: "empty data") { client in
            let stream = client.request("POST", "/accounts", json, isComplete: false)
            for _ in 0..<10 { client.body("", on: stream, isLast: false) }
        },
    ]

    @Test("A flood of frames closes the connection", arguments: floods)
    func flood(_ flood: Flood) async throws {
        try await HTTP2Tests.withTLS { _, port async throws in
            let client = try await HTTP2TestClient(port: port)
            #expect(await client.isServed())
            flood.send(client)
            let goAway = await client.next { $0.kind == .goAway }
            #expect(goAway?.errorCode == Code.enhanceYourCalm)
            #expect(await client.next() == nil)
        }
    }
}
