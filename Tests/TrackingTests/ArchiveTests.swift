import Accounts
import Foundation
import Kernel
import Objects
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Pictures
@testable import Tracking

@Suite("The archive of fixes")
struct ArchiveTests {
    static let day: Int64 = 24 * 60 * 60

    /// An object store that fails on demand or calls a closure before a write.
    final class FailingObjectStore: ObjectStore {
        struct State {
            var fails = false
            var writes = 0
            var beforePut: (@Sendable () async throws -> Void)?
        }
        let inner: any ObjectStore
        let state = Mutex(State())

        init(_ inner: any ObjectStore) { self.inner = inner }

        func put(_ bytes: [UInt8], at key: String) async throws {
            let (fails, before) = state.withLock { state in
                state.writes += 1
                defer { state.beforePut = nil }
                return (state.fails, state.beforePut)
            }
            if fails { throw ObjectStoreError.unreachable("told so") }
            try await before?()
            try await inner.put(bytes, at: key)
        }
        func get(_ key: String) async throws -> [UInt8]? { try await inner.get(key) }
        func delete(_ key: String) async throws {
            if state.withLock({ $0.fails }) { throw ObjectStoreError.unreachable("told so") }
            try await inner.delete(key)
        }
        func keys(below prefix: String, after: String?, limit: Int) async throws -> [String] {
            try await inner.keys(below: prefix, after: after, limit: limit)
        }
        func discardInterrupted(before instant: Instant) async throws {}
    }

    @Test("Each fix is archived once, by item and day", arguments: Engine.allCases)
    func archived(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            for hours in [-30, -29, -2, -1] as [Int64] {
                let at = fixture.now.adding(seconds: hours * 3_600)
                try await fixture.osmand(secret, 1, Double(hours), at: at, ["batt": "50"])
            }
            #expect(try await fixture.tracking.archive.writeSegments() == 4)
            let segments = try await fixture.segments()
            #expect(segments.map { ArchiveDay.text($0.day) } == ["2026-02-28", "2026-03-01"])
            #expect(segments.map(\.fixes.count) == [2, 2])
            #expect(segments.allSatisfy { $0.item == item && $0.source == .osmand })
            #expect(segments[0].fixes[0].coordinate.longitude == -30)
            #expect(segments[0].fixes[0].batteryPercent == 50)
            #expect(try await fixture.tracking.archive.writeSegments() == 0)
            #expect(try await fixture.tracking.archiveCheck.check().isSound)
            #expect(try await fixture.tracking.archiveCheck.check().fixes == 4)
        }
    }

    @Test("After the first segment, fixes are gathered for an hour unless requested early", arguments: Engine.allCases)
    func gathered(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (_, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 1, 1, at: fixture.now)
            #expect(try await fixture.tracking.archive.writeSegments() == 1)
            for _ in 0..<3 {
                fixture.clock.advance(seconds: 600)
                try await fixture.osmand(secret, 1, 1, at: fixture.now)
                #expect(try await fixture.tracking.archive.writeSegments() == 0)
            }
            #expect(try await fixture.tracking.archiveCheck.check().waiting == 3)
            fixture.clock.advance(seconds: Limits.segmentGatherSeconds - 1_800)
            #expect(try await fixture.tracking.archive.writeSegments() == 3)
            // A late fix is in the next segment.
            try await fixture.osmand(secret, 1, 1, at: fixture.now.adding(seconds: -40 * 3_600))
            #expect(try await fixture.tracking.archive.writeSegments() == 0)
            #expect(try await fixture.tracking.archive.writeSegments(early: true) == 1)
            #expect(try await fixture.segments().map(\.fixes.count).sorted() == [1, 1, 3])
        }
    }

    @Test("A long history is split into segments of limited size", arguments: Engine.allCases)
    func long(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 1, 1, at: fixture.now)
            let count = 6 * Limits.segmentFixes + 7
            try await fixture.makeHistory(of: item, count: count)
            #expect(try await fixture.tracking.archive.writeSegments() == count + 1)
            let segments = try await fixture.segments()
            #expect(segments.allSatisfy { $0.fixes.count <= Limits.segmentFixes })
            let times = segments.flatMap { $0.fixes.map(\.at) }
            #expect(times.count == count + 1 && Set(times).count == count + 1)
            #expect(try await fixture.tracking.archiveCheck.check().isSound)
        }
    }

    @Test("Another run finishes an interrupted one and writes nothing twice", arguments: Engine.allCases)
    func interrupted(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (_, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 1, 1, at: fixture.now)
            let fickle = FailingObjectStore(fixture.objects)
            let broken = try fixture.otherNode(objects: fickle)
            fickle.state.withLock { $0.fails = true }
            await #expect(throws: ObjectStoreError.self) { try await broken.archive.writeSegments() }
            // The segment is cut, and no other node writes it before the claim ends.
            try await fixture.osmand(secret, 2, 2, at: fixture.now.adding(seconds: -60))
            #expect(try await fixture.tracking.archive.writeSegments() == 0)
            #expect(try await fixture.segments().isEmpty)
            #expect(try await fixture.tracking.archiveCheck.check().isSound)
            fixture.clock.advance(seconds: Limits.segmentRetrySeconds)
            #expect(try await fixture.tracking.archive.writeSegments() == 1)
            fixture.clock.advance(seconds: Limits.segmentGatherSeconds)
            #expect(try await fixture.tracking.archive.writeSegments() == 1)
            let times = try await fixture.segments().flatMap { $0.fixes.map(\.at) }
            #expect(times.count == 2 && Set(times).count == 2)
        }
    }

    @Test("Another node takes over from a vanished writer when the claim ends", arguments: Engine.allCases)
    func vanished(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (_, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 1, 1, at: fixture.now)
            let (now, ids) = (fixture.now, [ID<FixSegment>(at: fixture.now, random: fixture.random)])
            let cut = try await fixture.database.write { tx in
                let tracks = try SegmentStore.due(now: now, early: false, after: 0, limit: 10, in: tx)
                return try SegmentStore.cut(try #require(tracks.first), early: false, ids: ids, now: now, in: tx).claims
            }
            #expect(cut.count == 1)
            #expect(try await fixture.tracking.archive.writeSegments() == 0)
            fixture.clock.advance(seconds: Limits.segmentLeaseSeconds)
            #expect(try await fixture.otherNode().archive.writeSegments() == 1)
            #expect(try await fixture.segments().map(\.id) == ids)
        }
    }

    @Test("Several nodes at once write each fix once", arguments: Engine.allCases)
    func severalNodes(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            for index in 0..<5 {
                let (item, secret) = try await fixture.tracked("Thing \(index)", of: ada)
                try await fixture.osmand(secret, 1, 1, at: fixture.now)
                try await fixture.makeHistory(of: item, count: 1_500)
            }
            let nodes = try (0..<4).map { _ in try fixture.otherNode() }
            let written = try await withThrowingTaskGroup(of: Int.self) { group in
                for node in nodes { group.addTask { try await node.archive.writeSegments() } }
                return try await group.reduce(0, +)
            }
            #expect(written == 5 * 1_501)
            #expect(try await fixture.segments().reduce(0) { $0 + $1.fixes.count } == 5 * 1_501)
            #expect(try await fixture.tracking.archiveCheck.check().isSound)
        }
    }

    @Test("Deleting an item deletes its objects, at once or when the store is back", arguments: Engine.allCases)
    func deleted(engine: Engine) async throws {
        let folder = try TemporaryFolder()
        let fickle = FailingObjectStore(try FolderObjectStore(folder: folder.path))
        try await withFixture(engine, objects: fickle) { fixture in
            let ada = try await fixture.person()
            let change = Change(actor: ada)
            let (one, firstSecret) = try await fixture.tracked("One", of: ada)
            let (two, secondSecret) = try await fixture.tracked("Two", of: ada)
            for secret in [firstSecret, secondSecret] { try await fixture.osmand(secret, 1, 1, at: fixture.now) }
            #expect(try await fixture.tracking.archive.writeSegments() == 2)
            #expect(try await !fixture.tracking.archiveCheck.checkDeleted(one).isSound)

            try await fixture.tracking.itemDeletions.delete(one, by: change)
            #expect(try await fixture.objects.keys(below: SegmentKey.folder(of: one)) == [])
            #expect(try await fixture.objects.keys(below: SegmentKey.folder(of: two)).count == 1)
            #expect(try await fixture.tracking.archiveCheck.checkDeleted(one).isSound)

            fickle.state.withLock { $0.fails = true }
            try await fixture.tracking.itemDeletions.delete(two, by: change)
            let report = try await fixture.tracking.archiveCheck.checkDeleted(two)
            #expect(report.findingCount == 2, "the object, and that it is noted as garbage")
            #expect(try await !fixture.tracking.archiveCheck.check().isSound)
            await #expect(throws: ObjectStoreError.self) { try await fixture.pictures.sweep() }
            fickle.state.withLock { $0.fails = false }
            try await fixture.pictures.sweep()
            #expect(try await fixture.tracking.archiveCheck.checkDeleted(two).isSound)
            #expect(try await fixture.objects.keys(below: "") == [])
            #expect(try await fixture.tracking.archiveCheck.check().isSound)
        }
    }

    @Test("An item that is deleted during a write leaves no object", arguments: Engine.allCases)
    func deletedMeanwhile(engine: Engine) async throws {
        let folder = try TemporaryFolder()
        let fickle = FailingObjectStore(try FolderObjectStore(folder: folder.path))
        try await withFixture(engine, objects: fickle) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 1, 1, at: fixture.now)
            fickle.state.withLock { state in
                state.beforePut = { try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: ada)) }
            }
            #expect(try await fixture.tracking.archive.writeSegments() == 0)
            #expect(try await fixture.objects.keys(below: "").count == 1)
            #expect(try await !fixture.tracking.archiveCheck.checkDeleted(item).isSound)
            try await fixture.pictures.sweep()
            #expect(try await fixture.tracking.archiveCheck.checkDeleted(item).isSound)
        }
    }

    @Test("An account's archive is deleted with the account", arguments: Engine.allCases)
    func account(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let (ada, ben) = (try await fixture.person("Ada"), try await fixture.person("Ben"))
            let (mine, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 1, 1, at: fixture.now)
            try await fixture.makeHistory(of: mine, count: Limits.fixesPerDeletion + 1)
            let (other, otherSecret) = try await fixture.tracked(of: ben)
            try await fixture.osmand(otherSecret, 1, 1, at: fixture.now)
            try await fixture.tracking.archive.writeSegments()
            try await fixture.database.write { tx in try fixture.tracking.dataHandler.erase(ada.person, in: tx) }
            try await fixture.tracking.housekeeping.run()
            try await fixture.pictures.sweep()
            #expect(try await fixture.tracking.archiveCheck.checkDeleted(mine).isSound)
            #expect(try await fixture.objects.keys(below: "").count == 1)
            #expect(try await fixture.fixes(of: other, for: ben).count == 1)
        }
    }
}

extension TrackingFixture {
    /// The segments in the archive, in key order.
    func segments() async throws -> [FixSegment] {
        var segments: [FixSegment] = []
        for key in try await objects.keys(below: SegmentKey.root) {
            segments.append(try FixSegmentFormat.segment(try #require(try await objects.get(key))))
        }
        return segments.sorted { ($0.day, $0.fixes[0].at) < ($1.day, $1.fixes[0].at) }
    }

    /// Inserts `count` fixes before the existing ones, one second apart.
    func makeHistory(of item: ID<Item>, count: Int) async throws {
        try await database.write { tx in
            let row = try tx.row("SELECT series FROM track WHERE item_id = \(item)")
            let series: Int64 = try #require(row).get("series")
            try tx.execute(
                """
                INSERT INTO fix (series, at, latitude, longitude)
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
                SELECT \(series), 1000000000000 + n * 1000, 1, 2 FROM number
                """
            )
        }
    }
}
