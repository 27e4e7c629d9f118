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
    func threeRoads(engine: Engine) async throws {
        try await withCloud(engine) { house in
            for number in 1...5 {
                house.house.clock.advance(seconds: 600)
                let delivery = house.delivery([try house.frame(Double(number), 2, counter: Int64(number))])
                try await house.bucket.put(house.body(delivery), at: "2026/Fix-\(number):00.json")
                house.cloud.log(delivery, at: house.house.now)
                let (service, other, body) = (house.service, try house.house.otherNode(), house.body(delivery))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 1...2 {
                        group.addTask {
                            let answer = try await service.ingestHologram(secret: CloudHouse.secret, body: body)
                            #expect(answer == .accepted)
                        }
                    }
                    group.addTask { _ = try await service.readCloud() }
                    group.addTask { _ = try await other.readCloud() }
                    try await group.waitForAll()
                }
                let fixes = try await house.house.fixes(of: house.item, for: house.ada)
                #expect(fixes.map(\.coordinate.latitude) == (1...number).reversed().map(Double.init))
            }
            #expect(try await house.house.events().filter { $0.kind == "fix" }.count == 5)
            #expect(try await house.bucket.keys(below: "").isEmpty)
            #expect(try await house.house.quarantine(for: house.ada).isEmpty)
            #expect(try await house.service.item(house.item, for: house.ada).lastFix?.coordinate.latitude == 5)
        }
    }

    @Test("After a day of downtime all fixes are read once and in order", arguments: Engine.allCases)
    func dayOff(engine: Engine) async throws {
        try await withCloud(engine, pageSize: 10) { house in
            _ = try await house.service.readCloud()
            let start = house.house.now
            // A fix every ten minutes. Every fourth is also in the bucket, and every sixth only there.
            for number in 1...144 {
                let at = start.adding(seconds: Int64(number * 600))
                let frame = try house.frame(Double(number) / 10, 2, at: at, counter: Int64(number))
                let delivery = house.delivery([frame], at: at)
                if number % 6 != 0 { house.cloud.log(delivery, at: at) }
                if number % 6 == 0 || number % 4 == 0 {
                    try await house.bucket.put(house.body(delivery), at: "Day/\(1_000 - number).json")
                }
            }
            house.house.clock.set(start.adding(seconds: 24 * 60 * 60))
            let restarted = try house.house.otherNode()
            let next = try await restarted.readCloud()
            #expect(next == house.house.now.adding(seconds: 600))
            let fixes = try await house.house.fixes(of: house.item, for: house.ada, limit: 200)
            #expect(fixes.map(\.at) == (1...144).reversed().map { start.adding(seconds: Int64($0 * 600)) })
            #expect(try await house.bucket.keys(below: "").isEmpty)
            // Each period of the log is read after the one before, and none is read twice.
            let queries = house.cloud.queries
            #expect(zip(queries, queries.dropFirst()).allSatisfy { $0.from <= $1.from })
            let asked = queries.count
            #expect(asked < 60)
            let events = try await house.house.events().count
            #expect(try await restarted.readCloud() == next)
            #expect(house.cloud.queries.count == asked)
            house.house.clock.advance(seconds: 600)
            _ = try await restarted.readCloud()
            #expect(house.cloud.queries.count == asked + 1)
            #expect(try await house.house.events().count == events)
            #expect(try await house.service.item(house.item, for: house.ada).lastFix?.coordinate.latitude == 14.4)
        }
    }

    @Test("A crowded log is read in shorter periods and in order", arguments: Engine.allCases)
    func crowded(engine: Engine) async throws {
        try await withCloud(engine, pageSize: 2, hasBucket: false) { house in
            _ = try await house.service.readCloud()
            let start = house.house.now
            for number in 1...200 {
                let at = start.adding(seconds: Int64(number * 10))
                let frame = try house.frame(Double(number) / 10, 2, at: at, counter: Int64(number))
                house.cloud.log(house.delivery([frame], at: at), at: at)
            }
            house.house.clock.set(start.adding(seconds: 3 * 60 * 60))
            _ = try await house.service.readCloud()
            let fixes = try await house.house.fixes(of: house.item, for: house.ada, limit: 200)
            #expect(fixes.count == 200)
            #expect(try await house.house.events().filter { $0.kind == "fix" }.count == 200)
        }
    }

    @Test("A broken object is quarantined once, remains, and blocks no other object", arguments: Engine.allCases)
    func broken(engine: Engine) async throws {
        try await withCloud(engine) { house in
            try await house.makeOperator()
            let good = house.delivery([try house.frame(1, 2)])
            let empty = house.delivery([])
            let objects: [(String, [UInt8])] = [
                ("a", Array("not JSON".utf8)), ("b", Array(#"{"device":{"id":1}}"#.utf8)), ("c", house.body(empty)),
                ("d", [UInt8](repeating: 32, count: 70_000)), ("e", house.body(good)),
            ]
            for (key, bytes) in objects { try await house.bucket.put(bytes, at: key) }
            for _ in 1...3 {
                _ = try await house.service.readCloud()
                house.house.clock.advance(seconds: 600)
            }
            #expect(try await house.house.fixes(of: house.item, for: house.ada).count == 1)
            #expect(try await house.bucket.keys(below: "") == ["a", "b", "c", "d"])
            #expect(
                try await house.house.quarantine(for: house.ada) == Array(repeating: .unexpectedShape, count: 4))
            try await house.bucket.delete("a")
            house.house.clock.advance(seconds: 600)
            _ = try await house.service.readCloud()
            #expect(try await house.house.count("cloud_object") == 3)
        }
    }

    @Test("The webhook accepts only its secret and only JSON", arguments: Engine.allCases)
    func webhook(engine: Engine) async throws {
        try await withCloud(engine) { house in
            let body = house.body(house.delivery([try house.frame(1, 2)]))
            for wrong in ["", "abcdefghijklmnopqrstuw", CloudHouse.secret + "v", CloudHouse.secret.uppercased()] {
                #expect(try await house.service.ingestHologram(secret: wrong, body: body) == .unauthorized)
            }
            #expect(try await house.house.fixes(of: house.item, for: house.ada).isEmpty)
            for malformed in ["", "{", "id=1"] {
                let answer = try await house.service.ingestHologram(
                    secret: CloudHouse.secret, body: Array(malformed.utf8))
                #expect(answer == .malformed)
            }
            #expect(try await house.service.ingestHologram(secret: CloudHouse.secret, body: body) == .accepted)
            #expect(try await house.house.fixes(of: house.item, for: house.ada).count == 1)
        }
        try await withHouse(engine) { house in
            let answer = try await house.service.ingestHologram(secret: "", body: [])
            #expect(answer == .unauthorized)
        }
    }

    @Test("The frames identify the tracker, not the device id", arguments: Engine.allCases)
    func claimants(engine: Engine) async throws {
        try await withCloud(engine) { house in
            try await house.makeOperator()
            let eve = try await house.house.person("Eve")
            var others: [FakeTracker] = []
            for _ in 1...Limits.trackersPerHologramDevice {
                let item = try await house.house.item(of: eve).item.id
                let other = try await FakeTracker(house.house)
                other.hologramDevice = CloudHouse.device
                try await other.activate(for: item, of: eve)
                others.append(other)
            }
            try await house.post(house.delivery([try house.frame(1, 2)]))
            #expect(try await house.house.fixes(of: house.item, for: house.ada).count == 1)
            // An unclaimed device, another tracker's frames, an altered frame, and a reflected command.
            var altered = try house.frame(5, 6, at: house.house.now.adding(seconds: -60))
            altered[10] ^= 1
            let stranger = try await FakeTracker(house.house)
            let command = TrackerCommand(
                id: ID(at: house.house.now, random: house.house.random), kind: .off, issuedAt: house.house.now,
                expiresAt: nil)
            let reflected = try #require(CompactCommand(command)).sealed(with: house.tracker.keys)
            for delivery in [
                house.delivery([try house.frame(7, 8)], device: 99),
                house.delivery([try house.frame(7, 8, by: stranger)]), house.delivery([altered]),
                house.delivery([reflected]),
            ] { try await house.post(delivery) }
            #expect(try await house.house.fixes(of: house.item, for: house.ada).count == 1)
            #expect(try await house.house.quarantine(for: house.ada) == Array(repeating: .unknownSender, count: 4))
            #expect(try await house.house.quarantine(for: eve).isEmpty)
        }
    }

    @Test("Good frames beside bad ones are stored, and bad ones are quarantined", arguments: Engine.allCases)
    func mixed(engine: Engine) async throws {
        try await withCloud(engine) { house in
            let now = house.house.now
            let other = try await FakeTracker(house.house)
            try await house.post(
                house.delivery([
                    try house.frame(1, 2, at: now.adding(seconds: -20)), try house.frame(7, 8, by: other),
                    try house.frame(3, 4, at: now.adding(seconds: -10), counter: 1_001),
                    try house.frame(9, 9, at: now.adding(seconds: 700), counter: 1_002),
                ]))
            #expect(try await house.house.fixes(of: house.item, for: house.ada).map(\.coordinate.latitude) == [3, 1])
            #expect(
                Set(try await house.house.quarantine(for: house.ada)) == [.unexpectedShape, .timeOutOfRange])
        }
    }

    @Test("An old message doesn't update the time of the last contact", arguments: Engine.allCases)
    func oldNews(engine: Engine) async throws {
        try await withCloud(engine) { house in
            let seen = try #require(try await house.status().lastSeenAt)
            house.house.clock.advance(seconds: 7_200)
            let before = seen.adding(seconds: -60)
            try await house.post(house.delivery([try house.frame(1, 2, at: before)], at: before))
            #expect(try await house.status().lastSeenAt == seen)
            let later = seen.adding(seconds: 3_600)
            try await house.post(house.delivery([try house.frame(1, 2, at: later, counter: 1_001)], at: later))
            #expect(try await house.status().lastSeenAt == later)
            #expect(try await house.service.item(house.item, for: house.ada).isSilent)
        }
    }

    @Test("An outage of the log delays only the log, not the bucket", arguments: Engine.allCases)
    func outage(engine: Engine) async throws {
        try await withCloud(engine) { house in
            house.cloud.setDown(true)
            try await house.bucket.put(house.body(house.delivery([try house.frame(1, 2)])), at: "a")
            let next = try #require(try await house.service.readCloud())
            #expect((2.5...5).contains(next.seconds(since: house.house.now)))
            #expect(try await house.house.fixes(of: house.item, for: house.ada).count == 1)
            house.cloud.log(
                house.delivery([try house.frame(3, 4, at: house.house.now.adding(seconds: -5))]), at: house.house.now)
            house.cloud.setDown(false)
            house.house.clock.set(next)
            _ = try await house.service.readCloud()
            #expect(try await house.house.fixes(of: house.item, for: house.ada).count == 2)
        }
    }

    @Test("Without a tracker with a SIM the cloud's log isn't read", arguments: Engine.allCases)
    func noDevices(engine: Engine) async throws {
        let cloud = FakeCloud()
        try await withHouse(engine, hologram: HologramSetup(road: cloud)) { house in
            for _ in 1...3 {
                let next = try await house.service.readCloud()
                #expect(next == house.now.adding(seconds: 600))
                house.clock.advance(seconds: 600)
            }
            #expect(cloud.queries.isEmpty)
        }
    }

    @Test("The response to a poll is read soon", arguments: Engine.allCases)
    func soon(engine: Engine) async throws {
        try await withCloud(engine) { house in
            _ = try await house.service.readCloud()
            _ = try await house.command(.locate)
            _ = try await house.service.goRounds()
            #expect(
                try await house.service.readCloud()
                    == house.house.now.adding(seconds: Limits.hologramAnswerSeconds))
        }
    }
}
