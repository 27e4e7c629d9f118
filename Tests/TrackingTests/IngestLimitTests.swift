import Accounts
import Foundation
import Hologram
import Kernel
import Quotas
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

/// A protocol by which a device sends one position.
private struct DevicePath {
    let name: String
    let device: IngestRate.Device
    let send: (TrackingServices) async throws -> Void

    /// All protocols, with devices of one account.
    static func all(_ cloud: CloudFixture) async throws -> [DevicePath] {
        let fixture = cloud.fixture
        let osmand = try await fixture.app(.osmand, for: fixture.item("OsmAnd", of: cloud.ada).item.id, of: cloud.ada)
        let traccar = try await fixture.app(.osmand, for: fixture.item("Traccar", of: cloud.ada).item.id, of: cloud.ada)
        let phone = try await fixture.ownTracks(for: fixture.item("OwnTracks", of: cloud.ada).item.id, of: cloud.ada)
        let times = sequence(first: fixture.now) { $0.adding(seconds: -1) }
        var next = times.makeIterator()
        func later() -> Instant { next.next() ?? fixture.now }
        return [
            DevicePath(name: "tracker", device: .tracker(cloud.tracker.id)) { node in
                let message = cloud.tracker.message(phase: .active, fixes: [try cloud.tracker.fix(1, 2, at: later())])
                _ = try await node.trackerMessages.receive(
                    cloud.tracker.id.description, body: message.sealed.body, signature: message.sealed.signature)
            },
            DevicePath(name: "hologram", device: .tracker(cloud.tracker.id)) { node in
                let delivery = cloud.delivery([try cloud.frame(1, 2, at: later())])
                _ = try await node.hologramWebhook.ingest(secret: CloudFixture.secret, body: cloud.body(delivery))
            },
            DevicePath(name: "hologram's device", device: .hologram(CloudFixture.device)) { node in
                let delivery = cloud.delivery([try cloud.frame(1, 2, at: later())])
                _ = try await node.hologramWebhook.ingest(secret: CloudFixture.secret, body: cloud.body(delivery))
            },
            DevicePath(name: "osmand", device: .source(osmand.source.id)) { node in
                let seconds = later().millisecondsSince1970 / 1_000
                _ = try await node.osmAnd.ingest(query: [
                    (name: "id", value: osmand.secret), (name: "lat", value: "1"), (name: "lon", value: "2"),
                    (name: "timestamp", value: "\(seconds)"),
                ])
            },
            DevicePath(name: "traccar", device: .source(traccar.source.id)) { node in
                let json = """
                    {"device_id":"\(traccar.secret)","location":{"timestamp":"\(later().rfc3339)",\
                    "coords":{"latitude":1.5,"longitude":2.5}}}
                    """
                _ = try await node.traccar.ingest(body: Array(json.utf8))
            },
            DevicePath(name: "owntracks", device: .source(phone.source.source.id)) { node in
                _ = try await phone.send(OwnTracksApp.location(1, 2, at: later()), to: node)
            },
        ]
    }
}

@Suite("Ingest limits")
struct IngestLimitTests {
    @Test("A bucket accepts one larger batch, then rejects, and refills; each device has its own")
    func bucket() throws {
        let rate = IngestRate()
        let clock = TestClock()
        let device = IngestRate.Device.hologram(1)
        try rate.charge(device, of: nil, positions: Limits.ingestBurst + 50, now: clock.now)
        let refused = #expect(throws: AppError.self) { try rate.charge(device, of: nil, now: clock.now) }
        #expect(refused?.code == .throttled && refused?.retryAfterSeconds == 6)
        #expect(throws: AppError.self) { try rate.check(device, now: clock.now) }
        try rate.charge(.hologram(2), of: nil, now: clock.now)
        clock.advance(seconds: 6)
        try rate.check(device, now: clock.now)
        try rate.charge(device, of: nil, positions: 10, now: clock.now)
        #expect(throws: AppError.self) { try rate.charge(device, of: nil, now: clock.now) }
    }

    @Test("An account's devices share a bucket; a refusal takes nothing from the device's own one")
    func accountBucket() throws {
        let rate = IngestRate()
        let clock = TestClock()
        let random = SeededRandom()
        let owner = PersonID(at: clock.now, random: random)
        for number in 0..<4 {
            let device = IngestRate.Device.hologram(Int64(number))
            try rate.charge(device, of: owner, positions: Limits.ingestBurst, now: clock.now)
        }
        // A new device of the same account has its own full bucket.
        let new = IngestRate.Device.hologram(99)
        let refused = #expect(throws: AppError.self) { try rate.charge(new, of: owner, now: clock.now) }
        #expect(refused?.code == .throttled && refused?.retryAfterSeconds == 1)
        try rate.check(new, now: clock.now)
        try rate.charge(new, of: PersonID(at: clock.now, random: random), now: clock.now)
        clock.advance(seconds: 1)
        try rate.charge(new, of: owner, positions: Limits.accountIngestPerSecond, now: clock.now)
        #expect(throws: AppError.self) { try rate.charge(new, of: owner, now: clock.now) }
    }

    @Test("However many devices send, an account in use keeps its bucket")
    func manyDevices() throws {
        let rate = IngestRate()
        let now = TestClock().now
        let owner = PersonID(at: now, random: SeededRandom())
        for number in 0..<(2 * Limits.ingestBuckets) {
            try rate.charge(.hologram(Int64(number)), of: owner, now: now)
        }
        let left = Limits.accountIngestBurst - 2 * Limits.ingestBuckets
        try rate.charge(.hologram(-1), of: owner, positions: left, now: now)
        #expect(throws: AppError.self) { try rate.charge(.hologram(-2), of: owner, now: now) }
    }

    @Test(
        "Every protocol rejects an account whose devices together send too fast, also a new device",
        arguments: Engine.allCases)
    func accountRates(engine: Engine) async throws {
        try await withCloudFixture(engine) { cloud in
            let fixture = cloud.fixture
            let before = try await DevicePath.all(cloud)
            for path in before { try await path.send(fixture.tracking) }
            try fixture.tracking.ingestRate.charge(
                .hologram(-1), of: cloud.ada.person, positions: 2 * Limits.accountIngestBurst, now: fixture.now)
            let stored = try await fixture.count("fix")
            // New sources have their own full buckets.
            for path in try await DevicePath.all(cloud) + before {
                let refused = await refusal { try await path.send(fixture.tracking) }
                #expect(refused?.code == .throttled, "\(path.name)")
                #expect(refused?.retryAfterSeconds ?? 0 > 1, "\(path.name)")
            }
            #expect(try await fixture.count("fix") == stored)
            let ben = try await fixture.person("Ben")
            let (_, secret) = try await fixture.tracked(of: ben)
            let query = [(name: "id", value: secret), (name: "lat", value: "1"), (name: "lon", value: "2")]
            #expect(try await fixture.tracking.osmAnd.ingest(query: query) == .accepted)
            let seconds = Int64(Limits.accountIngestBurst / Limits.accountIngestPerSecond) * 2
            fixture.clock.advance(seconds: seconds)
            for path in before { try await path.send(fixture.tracking) }
            #expect(try await fixture.count("fix") > stored)
        }
    }

    @Test("A deleted item's positions count for the quota until they are removed", arguments: Engine.allCases)
    func deletedItem(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            for age in 0..<7 { try await fixture.osmand(secret, 1, 2, at: fixture.now.adding(seconds: -Int64(age))) }
            func check(_ expected: Int) async throws {
                #expect(try await fixture.count("fix") == expected)
                let total = try await fixture.database.read { tx in try FixStore.total(of: ada.person, in: tx) }
                #expect(total == expected)
            }
            try await check(7)
            let now = fixture.now
            let release = ID<Command>(at: now, random: fixture.random)
            for slice in [3, 2] {
                try await fixture.database.write { tx in
                    if slice == 3 {
                        try fixture.tracking.itemEraser.erase(
                            item, of: ada.person, deletingPicture: false, fixes: slice, release: release, now: now,
                            in: tx)
                    } else {
                        #expect(try !FixStore.delete(of: item, limit: slice, in: tx))
                    }
                }
                try await check(slice == 3 ? 4 : 2)
            }
            // A node that counts again rejects the position, because the rows are still stored.
            let (_, other) = try await fixture.tracked(of: ada)
            let full = try fixture.otherNode(fixesPerAccount: 2)
            let query = [(name: "id", value: other), (name: "lat", value: "1"), (name: "lon", value: "2")]
            let refused = await refusal { _ = try await full.osmAnd.ingest(query: query) }
            #expect(refused?.code == .throttled)
            try await fixture.tracking.historySweeper.sweepAll()
            try await check(0)
        }
    }

    @Test(
        "Every protocol rejects a device that sends too fast, stores nothing, and accepts it again later",
        arguments: Engine.allCases)
    func rates(engine: Engine) async throws {
        try await withCloudFixture(engine) { cloud in
            let fixture = cloud.fixture
            for path in try await DevicePath.all(cloud) {
                try await path.send(fixture.tracking)
                let before = try await (fixture.count("fix"), fixture.count("cloud_quarantine"))
                try fixture.tracking.ingestRate.charge(
                    path.device, of: nil, positions: 2 * Limits.ingestBurst, now: fixture.now)
                let refused = await refusal { try await path.send(fixture.tracking) }
                #expect(refused?.code == .throttled, "\(path.name)")
                let wait = try #require(refused?.retryAfterSeconds)
                #expect(try await fixture.count("fix") == before.0, "\(path.name)")
                #expect(try await fixture.count("cloud_quarantine") == before.1, "\(path.name)")
                fixture.clock.advance(seconds: Int64(wait))
                try await path.send(fixture.tracking)
                #expect(try await fixture.count("fix") == before.0 + 1, "\(path.name)")
            }
        }
    }

    @Test("Days without a connection are caught up at once", arguments: Engine.allCases)
    func catchUp(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            for batch in 0..<5 {
                let fixes = try (0..<Limits.fixesPerMessage).map { index in
                    let age = Int64(batch * Limits.fixesPerMessage + index) * 600
                    return try tracker.fix(1, 2, at: fixture.now.adding(seconds: -age))
                }
                _ = try await tracker.call(phase: .active, fixes: fixes)
            }
            #expect(try await fixture.count("fix") == 5 * Limits.fixesPerMessage)
            #expect(try await fixture.counted(item) == 5 * Limits.fixesPerMessage)
        }
    }

    @Test(
        "Every protocol rejects positions of an account with a full history and notifies its owner",
        arguments: Engine.allCases)
    func quota(engine: Engine) async throws {
        try await withCloudFixture(engine) { cloud in
            let fixture = cloud.fixture
            let paths = try await DevicePath.all(cloud)
            for path in paths { try await path.send(fixture.tracking) }
            let stored = try await fixture.count("fix")
            let full = try fixture.otherNode(
                hologram: HologramConfiguration(webhookSecrets: [try #require(WebhookSecret(CloudFixture.secret))]),
                fixesPerAccount: stored)
            for path in paths {
                let refused = await refusal { try await path.send(full) }
                #expect(refused?.code == .throttled, "\(path.name)")
                #expect(refused?.retryAfterSeconds == Limits.historyFullRetrySeconds, "\(path.name)")
            }
            #expect(try await fixture.count("fix") == stored)
            let told = try await fixture.notices().filter { $0.kind == "historyFull" }
            #expect(told.map(\.person) == [cloud.ada.person] && told.first?.details == ["percent": "100"])
            // Another account's positions are accepted.
            let ben = try await fixture.person("Ben")
            let (_, secret) = try await fixture.tracked(of: ben)
            let query = [(name: "id", value: secret), (name: "lat", value: "1"), (name: "lon", value: "2")]
            #expect(try await full.osmAnd.ingest(query: query) == .accepted)
            // After the item's deletion there is capacity again.
            try await fixture.tracking.itemDeletions.delete(cloud.item, by: Change(actor: cloud.ada))
            fixture.clock.advance(seconds: Limits.historyRoomSeconds)
            try await paths.last?.send(full)
        }
    }

    @Test("An account's own limit of positions decides, lower and higher than the default", arguments: Engine.allCases)
    func ownQuota(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (_, secret) = try await fixture.tracked(of: ada)
            let full = try fixture.otherNode(fixesPerAccount: 1)
            func send() async throws {
                fixture.clock.advance(seconds: Limits.historyRoomSeconds)
                let query = [(name: "id", value: secret), (name: "lat", value: "1"), (name: "lon", value: "2")]
                _ = try await full.osmAnd.ingest(query: query)
            }
            func setLimit(_ count: Int?) async throws {
                try await fixture.database.write { tx in
                    try QuotaStore.set(QuotaOverride(fixes: count), of: ada.person, in: tx)
                }
            }
            try await send()
            #expect(await refusal { try await send() }?.code == .throttled)
            try await setLimit(2)
            try await send()
            #expect(try await fixture.count("fix") == 2)
            try await setLimit(0)
            #expect(await refusal { try await send() }?.code == .throttled)
            try await setLimit(nil)
            #expect(await refusal { try await send() }?.code == .throttled)
        }
    }

    @Test("Below its limit, a history is never reported as full", arguments: [1, 8])
    func belowLimit(positionsAtOnce atOnce: Int) {
        let limit = 3 * Limits.historyRoomAtOnce
        let capacity = HistoryCapacity()
        let clock = TestClock()
        let owner = PersonID(at: clock.now, random: SeededRandom())
        var stored = 0
        while stored < limit {
            let isFree =
                capacity.reserve(atOnce, of: owner, now: clock.now)
                ?? capacity.reserve(atOnce, of: owner, StoredFixes(count: stored, limit: limit), now: clock.now)
            guard isFree else { break }
            stored += atOnce
        }
        #expect(stored >= limit)
        #expect(!capacity.reserve(1, of: owner, StoredFixes(count: stored, limit: limit), now: clock.now))
        #expect(capacity.reserve(1, of: owner, now: clock.now) == false)
    }

    @Test("A position fetched from the cloud is quarantined when the history is full")
    func fetched() async throws {
        try await withCloudFixture(.sqlite) { cloud in
            let full = try cloud.fixture.otherNode(fixesPerAccount: 1)
            try await cloud.post(cloud.delivery([cloud.frame(1, 2)]))
            let delivery = cloud.delivery([
                try cloud.frame(3, 4, at: cloud.fixture.now.adding(seconds: -9), counter: 1_001)
            ])
            let now = cloud.fixture.now
            try await cloud.fixture.database.write { tx in
                _ = try full.hologramMessages.process(delivery, from: "hologram record 1", now: now, in: tx)
            }
            #expect(try await cloud.fixture.count("fix") == 1)
            #expect(try await cloud.fixture.quarantine(for: cloud.ada) == [.historyFull])
        }
    }

    @Test("The stored count of positions always matches the table", arguments: Engine.allCases)
    func counting(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            func check() async throws {
                let stored = try await fixture.count("fix")
                #expect(try await fixture.counted(item) == stored)
                let total = try await fixture.database.read { tx in try FixStore.total(of: ada.person, in: tx) }
                #expect(total == stored)
            }
            let days: [Int64] = [0, 0, 5, 9, 9]
            for (index, day) in days.enumerated() {
                try await fixture.osmand(secret, 1, 2, at: fixture.now.adding(seconds: -86_400 * day - Int64(index)))
            }
            // The same position again, and another position at the same time.
            try await fixture.osmand(secret, 1, 2, at: fixture.now)
            try await fixture.osmand(secret, 5, 2, at: fixture.now)
            #expect(try await fixture.count("fix") == 5)
            try await check()
            try await fixture.tracking.archive.writeSegments(early: true)
            let patch = ItemPatch(settings: .set(SettingsPatch(keepDays: .set(7))))
            _ = try await fixture.tracking.items.update(item, patch, ifVersion: nil, by: Change(actor: ada))
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.count("fix") == 3)
            try await check()
            // Rows lost from the table are restored from the archive.
            try await fixture.database.write { tx in
                try tx.execute("DELETE FROM fix")
                try tx.execute("UPDATE whereabouts SET fixes = 0")
            }
            _ = try await fixture.tracking.archiveRebuild.rebuild()
            #expect(try await fixture.count("fix") == 3)
            try await check()
        }
    }
}

extension TrackingFixture {
    /// The item's stored count of positions.
    fileprivate func counted(_ item: ID<Item>) async throws -> Int {
        try await database.read { tx in
            try tx.row("SELECT fixes FROM whereabouts WHERE item_id = \(item)")?.get("fixes") ?? 0
        }
    }
}
