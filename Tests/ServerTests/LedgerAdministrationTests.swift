import Accounts
import Carrepsa
import Foundation
import HTTPTypes
import HummingbirdTesting
import Jobs
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@testable import Server

@Suite("The ledger and trackers, for administrators, over HTTP")
struct LedgerAdministrationTests {
    private func administrator(_ harness: ServerHarness) async throws -> String {
        let token = try await harness.join("mia@example.org")
        _ = try await harness.services.accounts.administrators.setOperator(email: "mia@example.org", true)
        return token
    }

    private func ledger(_ harness: ServerHarness, _ token: String) async throws -> [String: Any] {
        try await harness.send(.get, "/admin/ledger", token: token).object()
    }

    private func runs(_ harness: ServerHarness, _ token: String) async throws -> [[String: Any]] {
        try #require(try await ledger(harness, token)["verifications"] as? [[String: Any]])
    }

    private func topUp(_ harness: ServerHarness) async throws {
        _ = try await harness.services.carrepsa.payments.topUp(
            email: "mia@example.org", amountMinor: 5_00,
            transferID: ID(at: harness.clock.now, random: harness.services.random))
    }

    @Test("A requested verification runs once as a job, and its result is shown", arguments: Engine.allCases)
    func verification(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let mia = try await administrator(harness)
            try await topUp(harness)
            try await harness.services.sealer.sealAll()
            harness.clock.advance(milliseconds: 1)
            let before = try await ledger(harness, mia)
            #expect(before["verifying"] as? Bool == false)
            #expect(before["lastBatch"] as? Int == 1)
            #expect((before["head"] as? String)?.count == 64)
            for _ in 0..<2 {
                let answer = try await harness.send(.post, "/admin/ledger/verifications", "{}", token: mia)
                #expect(answer.status == .noContent)
            }
            #expect(try await ledger(harness, mia)["verifying"] as? Bool == true)
            await LedgerVerificationService(harness.services).worker.performDueJobs()
            let after = try await ledger(harness, mia)
            #expect(after["verifying"] as? Bool == false)
            let found = try await runs(harness, mia)
            #expect(found.count == 1)
            #expect(found.first?["result"] as? String == "sound")
            #expect(found.first?["transfers"] as? Int == 1)
            let log = try await harness.send(.get, "/admin/log", token: mia).object()["items"] as? [[String: Any]]
            #expect(log?.map { $0["action"] as? String } == ["verify-ledger", "grant-administrator"])
        }
    }

    @Test("A changed row is reported with the number of findings", arguments: Engine.allCases)
    func damage(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let mia = try await administrator(harness)
            try await topUp(harness)
            try await harness.services.database.write { tx in
                try tx.execute("UPDATE ledger_account SET balance = balance + 1 WHERE may_overdraw = 0")
            }
            #expect(try await !LedgerVerificationService(harness.services).verify().isSound)
            let run = try #require(try await runs(harness, mia).first)
            #expect(run["result"] as? String == "damaged")
            #expect((run["findings"] as? Int ?? 0) > 0)
            #expect((run["reason"] as? String)?.hasPrefix("ledger_account ") == true)
        }
    }

    @Test("Only the latest verifications are kept")
    func bounded() async throws {
        try await withServer { harness async throws in
            let mia = try await administrator(harness)
            for _ in 0..<(Limits.ledgerVerificationRuns + 2) {
                harness.clock.advance(seconds: 1)
                _ = try await LedgerVerificationService(harness.services).verify()
            }
            #expect(try await runs(harness, mia).count == Limits.ledgerVerificationRuns)
        }
    }

    @Test("H-18: Trackers are listed with their owner and rejected reports, by reason", arguments: Engine.allCases)
    func trackers(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let mia = try await administrator(harness)
            harness.clock.advance(milliseconds: 1)
            let ben = try await harness.join("ben@example.org")
            let item = try await harness.send(.post, "/tracking/items", #"{"name":"Secret bag"}"#, token: ben)
            let itemID = try #require(try item.object()["id"] as? String)
            let source = try await harness.send(
                .post, "/tracking/sources", #"{"kind":"osmand","itemId":"\#(itemID)"}"#, token: ben
            ).object()
            let secret = try #require(source["secret"] as? String)
            let id = try #require(source["id"] as? String)
            let seconds = harness.clock.now.millisecondsSince1970 / 1_000
            for (number, place) in ["lat=50&lon=7&batt=80", "lat=91&lon=7", "lat=91&lon=7", "lat=x&lon=7"].enumerated()
            {
                let answer = try await harness.client.executeRequest(
                    uri: "/ingest/osmand?id=\(secret)&timestamp=\(seconds + Int64(number))&\(place)", method: .get,
                    headers: [:], body: nil)
                #expect(answer.status == .ok)
            }
            let list = try await harness.send(.get, "/admin/trackers", token: mia)
            #expect(!list.html.contains("Secret bag"))
            let rows = try #require(try list.object()["items"] as? [[String: Any]])
            #expect(rows.map { $0["id"] as? String } == [id])
            #expect(rows.first?["kind"] as? String == "osmand")
            #expect(rows.first?["battery"] as? Int == 80)
            #expect(rows.first?["rejected"] as? Int == 3)
            #expect(rows.first?["lastSeenAt"] is String)
            let details = try await harness.send(.get, "/admin/trackers/\(id)", token: mia).object()
            let rejections = try #require(details["rejections"] as? [[String: Any]])
            #expect(rejections.map { $0["reason"] as? String } == ["place_out_of_range", "unreadable_number"])
            #expect(rejections.map { $0["count"] as? Int } == [2, 1])
            harness.clock.advance(milliseconds: 1)
            let app = try await harness.send(.post, "/tracking/sources", #"{"kind":"owntracks"}"#, token: ben).object()
            let first = try await harness.send(.get, "/admin/trackers?limit=1", token: mia).object()
            #expect((first["items"] as? [[String: Any]])?.map { $0["id"] as? String } == [app["id"] as? String])
            let next = try #require(first["next"] as? String)
            let second = try await harness.send(.get, "/admin/trackers?limit=1&after=\(next)", token: mia).object()
            #expect((second["items"] as? [[String: Any]])?.map { $0["id"] as? String } == [id])
            #expect(second["next"] is NSNull)
            let unknown = "01890000-0000-7000-8000-000000000000"
            #expect(try await harness.send(.get, "/admin/trackers/\(unknown)", token: mia).status == .notFound)
        }
    }
}
