import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Server
import TestSupport
import Testing

@testable import WebCore

/// Clients that wait for a response before they send the body (RFC 9110, 10.1.1).
@Suite("Clients that expect 100 (Continue)", .timeLimit(.minutes(3)))
struct ExpectationTests {
    /// Sends a request's head, and the body once the server asks for it.
    /// - Returns: the statuses of all responses, until a final one; with `close` if the connection closes then.
    private static func statuses(
        _ method: String, _ path: String, _ fields: [String], body: String, port: Int, version: String = "1.1",
        sendsBodyAtOnce: Bool = false
    ) async throws -> [String] {
        let connection = try RawConnection(port: port)
        let head = ["\(method) \(path) HTTP/\(version)", "Host: localhost", "Expect: 100-continue"] + fields
        #expect(connection.send(head.joined(separator: "\r\n") + "\r\n\r\n" + (sendsBodyAtOnce ? body : "")))
        // On a separate thread: on the test's own threads it would block the server, too.
        return await withCheckedContinuation { continuation in
            Thread {
                var received: [UInt8] = []
                var seen: [String] = []
                let end = ContinuousClock.now + .seconds(60)
                while ContinuousClock.now < end, let bytes = connection.receive() {
                    received += bytes
                    seen = String(decoding: received, as: UTF8.self).components(separatedBy: "\r\n")
                        .filter { $0.hasPrefix("HTTP/1.1 ") }.map { String($0.dropFirst(9).prefix(3)) }
                    if seen.last == "100", seen.count == 1, !bytes.isEmpty, !sendsBodyAtOnce {
                        _ = connection.send(body)
                    }
                    if let last = seen.last, last != "100" { break }
                }
                let text = String(decoding: received, as: UTF8.self).lowercased()
                continuation.resume(returning: seen + (text.contains("\r\nconnection: close\r\n") ? ["close"] : []))
            }.start()
        }
    }

    private static func form(_ body: String) -> [String] {
        ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(body.utf8.count)"]
    }

    @Test("The server asks for the body when it reads it")
    func asked() async throws {
        try await withServer(.sqlite, .live) { harness async throws in
            let port = try #require(harness.client.port)
            let body = #"{"email":"mia@example.org","password":"correct horse","name":"Mia"}"#
            let fields = ["Content-Type: application/json", "Accept: application/json"]
            let length = "Content-Length: \(body.utf8.count)"
            #expect(
                try await Self.statuses("POST", "/accounts", fields + [length], body: body, port: port) == [
                    "100", "201",
                ])
            let chunked = "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
            let encoding = "Transfer-Encoding: chunked"
            #expect(
                try await Self.statuses("POST", "/accounts", fields + [encoding], body: chunked, port: port)
                    == ["100", "409"])
        }
    }

    @Test("A request that is rejected by its head gets its response without the body")
    func refused() async throws {
        try await withServer(.sqlite, .live) { harness async throws in
            let port = try #require(harness.client.port)
            let large = ["Content-Type: application/json", "Content-Length: 999999999", "Accept: application/json"]
            #expect(try await Self.statuses("POST", "/accounts", large, body: "", port: port) == ["413", "close"])
            let closing = large + ["Connection: close"]
            #expect(
                try await Self.statuses(
                    "POST", "/accounts", ["Content-Length: 9999999"] + closing.filter { !$0.contains("Length") },
                    body: "", port: port) == ["413", "close"])
            #expect(
                try await Self.statuses("POST", "/nothing", Self.form("a=1"), body: "a=1", port: port)
                    == ["404", "close"])
            #expect(try await Self.statuses("GET", "/health/live", [], body: "", port: port) == ["200"])
            let empty = ["Content-Type: application/json", "Content-Length: 0", "Accept: application/json"]
            #expect(try await Self.statuses("POST", "/accounts", empty, body: "", port: port) == ["400"])
        }
    }

    @Test("A client of HTTP/1.0 gets only the final response")
    func oldVersion() async throws {
        try await withServer(.sqlite, .live) { harness async throws in
            let port = try #require(harness.client.port)
            let statuses = try await Self.statuses(
                "POST", "/session", Self.form("a=1"), body: "a=1", port: port, version: "1.0", sendsBodyAtOnce: true)
            #expect(statuses.count == 1 && statuses.first != "100")
        }
    }

    @Test("Every route with a body answers the head")
    func routes() async throws {
        try await withServer(.sqlite, .live) { harness async throws in
            let port = try #require(harness.client.port)
            let token = try await harness.join()
            let id = "0190a1b2-c3d4-7000-8000-00000000000a"
            for route in harness.server.web.routes where ![.get, .head].contains(route.method) {
                let path = route.path.replacing(#/\{[^}]*\}/#, with: id).replacing("**", with: "a")
                let fields = ["Authorization: Bearer \(token)", "Accept: application/json"] + Self.form("a=1")
                let statuses = try await Self.statuses(
                    route.method.rawValue, path, fields, body: "a=1", port: port)
                #expect(statuses.contains { $0 != "100" && $0 != "close" }, "\(route.method) \(path): \(statuses)")
            }
        }
    }

    @Test("A stream of HTTP/2 is asked for its body as well")
    func http2() async throws {
        try await HTTP2Tests.withTLS { harness, port async throws in
            let client = try await HTTP2TestClient(port: port)
            let fields = [
                ("content-type", "application/json"), ("accept", "application/json"), ("expect", "100-continue"),
            ]
            let stream = client.request("POST", "/accounts", fields, isComplete: false)
            #expect(await client.status(on: stream) == "100")
            client.body(#"{"email":"mia@example.org","password":"correct horse","name":"Mia"}"#, on: stream)
            #expect(await client.status(on: stream) == "201")
            let long = client.request(
                "POST", "/accounts", fields + [("content-length", "999999999")], isComplete: false)
            #expect(await client.status(on: long) == "413")
        }
    }
}
