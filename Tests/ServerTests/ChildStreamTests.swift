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
        let end: @Sendable (SignedIn, ChildrensHouse) async throws -> Void
    }

    private static let endings = [
        EndCase(testDescription: "the parent removes the device") { device, house in
            let uri = "/family/children/\(device.account.id)/devices/\(device.session.id)"
            let answer = try await house.asParent(.delete, uri)
            #expect(answer.status == .noContent, "\(answer.html)")
        },
        EndCase(testDescription: "the child signs itself out there") { device, house in
            let answer = try await house.server.send(
                .delete, "/account/sessions/\(device.session.id)", token: device.token)
            #expect(answer.status == .noContent)
        },
        EndCase(testDescription: "the child is deleted") { device, house in
            let answer = try await house.asParent(.delete, "/family/children/\(device.account.id)")
            #expect(answer.status == .noContent)
        },
    ]

    @Test("Ends within a second, in the same process", arguments: Engine.allCases, endings)
    func sameProcess(engine: Engine, ending: EndCase) async throws {
        try await withChildren(engine, .live) { house async throws in
            let port = try #require(house.server.client.port)
            try await Self.expectCut(house, web: house.server.server.web, port: port, ending)
        }
    }

    @Test("Ends within a second, on another node", arguments: Engine.allCases, endings)
    func otherNode(engine: Engine, ending: EndCase) async throws {
        try await withChildren(engine, .live) { house async throws in
            let settings = house.server.services.settings
            let services = try await Services.open(
                settings, executable: "/no-such-program", clock: house.server.clock, random: SeededRandom(seed: 77),
                logger: .silent, hasher: ScryptHasher(random: SeededRandom(seed: 78), costExponent: 1)
            )
            do {
                let node = try Server(services)
                let feed = Task { try await node.web.live.run() }
                defer { feed.cancel() }
                try await node.application().test(.live) { client in
                    let port = try #require(client.port)
                    try await Self.expectCut(house, web: node.web, port: port, ending)
                }
            } catch {
                await services.close()
                throw error
            }
            await services.close()
        }
    }

    // The shortest of three tries: the test machine may be busy.
    private static func expectCut(_ house: ChildrensHouse, web: Web, port: Int, _ ending: EndCase) async throws {
        var quickest = Duration.seconds(3_600)
        for round in 1...3 {
            let child = try await ChildrensHouse.child("Kim \(round)", of: house.parent, house.server)
            let device = try await ChildrensHouse.open(
                child, .bearer, house.server.services.accounts, house.server.services.database, house.server.clock
            )
            let stream = Task { try await Self.events(port, device.token) }
            while !web.live.hasOpenStream { await Task.yield() }
            let clock = ContinuousClock()
            let begun = clock.now
            try await ending.end(device, house)
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
