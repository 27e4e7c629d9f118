import Accounts
import Foundation
import HTTPTypes
import Kernel
import Storage
import TestSupport
import Testing
import Tracking

/// The webhook for a cloud's routes, and its responses.
@Suite("Tracking: the cloud's webhook over HTTP")
struct TrackingCloudTests {
    private let path = "/ingest/hologram/\(Household.webhookSecret)"

    @Test("Only its secret gives access, whatever is posted")
    func secret() async throws {
        try await withTracking { tracking in
            let body = #"{"device":{"id":5},"data":"AQI="}"#
            for wrong in ["abcdefghijklmnopqrstuv", "x", "\(Household.webhookSecret)0"] {
                let reply = try await tracking.signedOut.send(
                    .post, "/ingest/hologram/\(wrong)", body: body, type: "application/json")
                #expect(reply.status == 401)
                #expect(try reply.object().object("error").text("code") == "unauthenticated")
                #expect(!reply.text.contains(wrong) || wrong == "x")
            }
            #expect(try await tracking.signedOut.send(.post, path, body: body, type: "application/json").status == 200)
            #expect(try await tracking.signedOut.send(.get, path).status == 405)
        }
    }

    @Test("The secret in the header gives access without one in the path")
    func secretInHeader() async throws {
        try await withTracking { tracking async throws in
            let body = #"{"device":{"id":5},"data":"AQI="}"#
            func post(_ authorization: String?) async throws -> Int {
                try await tracking.signedOut.device(
                    .post, "/ingest/hologram", body: body, type: "application/json", authorization: authorization
                ).status
            }
            for wrong in [nil, "Bearer x", "Bearer ", "Basic \(Household.webhookSecret)"] {
                #expect(try await post(wrong) == 401)
            }
            #expect(try await post("Bearer \(Household.webhookSecret)") == 200)
        }
    }

    @Test("Unreadable bodies are rejected; JSON without a usable message is accepted, so that it isn't repeated")
    func unusable() async throws {
        try await withTracking { tracking in
            let long = "\"" + String(repeating: "x", count: Limits.ingestBytes) + "\""
            let expected = [
                "": 400, "data=1": 400, "{}": 200, "[]": 200, #"{"device":{"id":5}}"#: 200,
                #"{"device":{"id":5},"data":"bm8="}"#: 200, long: 413,
            ]
            for (body, status) in expected {
                let reply = try await tracking.signedOut.send(.post, path, body: body, type: "application/json")
                #expect(reply.status == status)
            }
        }
    }

    @Test("Only administrators see it in the quarantine", arguments: Engine.allCases)
    func quarantine(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            let bert = try await tracking.person("bert@example.org")
            let body = #"{"device":{"id":5},"data":"bm8="}"#
            for _ in 1...3 {
                _ = try await tracking.signedOut.send(.post, path, body: body, type: "application/json")
                tracking.clock.advance(seconds: 1)
            }
            let person = try #require(anna.actor?.person)
            try await tracking.database.write { tx in
                try tx.execute("UPDATE account SET is_operator = 1 WHERE id = \(person)")
            }
            let first = try await anna.send(.get, "/tracking/quarantine?limit=2").object()
            let next = try #require(first.text("next"))
            let second = try await anna.send(.get, "/tracking/quarantine?limit=2&after=\(next)").object()
            let entries = try first.list("items") + second.list("items")
            #expect(entries.map { $0.text("reason") } == Array(repeating: "unexpected_shape", count: 3))
            #expect(entries.map { $0.text("sourceId") } == Array(repeating: "hologram webhook 5", count: 3))
            #expect(second.isNull("next"))
            #expect(try await anna.page("/tracking/quarantine").status == 200)
            #expect(try await bert.send(.get, "/tracking/quarantine").object().list("items").isEmpty)
        }
    }
}
