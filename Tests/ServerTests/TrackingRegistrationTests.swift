import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing
import TrackerProtocol
import Tracking

/// Pairing over Bluetooth as the page does it: it fetches the request, the tracker answers it, the page sends the
/// answer.
@Suite("Tracking: registration over HTTP")
struct TrackingRegistrationTests {
    /// A tracker that is in range.
    private struct NearTracker {
        let keyPair: KeyPair
        let codeHash = [UInt8](repeating: 7, count: 32)
        let challenge = [UInt8](repeating: 9, count: 16)

        init(seed: UInt8 = 1) throws {
            keyPair = try KeyPair(privateKey: [UInt8](repeating: seed, count: 32))
        }

        var json: [String: String] {
            [
                "publicKey": Hexadecimal.encoded(keyPair.publicKey), "codeHash": Hexadecimal.encoded(codeHash),
                "challenge": Hexadecimal.encoded(challenge),
            ]
        }

        /// The pairing in base64, made from the request in base64.
        func answer(_ request: String, now: Instant) throws -> String {
            let content = Array(try #require(Data(base64Encoded: request)))
            let believed = try RegisterRequest.open(
                content, keyPair: keyPair, server: nil, challenge: challenge, now: now
            )
            return Data(believed.channel.seal(RegisterResponse(to: believed.request, at: now))).base64EncodedString()
        }
    }

    @Test("T-1-5-1, T-1-5-2, T-1-5-3: A request is made and answered, and the answer pairs once")
    func pairs() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let tracker = try NearTracker()
            let reply = try await anna.send(.post, url + "/registration", json: tracker.json)
            #expect(reply.status == 201)
            let registration = try reply.object()
            let id = try #require(registration.text("tracker"))
            let expected = tracking.clock.now.adding(seconds: Limits.registrationSeconds).rfc3339
            #expect(registration.text("expiresAt") == expected)
            let pairing = try tracker.answer(try #require(registration.text("request")), now: tracking.clock.now)
            for _ in 1...2 {
                let paired = try await anna.send(.put, url + "/tracker", json: ["pairing": pairing])
                #expect(paired.status == 200)
                #expect(try paired.object().text("id") == id)
                #expect(try paired.object().text("state") == "registering")
            }
            let commands = try await anna.send(.get, url + "/commands").object()
            #expect(try commands.texts("items", "kind") == ["activate"])
        }
    }

    @Test("T-1-5-2: Another owner is rejected, and so is an answer to another request")
    func otherOwner() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let bert = try await tracking.person("bert@example.org")
            let annas = try await anna.item("Keys")
            let berts = try await bert.item("Bag")
            let tracker = try NearTracker()
            let registration = try await anna.send(.post, annas + "/registration", json: tracker.json).object()
            let pairing = try tracker.answer(try #require(registration.text("request")), now: tracking.clock.now)
            let stolen = try await bert.send(.put, berts + "/tracker", json: ["pairing": pairing])
            #expect(stolen.status == 422)
            #expect(try stolen.object().object("error").object("fields").text("pairing") != nil)
            #expect(try await bert.send(.put, annas + "/tracker", json: ["pairing": pairing]).status == 404)
            #expect(try await anna.send(.put, annas + "/tracker", json: ["pairing": pairing]).status == 200)
            #expect(try await bert.send(.post, berts + "/registration", json: tracker.json).status == 409)
            #expect(try await bert.send(.post, annas + "/registration", json: tracker.json).status == 404)
            #expect(try await tracking.signedOut.send(.post, annas + "/registration", json: tracker.json).status == 401)
        }
    }

    @Test("A missing or unreadable field gets an error")
    func fields() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let empty = try await anna.send(.post, url + "/registration", json: [String: String]())
            #expect(empty.status == 422)
            let fields = try empty.object().object("error").object("fields")
            for name in ["publicKey", "codeHash", "challenge"] { #expect(fields.text(name) != nil) }
            var wrong = try NearTracker().json
            wrong["challenge"] = "xyz"
            let refused = try await anna.send(.post, url + "/registration", json: wrong)
            #expect(refused.status == 422)
            #expect(try refused.object().object("error").object("fields").text("challenge") != nil)
            let nonsense = try await anna.send(.put, url + "/tracker", json: ["pairing": "nonsense"])
            #expect(nonsense.status == 422)
            #expect(try nonsense.object().object("error").object("fields").text("pairing") != nil)
            #expect(try await anna.send(.put, url + "/tracker", json: [String: String]()).status == 422)
        }
    }
}
