import Accounts
import HTTPTypes
import Kernel
import Synchronization
import TestSupport
import Testing

@testable import Notifications

@Suite("Requests to push services")
struct PushTransportTests {
    @Test("A request matches the standards and uses the subscription's path")
    func arrival() async throws {
        let service = StubServer(otherwise: .created)
        try await service.serve { origin in
            try await withFixture(.sqlite, transport: HTTPPushTransport(rewrite: origin)) { fixture in
                let ada = try await fixture.person()
                let browser = try TestBrowser("abc")
                try await fixture.service.subscribe(browser.description, language: "en", by: ada)
                try await fixture.post(fixture.notice(for: ada))
                #expect(try await fixture.sendDue() == nil)
                let arrival = try #require(service.arrivals.first)
                #expect(arrival.path == "/fcm/send/abc")
                #expect(arrival.headers[HTTPField.Name("TTL")!] == "14400")
                #expect(arrival.headers[.contentEncoding] == "aes128gcm")
                let signature = try #require(arrival.headers[.authorization])
                #expect(signature.hasPrefix("vapid t=") && signature.contains("k=\(fixture.service.publicKey)"))
                #expect(try !browser.read(arrival.body).isEmpty)
                #expect(try await fixture.waitingJobs() == 0)
            }
        }
    }

    @Test("Redirects aren't followed; status and Retry-After are returned")
    func answers() async throws {
        let service = StubServer(otherwise: .created)
        service.reply(.found, headers: [.location: "/elsewhere"])
        service.reply(.tooManyRequests, headers: [.retryAfter: "30"])
        service.reply(.gone)
        service.reply(.created, String(repeating: "A", count: Limits.pushResponseBytes * 4))
        try await service.serve { origin async throws in
            let transport = HTTPPushTransport(rewrite: origin)
            let request = PushRequest(
                endpoint: "https://fcm.googleapis.com/fcm/send/abc?x=1", headers: [("TTL", "1")], body: [1, 2, 3])
            #expect(try await transport.send(request) == PushReply(status: 302))
            #expect(try await transport.send(request) == PushReply(status: 429, retryAfter: "30"))
            #expect(try await transport.send(request) == PushReply(status: 410))
            #expect(try await transport.send(request) == PushReply(status: 201))
            #expect(service.arrivals.map(\.path) == Array(repeating: "/fcm/send/abc?x=1", count: 4))
        }
    }

    @Test("An unreachable push service is an error, and the message stays in the queue")
    func nobodyThere() async throws {
        // A port that was just closed.
        let service = StubServer(otherwise: .created)
        let origin = Mutex("")
        try await service.serve { found in origin.withLock { $0 = found } }
        let transport = HTTPPushTransport(rewrite: origin.withLock { $0 })
        let request = PushRequest(endpoint: "https://fcm.googleapis.com/x", headers: [], body: [])
        await #expect(throws: PushTransportFailure.self) { try await transport.send(request) }
    }

    struct Name: Sendable {
        let addresses: [String]
        let failure: PushTransportFailure
    }

    @Test(
        "A name without addresses or with private ones is rejected",
        arguments: [
            Name(addresses: [], failure: .unreachable("name")), Name(addresses: ["127.0.0.1"], failure: .notPublic),
            Name(addresses: ["10.0.0.1", "fd00::1", "::1", "::ffff:192.168.1.1"], failure: .notPublic),
        ])
    func names(_ name: Name) async throws {
        let transport = HTTPPushTransport { _ in name.addresses }
        let request = PushRequest(endpoint: "https://fcm.googleapis.com/x", headers: [], body: [])
        await #expect(throws: name.failure) { try await transport.send(request) }
    }
}
