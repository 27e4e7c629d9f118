import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Server
import Storage
import TestSupport
import Testing

@testable import WebCore

@Suite("The live stream of a session that ends")
struct ChildStreamTests {
    struct EndCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: @Sendable (SignedIn, ChildrenFixture) async throws -> Void
    }

    private static let endings = [
        EndCase(testDescription: "the parent removes the device") { device, fixture in
            let uri = "/family/children/\(device.account.id)/devices/\(device.session.id)"
            let answer = try await fixture.asParent(.delete, uri)
            #expect(answer.status == .noContent, "\(answer.html)")
        },
        EndCase(testDescription: "the child signs itself out there") { device, fixture in
            let answer = try await fixture.server.send(
                .delete, "/account/sessions/\(device.session.id)", token: device.token)
            #expect(answer.status == .noContent)
        },
        EndCase(testDescription: "the child is deleted") { device, fixture in
            let answer = try await fixture.asParent(.delete, "/family/children/\(device.account.id)")
            #expect(answer.status == .noContent)
        },
    ]

    @Test("Ends within a second, in the same process", arguments: Engine.allCases, endings)
    func sameProcess(engine: Engine, ending: EndCase) async throws {
        try await withChildren(engine, .live) { fixture async throws in
            let port = try #require(fixture.server.client.port)
            try await Self.expectCut(fixture, web: fixture.server.server.web, port: port, ending)
        }
    }

    @Test("Ends within a second, on another node", arguments: Engine.allCases, endings)
    func otherNode(engine: Engine, ending: EndCase) async throws {
        try await withChildren(engine, .live) { fixture async throws in
            let settings = fixture.server.services.settings
            let services = try await Services.open(
                settings, executable: "/no-such-program", clock: fixture.server.clock, random: SeededRandom(seed: 77),
                logger: .silent, hasher: ScryptHasher(random: SeededRandom(seed: 78), costExponent: 1)
            )
            do {
                let node = try Server(services)
                let feed = Task { try await node.web.live.run() }
                defer { feed.cancel() }
                try await node.application().test(.live) { client in
                    let port = try #require(client.port)
                    try await Self.expectCut(fixture, web: node.web, port: port, ending)
                }
            } catch {
                await services.close()
                throw error
            }
            await services.close()
        }
    }

    // The shortest of three tries: the test machine may be busy.
    private static func expectCut(_ fixture: ChildrenFixture, web: Web, port: Int, _ ending: EndCase) async throws {
        var quickest = Duration.seconds(3_600)
        for round in 1...3 {
            let child = try await ChildrenFixture.child("Kim \(round)", of: fixture.parent, fixture.server)
            let device = try await ChildrenFixture.open(
                child, .bearer, fixture.server.services.accounts, fixture.server.services.database, fixture.server.clock
            )
            let stream = Task { try await Self.events(port, device.token) }
            while !web.live.hasOpenStream { await Task.yield() }
            let clock = ContinuousClock()
            let begun = clock.now
            try await ending.end(device, fixture)
            let answer = try await stream.value
            quickest = min(quickest, clock.now - begun)
            let text = answer.body.map { String(buffer: $0) } ?? ""
            #expect(text.contains("/account/sessions/\(device.session.id)"))
            let again = try await Self.events(port, device.token)
            #expect(again.status == .unauthorized)
            while web.live.listenerCount != 0 { await Task.yield() }
        }
        #expect(quickest < .seconds(1))
    }

    // A new connection each time: the stream's end closes it.
    private static func events(_ port: Int, _ token: String) async throws -> TestClient.Response {
        try await TestClient.withClient(host: "localhost", port: port) { client in
            try await client.get(
                "/events", headers: [.authorization: "Bearer \(token)", .accept: "application/json"])
        }
    }
}
