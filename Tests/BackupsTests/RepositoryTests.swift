import Foundation
import Kernel
import Objects
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Backups

@Suite("Repositories of backups")
struct RepositoryTests {
    private static func name(_ text: String, _ seed: UInt64 = 1) throws -> BackupName {
        BackupName(at: try #require(Instant(rfc3339: text)), random: SeededRandom(seed: seed))
    }

    private static func with(_ body: (BackupFixture, BackupRepository, CountingStore) async throws -> Void) async throws
    {
        try await BackupFixture.with { fixture in
            let store = CountingStore(try FolderObjectStore(folder: fixture.folder.file("backups")))
            try await body(fixture, BackupRepository(store, key: fixture.key), store)
        }
    }

    private static func open(_ repository: BackupRepository, _ fixture: BackupFixture) async throws -> OpenedBackup {
        guard let backup = try await repository.latest() else { throw BackupError.notABackup }
        let opened = try await fixture.reader().open(repository.sources(of: backup))
        try await opened.checkDatabase()
        for object in opened.objects { _ = try await repository.content(of: object) }
        return opened
    }

    @Test("A name is its time and can be read")
    func names() throws {
        let name = try Self.name("2026-11-26T12:00:03.250Z")
        #expect(name.description.hasPrefix("2026-11-26t12-00-03z-"))
        #expect(BackupName(name.description)?.startedAt == Instant(rfc3339: "2026-11-26T12:00:03Z"))
        #expect(ObjectKey.isValid(name.description))
        for text in ["", "latest", "2026-11-26t12-00-03z", "../../../../../../../../etc", "\(name)x", "\(name)/a"] {
            #expect(BackupName(text) == nil, "\(text)")
        }
        #expect(try name < Self.name("2026-11-26T12:00:04Z"))
    }

    @Test("Names order by time also within a second, whatever their random digits are")
    func orderWithinSecond() throws {
        let times = ["00.000", "00.001", "00.015", "00.016", "00.255", "00.256", "00.999", "01.000"]
        for seed in UInt64(1)...20 {
            let names = try times.enumerated().map { try Self.name("2026-11-26T12:00:\($1)Z", seed + UInt64($0)) }
            #expect(names == names.sorted())
            #expect(names.allSatisfy { BackupName($0.description) != nil })
        }
    }

    @Test("Unchanged objects are neither read nor written again, and equal contents are stored once")
    func reuse() async throws {
        try await Self.with { fixture, repository, store in
            try await fixture.fill(objects: 10)
            try await fixture.objects.put([7, 7], at: "fixes/x")
            try await fixture.objects.put([7, 7], at: "fixes/y")
            let first = try await fixture.writer.write(to: repository, as: Self.name("2026-03-01T00:00:00Z"))
            #expect(first.backup.objectsCopied == 11)
            #expect(first.backup.manifest.objectCount == 12)
            #expect(store.count(below: "objects/") == 11)

            try await fixture.objects.put([8], at: "fixes/z")
            try await fixture.objects.delete("fixes/x")
            let second = try await fixture.writer.write(to: repository, as: Self.name("2026-03-02T00:00:00Z"))
            #expect(second.backup.objectsCopied == 1)
            #expect(second.backup.byteCount < first.backup.byteCount)
            #expect(store.count(below: "objects/") == 12)
            let opened = try await Self.open(repository, fixture)
            #expect(opened.objects.count == 12)
            #expect(opened.manifest.rows["box"] == 20)
        }
    }

    @Test("A backup that was interrupted at any write isn't listed as complete, and the next one is whole")
    func interruptions() async throws {
        try await Self.with { fixture, repository, store in
            try await fixture.fill(objects: 3)
            // The mark, the parts of two streams, three contents, the completion.
            for writes in 0..<7 {
                store.failAfter(writes)
                await #expect(throws: (any Error).self, "\(writes) writes") {
                    try await fixture.writer.write(
                        to: repository, as: Self.name("2026-03-01T00:00:00Z", UInt64(writes)))
                }
                #expect(try await repository.names().allSatisfy { !$0.isComplete })
                #expect(try await repository.latest() == nil)
            }
            store.failAfter(nil)
            _ = try await fixture.writer.write(to: repository, as: Self.name("2026-03-01T01:00:00Z"))
            #expect(try await Self.open(repository, fixture).objects.count == 3)
        }
    }

    @Test("A changed or missing object of the repository is found")
    func damage() async throws {
        try await Self.with { fixture, repository, store in
            try await fixture.fill(objects: 2)
            _ = try await fixture.writer.write(to: repository, as: Self.name("2026-03-01T00:00:00Z"))
            for key in store.keys where !key.hasSuffix("/started") {
                let bytes = try #require(try await store.get(key))
                var changed = bytes
                changed[bytes.count / 2] ^= 1
                try await store.put(changed, at: key)
                await #expect(throws: BackupError.self, "\(key) is changed") {
                    try await Self.open(repository, fixture)
                }
                try await store.put(Array(bytes.dropLast()), at: key)
                await #expect(throws: BackupError.self, "\(key) is cut off") {
                    try await Self.open(repository, fixture)
                }
                try await store.delete(key)
                await #expect(throws: (any Error).self, "\(key) is missing") {
                    try await Self.open(repository, fixture)
                }
                try await store.put(bytes, at: key)
            }
            _ = try await Self.open(repository, fixture)
        }
    }

    @Test("Contents that were exchanged are found")
    func exchange() async throws {
        try await Self.with { fixture, repository, store in
            try await fixture.fill(objects: 2)
            _ = try await fixture.writer.write(to: repository, as: Self.name("2026-03-01T00:00:00Z"))
            let keys = store.keys.filter { $0.hasPrefix("objects/") }
            let contents = [try await store.get(keys[0]), try await store.get(keys[1])]
            try await store.put(contents[1] ?? [], at: keys[0])
            try await store.put(contents[0] ?? [], at: keys[1])
            await #expect(throws: BackupError.self) { try await Self.open(repository, fixture) }
        }
    }

    @Test("A retention keeps the newest backup of each of the last days, weeks and months")
    func retention() throws {
        let start = try #require(Instant(rfc3339: "2026-01-01T06:00:00Z"))
        let names = (0..<400).map { BackupName(at: start.adding(seconds: $0 * 43_200), random: SeededRandom(seed: 1)) }
        let retention = try #require(BackupRetention("3 days, 2 weeks, 4 months"))
        let kept = retention.kept(of: names.reversed()).sorted().map { String($0.description.prefix(13)) }
        // 400 halves of days end on 19 July 2026, a Sunday.
        #expect(
            kept == [
                "2026-04-30t18", "2026-05-31t18", "2026-06-30t18", "2026-07-12t18", "2026-07-17t18", "2026-07-18t18",
                "2026-07-19t18",
            ])
        #expect(try #require(BackupRetention("1 month")).kept(of: []).isEmpty)
    }

    @Test("Settings of a retention", arguments: ["7 days, 4 weeks, 12 months", "1 day", "2 weeks,1 month"])
    func retentionTexts(text: String) { #expect(BackupRetention(text) != nil) }

    @Test(
        "Settings of a retention that keep nothing or can't be read",
        arguments: ["", "0 days", "7", "7 years", "-1 days"])
    func malformedRetentions(text: String) { #expect(BackupRetention(text) == nil) }

    @Test("Removing old backups removes the contents that only they refer to, and interrupted backups after a day")
    func prune() async throws {
        try await Self.with { fixture, repository, store in
            try await fixture.fill(objects: 2)
            try await fixture.objects.put([1], at: "fixes/old")
            let first = try Self.name("2026-03-01T00:00:00Z")
            _ = try await fixture.writer.write(to: repository, as: first)
            try await fixture.objects.delete("fixes/old")
            let second = try Self.name("2026-03-02T00:00:00Z")
            _ = try await fixture.writer.write(to: repository, as: second)
            store.failAfter(2)
            let interrupted = try Self.name("2026-03-02T06:00:00Z")
            await #expect(throws: (any Error).self) { try await fixture.writer.write(to: repository, as: interrupted) }
            store.failAfter(nil)
            let retention = try #require(BackupRetention("1 day"))

            let soon = try #require(Instant(rfc3339: "2026-03-02T12:00:00Z"))
            #expect(try await repository.prune(retention, now: soon) == [first])
            #expect(store.count(below: "objects/") == 3, "a backup may be in progress")
            #expect(try await repository.names().map(\.name) == [second, interrupted])

            let later = try #require(Instant(rfc3339: "2026-03-03T12:00:00Z"))
            #expect(try await repository.prune(retention, now: later) == [interrupted])
            #expect(store.count(below: "objects/") == 2)
            #expect(store.count(below: "backups/") == store.count(below: "backups/\(second)/"))
            #expect(try await Self.open(repository, fixture).objects.count == 2)
        }
    }

    @Test("A repository of another key is refused")
    func otherKey() async throws {
        try await Self.with { fixture, repository, store in
            _ = try await fixture.writer.write(to: repository, as: Self.name("2026-03-01T00:00:00Z"))
            let other = BackupRepository(store, key: try BackupKey(bytes: [UInt8](repeating: 1, count: 32)))
            await #expect(throws: BackupError.self) { try await other.latest() }
            #expect(try await other.names().count == 1)
        }
    }
}

/// A store that fails after a number of writes, and lists its keys.
final class CountingStore: ObjectStore {
    private let base: any ObjectStore
    private let content = Mutex<Set<String>>([])
    private let writesLeft = Mutex<Int?>(nil)

    init(_ base: any ObjectStore) { self.base = base }

    var keys: [String] { content.withLock { $0.sorted() } }

    func count(below prefix: String) -> Int { keys.count { $0.hasPrefix(prefix) } }

    func failAfter(_ writes: Int?) { writesLeft.withLock { $0 = writes } }

    func put(_ bytes: [UInt8], at key: String) async throws {
        try writesLeft.withLock { left in
            guard left != 0 else { throw ObjectStoreError.system(step: "write", code: ENOSPC) }
            left = left.map { $0 - 1 }
        }
        try await base.put(bytes, at: key)
        content.withLock { _ = $0.insert(key) }
    }

    func get(_ key: String) async throws -> [UInt8]? { try await base.get(key) }

    func delete(_ key: String) async throws {
        try await base.delete(key)
        content.withLock { _ = $0.remove(key) }
    }

    func keys(below prefix: String, after: String?, limit: Int) async throws -> [String] {
        try await base.keys(below: prefix, after: after, limit: limit)
    }

    func discardInterrupted(before instant: Instant) async throws {
        try await base.discardInterrupted(before: instant)
    }

    func check() async throws { try await base.check() }
}
