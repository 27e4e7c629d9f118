import Accounts
import Foundation
import Hologram
import Kernel
import Objects
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Messages from the cloud")
struct CloudIngestTests {
    @Test("A fix by webhook, bucket and log at the same time is stored once", arguments: Engine.allCases)
    func threeUplinks(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            for number in 1...5 {
                fixture.fixture.clock.advance(seconds: 600)
                let delivery = fixture.delivery([try fixture.frame(Double(number), 2, counter: Int64(number))])
                try await fixture.bucket.put(fixture.body(delivery), at: "2026/Fix-\(number):00.json")
                fixture.cloud.log(delivery, at: fixture.fixture.now)
                let (tracking, other, body) = (
                    fixture.tracking, try fixture.fixture.otherNode(), fixture.body(delivery)
                )
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 1...2 {
                        group.addTask {
                            let answer = try await tracking.hologramWebhook.ingest(
                                secret: CloudFixture.secret, body: body)
                            #expect(answer == .accepted)
                        }
                    }
                    group.addTask { [fixture = fixture.fixture] in try await fixture.readDue(tracking) }
                    group.addTask { [fixture = fixture.fixture] in try await fixture.readDue(other) }
                    try await group.waitForAll()
                }
                let fixes = try await fixture.fixture.fixes(of: fixture.item, for: fixture.ada)
                #expect(fixes.map(\.coordinate.latitude) == (1...number).reversed().map(Double.init))
            }
            #expect(try await fixture.fixture.events().filter { $0.kind == "fix" }.count == 5)
            #expect(try await fixture.bucket.keys(below: "").isEmpty)
            #expect(try await fixture.fixture.quarantine(for: fixture.ada).isEmpty)
            #expect(
                try await fixture.tracking.items.item(fixture.item, for: fixture.ada).lastFix?.coordinate.latitude == 5)
        }
    }

    @Test("After a day of downtime all fixes are read once and in order", arguments: Engine.allCases)
    func dayOff(engine: Engine) async throws {
        try await withCloudFixture(engine, pageSize: 10) { fixture in
            try await fixture.readDue()
            let start = fixture.fixture.now
            // A fix every ten minutes. Every fourth is also in the bucket, and every sixth only there.
            for number in 1...144 {
                let at = start.adding(seconds: Int64(number * 600))
                let frame = try fixture.frame(Double(number) / 10, 2, at: at, counter: Int64(number))
                let delivery = fixture.delivery([frame], at: at)
                if number % 6 != 0 { fixture.cloud.log(delivery, at: at) }
                if number % 6 == 0 || number % 4 == 0 {
                    try await fixture.bucket.put(fixture.body(delivery), at: "Day/\(1_000 - number).json")
                }
            }
            fixture.fixture.clock.set(start.adding(seconds: 24 * 60 * 60))
            let restarted = try fixture.fixture.otherNode()
            let next = try await fixture.readDue(restarted)
            #expect(next == fixture.fixture.now.adding(seconds: 600))
            let fixes = try await fixture.fixture.fixes(of: fixture.item, for: fixture.ada, limit: 200)
            #expect(fixes.map(\.at) == (1...144).reversed().map { start.adding(seconds: Int64($0 * 600)) })
            #expect(try await fixture.bucket.keys(below: "").isEmpty)
            // Each period of the log is read after the one before, and none is read twice.
            let queries = fixture.cloud.queries
            #expect(zip(queries, queries.dropFirst()).allSatisfy { $0.from <= $1.from })
            let asked = queries.count
            #expect(asked < 60)
            let events = try await fixture.fixture.events().count
            #expect(try await fixture.readDue(restarted) == next)
            #expect(fixture.cloud.queries.count == asked)
            fixture.fixture.clock.advance(seconds: 600)
            try await fixture.readDue(restarted)
            #expect(fixture.cloud.queries.count == asked + 1)
            #expect(try await fixture.fixture.events().count == events)
            #expect(
                try await fixture.tracking.items.item(fixture.item, for: fixture.ada).lastFix?.coordinate.latitude
                    == 14.4)
        }
    }

    @Test("A crowded log is read in shorter periods and in order", arguments: Engine.allCases)
    func crowded(engine: Engine) async throws {
        try await withCloudFixture(engine, pageSize: 2, hasBucket: false) { fixture in
            try await fixture.readDue()
            let start = fixture.fixture.now
            for number in 1...200 {
                let at = start.adding(seconds: Int64(number * 10))
                let frame = try fixture.frame(Double(number) / 10, 2, at: at, counter: Int64(number))
                fixture.cloud.log(fixture.delivery([frame], at: at), at: at)
            }
            fixture.fixture.clock.set(start.adding(seconds: 3 * 60 * 60))
            try await fixture.readDue()
            let fixes = try await fixture.fixture.fixes(of: fixture.item, for: fixture.ada, limit: 200)
            #expect(fixes.count == 200)
            #expect(try await fixture.fixture.events().filter { $0.kind == "fix" }.count == 200)
        }
    }

    @Test("A broken object is quarantined once, remains, and blocks no other object", arguments: Engine.allCases)
    func broken(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            try await fixture.makeOperator()
            let good = fixture.delivery([try fixture.frame(1, 2)])
            let empty = fixture.delivery([])
            let objects: [(String, [UInt8])] = [
                ("a", Array("not JSON".utf8)), ("b", Array(#"{"device":{"id":1}}"#.utf8)), ("c", fixture.body(empty)),
                ("d", [UInt8](repeating: 32, count: 70_000)), ("e", fixture.body(good)),
            ]
            for (key, bytes) in objects { try await fixture.bucket.put(bytes, at: key) }
            for _ in 1...3 {
                try await fixture.readDue()
                fixture.fixture.clock.advance(seconds: 600)
            }
            #expect(try await fixture.fixture.fixes(of: fixture.item, for: fixture.ada).count == 1)
            #expect(try await fixture.bucket.keys(below: "") == ["a", "b", "c", "d"])
            #expect(
                try await fixture.fixture.quarantine(for: fixture.ada) == Array(repeating: .unexpectedShape, count: 4))
            try await fixture.bucket.delete("a")
            fixture.fixture.clock.advance(seconds: 600)
            try await fixture.readDue()
            #expect(try await fixture.fixture.count("cloud_object") == 3)
        }
    }

    @Test("The webhook accepts only its secret and only JSON", arguments: Engine.allCases)
    func webhook(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            let body = fixture.body(fixture.delivery([try fixture.frame(1, 2)]))
            for wrong in ["", "abcdefghijklmnopqrstuw", CloudFixture.secret + "v", CloudFixture.secret.uppercased()] {
                #expect(try await fixture.tracking.hologramWebhook.ingest(secret: wrong, body: body) == .unauthorized)
            }
            #expect(try await fixture.fixture.fixes(of: fixture.item, for: fixture.ada).isEmpty)
            for malformed in ["", "{", "id=1"] {
                let answer = try await fixture.tracking.hologramWebhook.ingest(
                    secret: CloudFixture.secret, body: Array(malformed.utf8))
                #expect(answer == .malformed)
            }
            #expect(
                try await fixture.tracking.hologramWebhook.ingest(secret: CloudFixture.secret, body: body) == .accepted)
            #expect(try await fixture.fixture.fixes(of: fixture.item, for: fixture.ada).count == 1)
        }
        try await withFixture(engine) { fixture in
            let answer = try await fixture.tracking.hologramWebhook.ingest(secret: "", body: [])
            #expect(answer == .unauthorized)
        }
    }

    @Test("The frames identify the tracker, not the device id", arguments: Engine.allCases)
    func claimants(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            try await fixture.makeOperator()
            let eve = try await fixture.fixture.person("Eve")
            var others: [FakeTracker] = []
            for _ in 1...Limits.trackersPerHologramDevice {
                let item = try await fixture.fixture.item(of: eve).item.id
                let other = try await FakeTracker(fixture.fixture)
                other.hologramDevice = CloudFixture.device
                try await other.activate(for: item, of: eve)
                others.append(other)
            }
            try await fixture.post(fixture.delivery([try fixture.frame(1, 2)]))
            #expect(try await fixture.fixture.fixes(of: fixture.item, for: fixture.ada).count == 1)
            // An unclaimed device, another tracker's frames, an altered frame, and a reflected command.
            var altered = try fixture.frame(5, 6, at: fixture.fixture.now.adding(seconds: -60))
            altered[10] ^= 1
            let stranger = try await FakeTracker(fixture.fixture)
            let command = TrackerCommand(
                id: ID(at: fixture.fixture.now, random: fixture.fixture.random), kind: .off,
                issuedAt: fixture.fixture.now,
                expiresAt: nil)
            let reflected = try #require(CompactCommand(command)).sealed(with: fixture.tracker.keys)
            for delivery in [
                fixture.delivery([try fixture.frame(7, 8)], device: 99),
                fixture.delivery([try fixture.frame(7, 8, by: stranger)]), fixture.delivery([altered]),
                fixture.delivery([reflected]),
            ] { try await fixture.post(delivery) }
            #expect(try await fixture.fixture.fixes(of: fixture.item, for: fixture.ada).count == 1)
            #expect(
                try await fixture.fixture.quarantine(for: fixture.ada) == Array(repeating: .unknownSender, count: 4))
            #expect(try await fixture.fixture.quarantine(for: eve).isEmpty)
        }
    }

    @Test("Good frames beside bad ones are stored, and bad ones are quarantined", arguments: Engine.allCases)
    func mixed(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            let now = fixture.fixture.now
            let other = try await FakeTracker(fixture.fixture)
            try await fixture.post(
                fixture.delivery([
                    try fixture.frame(1, 2, at: now.adding(seconds: -20)), try fixture.frame(7, 8, by: other),
                    try fixture.frame(3, 4, at: now.adding(seconds: -10), counter: 1_001),
                    try fixture.frame(9, 9, at: now.adding(seconds: 700), counter: 1_002),
                ]))
            #expect(
                try await fixture.fixture.fixes(of: fixture.item, for: fixture.ada).map(\.coordinate.latitude) == [
                    3, 1,
                ])
            #expect(
                Set(try await fixture.fixture.quarantine(for: fixture.ada)) == [.unexpectedShape, .timeOutOfRange])
        }
    }

    @Test("An old message doesn't update the time of the last contact", arguments: Engine.allCases)
    func oldNews(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            let seen = try #require(try await fixture.status().lastSeenAt)
            fixture.fixture.clock.advance(seconds: 7_200)
            let before = seen.adding(seconds: -60)
            try await fixture.post(fixture.delivery([try fixture.frame(1, 2, at: before)], at: before))
            #expect(try await fixture.status().lastSeenAt == seen)
            let later = seen.adding(seconds: 3_600)
            try await fixture.post(fixture.delivery([try fixture.frame(1, 2, at: later, counter: 1_001)], at: later))
            #expect(try await fixture.status().lastSeenAt == later)
            #expect(try await fixture.tracking.items.item(fixture.item, for: fixture.ada).isSilent)
        }
    }

    @Test("An outage of the log delays only the log, not the bucket", arguments: Engine.allCases)
    func outage(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            fixture.cloud.setDown(true)
            try await fixture.bucket.put(fixture.body(fixture.delivery([try fixture.frame(1, 2)])), at: "a")
            let next = try #require(try await fixture.readDue())
            #expect((2.5...5).contains(next.seconds(since: fixture.fixture.now)))
            #expect(try await fixture.fixture.fixes(of: fixture.item, for: fixture.ada).count == 1)
            fixture.cloud.log(
                fixture.delivery([try fixture.frame(3, 4, at: fixture.fixture.now.adding(seconds: -5))]),
                at: fixture.fixture.now)
            fixture.cloud.setDown(false)
            fixture.fixture.clock.set(next)
            try await fixture.readDue()
            #expect(try await fixture.fixture.fixes(of: fixture.item, for: fixture.ada).count == 2)
        }
    }

    @Test("Without a tracker with a SIM the cloud's log isn't read", arguments: Engine.allCases)
    func noDevices(engine: Engine) async throws {
        let cloud = FakeHologramClient()
        try await withFixture(engine, hologram: HologramConfiguration(client: cloud)) { fixture in
            for _ in 1...3 {
                let next = try await fixture.readDue()
                #expect(next == fixture.now.adding(seconds: 600))
                fixture.clock.advance(seconds: 600)
            }
            #expect(cloud.queries.isEmpty)
        }
    }

    @Test("The response to a poll is read soon", arguments: Engine.allCases)
    func soon(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            try await fixture.readDue()
            _ = try await fixture.command(.locate)
            _ = try await fixture.pollAndSend()
            #expect(
                try await fixture.readDue()
                    == fixture.fixture.now.adding(seconds: Limits.hologramAnswerSeconds))
        }
    }
}
