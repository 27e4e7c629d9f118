import Foundation
import Hummingbird
import HummingbirdTesting
import Kernel
import Server
import TestSupport
import Testing
import WebCore

@Suite("Requests that are held open")
struct HeldRequestTests {
    private static let connectionsAtOnce = 16

    /// A request without the last byte of its body.
    private struct Held {
        let route: String
        let connection: RawConnection
    }

    /// Whether the route changes something for a session that is open.
    private func isChange(_ entry: RouteEntry) -> Bool {
        [.post, .put, .patch].contains(entry.method) && !entry.isServedWhileLocked
    }

    private func hold(_ entry: RouteEntry, _ fixture: ChildrenFixture, port: Int, token: String) throws -> Held {
        let path = entry.path.split(separator: "/").reduce("") { path, step in
            "\(path)/" + (step.hasPrefix("{") ? "\(fixture.sibling)" : String(step))
        }
        let connection = try RawConnection(port: port)
        let head = [
            "\(entry.method.rawValue) \(path) HTTP/1.1", "Host: localhost", "Accept: application/json",
            "Authorization: Bearer \(token)", "Content-Type: application/json", "Content-Length: 2",
        ]
        try #require(connection.send(head.joined(separator: "\r\n") + "\r\n\r\n{"))
        return Held(route: "\(entry.method.rawValue) \(entry.path)", connection: connection)
    }

    @Test("A change whose body arrives after its session ended is refused, on any route")
    func anyRoute() async throws {
        try await withChildren(.sqlite, .live) { fixture async throws in
            let port = try #require(fixture.server.client.port)
            var rest = fixture.server.server.web.routes.filter(isChange)[...]
            #expect(rest.count > 100)
            var early: [String] = []
            while !rest.isEmpty {
                let signedIn = try await fixture.server.send(
                    .post, "/session", #"{"email":"mia@example.org","password":"correct horse"}"#)
                let token = try #require(try signedIn.object()["token"] as? String)
                let held = try rest.prefix(Self.connectionsAtOnce).map { entry in
                    try hold(entry, fixture, port: port, token: token)
                }
                rest = rest.dropFirst(Self.connectionsAtOnce)
                // Routes that need no body respond to the head.
                let answered = await answers(held, seconds: 0.3)
                let ended = try await fixture.server.send(.delete, "/session", "{}", token: token)
                #expect(ended.status == .noContent)
                for one in held where answered[one.route] == nil { #expect(one.connection.send("}")) }
                let late = await answers(held.filter { answered[$0.route] == nil }, seconds: 20)
                for one in held where answered[one.route] == nil {
                    #expect(
                        late[one.route]?.hasPrefix("HTTP/1.1 401") == true, "\(one.route): \(late[one.route] ?? "")")
                }
                early += answered.keys
            }
            #expect(early.count < 40, "\(early.sorted())")
        }
    }

    /// Returns the first bytes of the responses that arrive in time.
    private func answers(_ held: [Held], seconds: Double) async -> [String: String] {
        await withCheckedContinuation { continuation in
            Thread {
                var answers: [String: String] = [:]
                let end = ContinuousClock.now + .seconds(seconds)
                var waiting = held
                while !waiting.isEmpty, ContinuousClock.now < end {
                    waiting = waiting.filter { one in
                        guard let bytes = one.connection.receive() else {
                            answers[one.route] = "closed"
                            return false
                        }
                        guard !bytes.isEmpty else { return true }
                        answers[one.route] = String(decoding: bytes, as: UTF8.self)
                        return false
                    }
                }
                continuation.resume(returning: answers)
            }.start()
        }
    }
}
