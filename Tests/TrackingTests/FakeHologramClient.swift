import Accounts
import Foundation
import Hologram
import Jobs
import Kernel
import Objects
import Storage
import Synchronization
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

/// A fake of Hologram's cloud: it accepts messages or fails on demand, and returns records newest first.
final class FakeHologramClient: HologramClient {
    struct Content {
        var sent: [HologramMessage] = []
        var failures: [HologramFailure] = []
        var records: [HologramRecord] = []
        var queries: [HologramQuery] = []
        var isDown = false
    }

    let content = Mutex(Content())
    private let pageSize: Int

    init(pageSize: Int = 25) { self.pageSize = pageSize }

    var sent: [HologramMessage] { content.withLock(\.sent) }
    var queries: [HologramQuery] { content.withLock(\.queries) }

    func fail(_ failures: HologramFailure...) { content.withLock { $0.failures += failures } }
    func setDown(_ isDown: Bool) { content.withLock { $0.isDown = isDown } }

    /// Logs a device's message.
    func log(_ delivery: HologramDelivery?, at: Instant) {
        content.withLock {
            $0.records.append(HologramRecord(id: Int64(1_000 + $0.records.count), loggedAt: at, delivery: delivery))
        }
    }

    func send(_ message: HologramMessage) async throws(HologramFailure) {
        let failure = content.withLock { content -> HologramFailure? in
            if content.isDown { return .unavailable(status: 503) }
            if !content.failures.isEmpty { return content.failures.removeFirst() }
            content.sent.append(message)
            return nil
        }
        if let failure { throw failure }
    }

    func records(_ query: HologramQuery) async throws(HologramFailure) -> HologramPage {
        let found = content.withLock { content -> [HologramRecord]? in
            if content.isDown { return nil }
            content.queries.append(query)
            return content.records.reversed().filter { record in
                let at = record.loggedAt ?? query.from
                return at >= query.from && query.until.map { at <= $0 } ?? true
                    && query.after.map { record.id < $0 } ?? true
            }
        }
        guard let found else { throw .unavailable(status: 503) }
        return HologramPage(records: Array(found.prefix(pageSize)), continues: found.count > pageSize)
    }
}

/// A test server with a cloud, and a user whose active tracker has a SIM of the cloud.
struct CloudFixture {
    static let device: Int64 = 5_678
    static let secret = "abcdefghijklmnopqrstuv"

    let fixture: TrackingFixture
    let cloud: FakeHologramClient
    let bucket: FolderObjectStore
    let ada: Actor
    let item: ID<Item>
    let tracker: FakeTracker

    var tracking: TrackingServices { fixture.tracking }

    /// The tracker's frames as a message of the cloud.
    func delivery(_ frames: [[UInt8]], device: Int64 = device, at: Instant? = nil) -> HologramDelivery {
        let text = Data(frames.flatMap(\.self)).base64EncodedString()
        return HologramDelivery(device: device, content: Array(text.utf8), receivedAt: at ?? fixture.now)
    }

    /// The body that a route posts for a message.
    func body(_ delivery: HologramDelivery) -> [UInt8] {
        let time = (delivery.receivedAt ?? fixture.now).rfc3339.dropLast()
        let data = Data(delivery.content).base64EncodedString()
        return Array(
            """
            {"received":"\(time)","authtype":"psk","tags":["homeward"],"device":{"id":\(delivery.device),"name":"x"},\
            "errorcode":0,"timestamp":"0","data":"\(data)"}
            """.utf8)
    }

    /// A frame with a fix.
    func frame(
        _ latitude: Double, _ longitude: Double, at: Instant? = nil, counter: Int64 = 1_000,
        by other: FakeTracker? = nil
    ) throws -> [UInt8] {
        let tracker = other ?? tracker
        let fix = try tracker.fix(latitude, longitude, at: at)
        let compact = try #require(CompactFix(counter: counter, fix: fix, mode: .cellular))
        return compact.sealed(with: tracker.keys)
    }

    func frame(acknowledging id: ID<Command>, _ result: TrackerCommandResult = .applied) -> [UInt8] {
        CompactAcknowledgement(Acknowledgement(id: id.cast(to: TrackerCommand.self), result: result))
            .sealed(with: tracker.keys)
    }

    func post(_ delivery: HologramDelivery) async throws {
        let answer = try await tracking.hologramWebhook.ingest(secret: Self.secret, body: body(delivery))
        #expect(answer == .accepted)
    }

    /// The commands that the tracker received through the cloud, decrypted.
    func received() throws -> [TrackerCommand] {
        try cloud.sent.map { try CompactCommand($0.payload, keys: tracker.keys).command }
    }

    func status() async throws -> TrackerStatus { try #require(await tracking.items.item(item, for: ada).tracker) }

    func commands() async throws -> [String] {
        try await tracking.commands.list(of: item, for: ada, after: nil, limit: 50).items.map {
            "\($0.kind) \($0.state)"
        }
    }

    /// Polls the due trackers and sends the due commands.
    /// - Returns: When the next poll or delivery is due.
    func pollAndSend(_ node: TrackingServices? = nil) async throws -> Instant? {
        try await fixture.pollAndSend(node)
    }

    /// Reads the cloud's bucket and log where they are due.
    /// - Returns: When the next reading is due.
    @discardableResult
    func readDue(_ node: TrackingServices? = nil) async throws -> Instant? { try await fixture.readDue(node) }

    func command(_ kind: CommandKind) async throws -> Command {
        try await tracking.commands.create(item, kind: kind, by: Change(actor: ada))
    }

    func makeOperator() async throws {
        try await fixture.database.write { [ada] tx in
            try tx.execute("UPDATE account SET is_operator = 1 WHERE id = \(ada.person)")
        }
    }
}

extension TrackingFixture {
    func pollAndSend(_ node: TrackingServices? = nil) async throws -> Instant? {
        let node = node ?? tracking
        let nextPoll = try await node.polls.runDuePolls()
        await node.commandDeliveries.worker.performDueJobs()
        let nextDelivery = try await database.read { tx in try node.commandDeliveries.queue.nextDue(in: tx) }
        return [nextPoll, nextDelivery].compactMap(\.self).min()
    }

    @discardableResult
    func readDue(_ node: TrackingServices? = nil) async throws -> Instant? {
        let node = node ?? tracking
        try await node.hologramFeeds.worker.enqueueRepeatedJobs()
        await node.hologramFeeds.worker.performDueJobs()
        return try await database.read { tx in try node.hologramFeeds.queue.nextDue(in: tx) }
    }
}

func withCloudFixture(
    _ engine: Engine, pageSize: Int = 25, hasBucket: Bool = true, _ body: (CloudFixture) async throws -> Void
) async throws {
    let cloud = FakeHologramClient(pageSize: pageSize)
    let folder = try TemporaryFolder()
    let bucket = try FolderObjectStore(folder: folder.file("bucket"), keys: .external)
    let setup = HologramConfiguration(
        client: cloud, webhookSecrets: [try #require(WebhookSecret(CloudFixture.secret))],
        bucket: hasBucket ? bucket : nil
    )
    try await withFixture(engine, hologram: setup) { fixture in
        let ada = try await fixture.person()
        let item = try await fixture.item(of: ada).item.id
        let tracker = try await FakeTracker(fixture)
        tracker.hologramDevice = CloudFixture.device
        try await tracker.activate(for: item, of: ada)
        try await body(
            CloudFixture(fixture: fixture, cloud: cloud, bucket: bucket, ada: ada, item: item, tracker: tracker))
    }
}
