import Foundation
import Kernel
import Objects
import Storage
import TestSupport
import Testing

@testable import Backups

@Suite("Encrypted backups")
struct ArchiveTests {
    @Test("A backup gives back database, objects, keys, settings and the ledger's head", arguments: Engine.allCases)
    func roundTrip(engine: Engine) async throws {
        try await BackupFixture.with(engine) { fixture in
            try await fixture.fill()
            try await fixture.objects.put([1], at: "imports/a/0")
            let archive = try await fixture.archive()
            let backup = try await fixture.open(archive)
            #expect(backup.settings == BackupFixture.settings)
            #expect(backup.keys == fixture.subject.keys)
            #expect(backup.ledgerHead == Array("head".utf8))
            #expect(backup.manifest.engine == engine.rawValue)
            #expect(backup.manifest.rows["box"] == 20)
            #expect(backup.manifest.objectCount == 5)
            var read: [String: [UInt8]] = [:]
            try await fixture.reader().forEachObject(of: BytesSource(archive)) { read[$0] = $1 }
            #expect(read.count == 5)
            for (key, bytes) in read { #expect(try await fixture.objects.get(key) == bytes) }
            _ = try await fixture.database.restore(from: backup.databasePath)
            #expect(try await fixture.database.count("box") == 20)
        }
    }

    @Test("A backup of an empty server can be opened")
    func empty() async throws {
        try await BackupFixture.with { fixture in
            let backup = try await fixture.open(try await fixture.archive())
            #expect(backup.objects.isEmpty)
            #expect(backup.manifest.rows["box"] == 0)
        }
    }

    @Test("A backup reveals nothing without its key")
    func secrecy() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.fill()
            let archive = Data(try await fixture.archive())
            for text in ["SQLite", "home.example", "pictures/", "manifest", "secret"] {
                #expect(archive.range(of: Data(text.utf8)) == nil, "\(text)")
            }
        }
    }

    @Test("One changed byte anywhere is found", .timeLimit(.minutes(5)))
    func flippedBytes() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.fill(rows: 250)
            let archive = try await fixture.archive()
            #expect(archive.count > Limits.backupChunkBytes * 2)
            let header = Array(0..<SealedFormat.headerByteCount)
            let spread = (1...200).map { archive.count * $0 / 200 - 1 }
            for place in header + spread {
                var changed = archive
                changed[place] ^= 0x10
                await #expect(throws: BackupError.self, "byte \(place)") { try await fixture.open(changed) }
            }
            #expect(fixture.scratch.isEmpty)
        }
    }

    @Test("Each field of the header has an error of its own")
    func headerErrors() async throws {
        try await BackupFixture.with { fixture in
            var archive = try await fixture.archive()
            archive[0] ^= 1
            await #expect(throws: BackupError.notABackup) { try await fixture.open(archive) }
            archive[0] ^= 1
            archive[9] = 7
            await #expect(throws: BackupError.newerFormat(7)) { try await fixture.open(archive) }
            archive[9] = 1
            archive[10] ^= 1
            let error = await #expect(throws: BackupError.self) { try await fixture.open(archive) }
            #expect(error?.description.contains("was made with the key") == true)
        }
    }

    @Test("A backup that is cut off anywhere, or continues, is refused")
    func truncations() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.fill(rows: 250)
            let archive = try await fixture.archive()
            let chunk = SealedFormat.sealedChunkByteCount
            let ends = [SealedFormat.headerByteCount, SealedFormat.headerByteCount + chunk, archive.count - chunk]
            let spread = (0..<50).map { archive.count * $0 / 50 }
            for end in ends + spread + [archive.count - 1] {
                await #expect(throws: BackupError.self, "\(end) bytes") {
                    try await fixture.open(Array(archive.prefix(end)))
                }
            }
            await #expect(throws: BackupError.cutOff) { try await fixture.open(Array(archive.prefix(ends[1]))) }
            await #expect(throws: BackupError.self) { try await fixture.open(archive + [0]) }
            await #expect(throws: BackupError.self) { try await fixture.open(archive + archive) }
        }
    }

    @Test("Exchanged chunks are found")
    func exchangedChunks() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.fill(rows: 400)
            let archive = try await fixture.archive()
            let (start, chunk) = (SealedFormat.headerByteCount, SealedFormat.sealedChunkByteCount)
            let (first, second) = (start..<start + chunk, start + chunk..<start + 2 * chunk)
            let exchanged = archive[..<start] + archive[second] + archive[first] + archive[second.upperBound...]
            await #expect(throws: BackupError.self) { try await fixture.open(Array(exchanged)) }
        }
    }

    @Test("Another key is refused, and both keys are named")
    func wrongKey() async throws {
        try await BackupFixture.with { fixture in
            let other = try BackupKey(bytes: [UInt8](repeating: 5, count: 32))
            let archive = try await fixture.archive()
            await #expect(throws: BackupError.wrongKey(backup: fixture.key.id, given: other.id)) {
                try await fixture.open(archive, key: other)
            }
        }
    }

    @Test("A full disk discards the backup")
    func fullDisk() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.fill()
            let size = try await fixture.archive().count
            for capacity in [0, 100, size / 2, size - 1] {
                let target = MemoryTarget()
                target.capacity = capacity
                await #expect(throws: BackupError.system(step: "write", code: ENOSPC)) {
                    try await fixture.writer.write(to: target)
                }
                #expect(target.isDiscarded && !target.isFinished)
            }
            #expect(BackupError.system(step: "write", code: ENOSPC).description.contains("the disk is full"))
            #expect(fixture.scratch.isEmpty)
        }
    }

    @Test("Too little free space is reported before anything is written")
    func freeSpace() throws {
        let error = #expect(throws: BackupError.self) { try DiskSpace.require(.max / 2, in: "/tmp") }
        guard case .noSpace = error else { return #expect(Bool(false)) }
    }

    @Test(
        "An entry with a name or size that isn't allowed is refused",
        arguments: [
            "objects/../secret.key", "objects//etc/passwd", "keys/../a.key", "keys/a/b.key", "/etc/passwd", "objects/",
            "keys/x.sh", "other", "objects/.hidden", "",
        ])
    func names(name: String) {
        #expect(ArchiveEntry.Kind(name: name) == nil)
    }

    @Test("An entry that contradicts the manifest is refused")
    func contradictions() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.fill()
            let target = MemoryTarget()
            let archive = try ArchiveWriter(target, key: fixture.key)
            var manifest = try await fixture.writer.writeDatabase(to: archive)
            let listed = BackupObject(key: "pictures/a/0.jpg", bytes: [1])
            try await archive.add(.object("pictures/a/0.jpg"), [2])
            try await fixture.writer.writeEnd(&manifest, [listed], to: archive)
            await #expect(throws: BackupError.self) { try await fixture.open(target.bytes) }
        }
    }

    @Test("A row that is missing in the backup is found")
    func missingRow() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.fill()
            let target = MemoryTarget()
            let archive = try ArchiveWriter(target, key: fixture.key)
            var manifest = try await fixture.writer.writeDatabase(to: archive)
            manifest.rows["box"] = 21
            try await fixture.writer.writeEnd(&manifest, [], to: archive)
            let error = await #expect(throws: BackupError.self) { try await fixture.open(target.bytes) }
            #expect(error?.description.contains("rows of box") == true)
        }
    }
}
