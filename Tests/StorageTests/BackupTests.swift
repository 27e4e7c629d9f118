import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@Suite("Backups")
struct BackupTests {
    private func open(_ path: String, _ migrations: [Migration] = Samples.migrations) async throws -> Database {
        try await Database.open(.sqlite(path: path), migrations: migrations, logger: .silent, clock: TestClock())
    }

    @Test("A backup during writes is complete and doesn't overwrite a file")
    func backup() async throws {
        let folder = try TemporaryFolder()
        let database = try await open(folder.file("live.sqlite"))
        try await database.write { tx in try Samples.addBox("a", in: tx) }
        let writer = Task {
            var number = 0
            while !Task.isCancelled {
                let id = "w\(number)"
                try await database.write { tx in
                    try Samples.addBox(id, in: tx)
                    try tx.execute("INSERT INTO slip (box_id) VALUES (\(id))")
                }
                number += 1
            }
        }
        try await database.backup(to: folder.file("copy.sqlite"))
        writer.cancel()
        try await writer.value
        await #expect(throws: StorageError.self) { try await database.backup(to: folder.file("copy.sqlite")) }
        await #expect(throws: StorageError.self) { try await database.backup(to: folder.file("nowhere/copy.sqlite")) }
        await database.close()
        let rest = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(rest == ["copy.sqlite", "live.sqlite"])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("copy.sqlite"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)

        let copy = try await open(folder.file("copy.sqlite"))
        let counts = try await copy.read { tx in
            try tx.row("SELECT (SELECT COUNT(*) FROM box) AS boxes, (SELECT COUNT(*) FROM slip) AS slips")
        }
        let boxes: Int = try #require(counts).get("boxes")
        #expect(boxes >= 1)
        #expect(try #require(counts).get("slips") == boxes - 1)
        await copy.close()
    }

    @Test("A restore replaces the content of a running server, which notices it", .timeLimit(.minutes(15)))
    func restore() async throws {
        let folder = try TemporaryFolder()
        let server = try await open(folder.file("live.sqlite"))
        try await server.write { tx in
            try Samples.addBox("old", in: tx)
            try tx.publish(Samples.event(1))
        }
        try await server.backup(to: folder.file("copy.sqlite"))
        try await server.write { tx in
            try Samples.addBox("new", in: tx)
            try tx.publish(Samples.event(2))
        }
        let last = try await server.read { tx in try Outbox.lastSequence(in: tx) }
        let ticks = server.changes()

        let command = try await open(folder.file("live.sqlite"))
        let restored = try await command.restore(from: folder.file("copy.sqlite")) { tx in
            try tx.publish(Samples.event(3))
        }
        let safetyCopy = try #require(restored)
        await command.close()

        try await waitForTick(ticks) {
            let seen = try await server.read { tx in try Outbox.entries(after: last, limit: 10, in: tx) }
            return seen.map(\.event.version) == [3]
        }
        try await Samples.expectBoxes(["old"], in: server)
        try await server.write { tx in try Samples.addBox("next", in: tx) }
        try await Samples.expectBoxes(["next", "old"], in: server)
        await server.close()

        let before = try await open(safetyCopy)
        try await Samples.expectBoxes(["new", "old"], in: before)
        await before.close()
        let rest = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!rest.contains { $0.contains(".restore") || $0.contains(".part") })
    }

    @Test("A limited number of copies from before restores is kept, and other files stay")
    func copies() async throws {
        let folder = try TemporaryFolder()
        let live = try await open(folder.file("live.sqlite"))
        try await live.backup(to: folder.file("copy.sqlite"))
        for name in [
            "live.sqlite.backup-before-sample-0002", "live.sqlite.backup", "other.sqlite.backup-before-restore",
        ] {
            try "mine".write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        }
        var last: String?
        for _ in 0..<(Limits.storeCopies + 3) { last = try await live.restore(from: folder.file("copy.sqlite")) }
        await live.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count { $0.hasPrefix("live.sqlite.backup-before-restore") } == Limits.storeCopies)
        #expect(FileManager.default.fileExists(atPath: try #require(last)))
        for name in [
            "live.sqlite.backup-before-sample-0002", "live.sqlite.backup", "other.sqlite.backup-before-restore",
        ] {
            #expect(names.contains(name))
        }
    }

    @Test("A restore migrates an older backup")
    func older() async throws {
        let folder = try TemporaryFolder()
        let old = try await open(folder.file("old.sqlite"))
        try await old.write { tx in try Samples.addBox("a", in: tx) }
        try await old.backup(to: folder.file("copy.sqlite"))
        await old.close()
        let more = Migration(module: "sample", name: "0002-more", sql: "ALTER TABLE box ADD COLUMN more {integer};")
        let live = try await open(folder.file("live.sqlite"), Samples.migrations + [more])
        _ = try await live.restore(from: folder.file("copy.sqlite"))
        let row = try await live.read { tx in try tx.row("SELECT id, more FROM box") }
        #expect(try row?.get("id") == "a")
        await live.close()
        let rest = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(rest == ["copy.sqlite", "live.sqlite", "live.sqlite.backup-before-restore", "old.sqlite"])
    }

    @Test("A restore of a damaged or newer file, or of another program's file, fails and changes nothing")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let live = try await open(folder.file("live.sqlite"))
        try await live.write { tx in
            try Samples.addBox("a", in: tx)
            for place in 1...500 { try tx.execute("INSERT INTO shelf (floor, place, label) VALUES (1, \(place), 'x')") }
        }
        try Data("Not a database".utf8).write(to: URL(fileURLWithPath: folder.file("text")))
        try Data().write(to: URL(fileURLWithPath: folder.file("empty")))

        try await live.backup(to: folder.file("damaged"))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("damaged")))
        bytes.replaceSubrange(4_096 * 3..<bytes.count, with: Data(repeating: 0x55, count: bytes.count - 4_096 * 3))
        try bytes.write(to: URL(fileURLWithPath: folder.file("damaged")))

        try await live.backup(to: folder.file("truncated"))
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file("truncated")))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: folder.file("truncated")))

        let more = Migration(module: "sample", name: "0002-more", sql: "CREATE TABLE more (id {text}) {strict};")
        await (try await open(folder.file("newer"), Samples.migrations + [more])).close()
        let other = try await open(folder.file("other"))
        try await other.write { tx in try tx.execute("PRAGMA application_id = 17") }
        await other.close()

        for name in ["missing", "text", "empty", "damaged", "truncated", "newer", "other"] {
            await #expect(throws: StorageError.self, "\(name)") { try await live.restore(from: folder.file(name)) }
        }
        try await Samples.expectBoxes(["a"], in: live)
        try await live.write { tx in try Samples.addBox("b", in: tx) }
        await live.close()
    }
}
