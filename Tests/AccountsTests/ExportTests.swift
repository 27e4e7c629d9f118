import Foundation
import Kernel
import Synchronization
import TestSupport
import Testing

@testable import Accounts

@Suite("Export")
struct ExportTests {
    /// Runs a program that checks a file, and returns whether it succeeded.
    private func look(_ program: String, _ arguments: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private func expectSound(_ archive: [UInt8], _ script: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("export.zip")
        try Data(archive).write(to: URL(filePath: file))
        let opening = """
            import json, sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None

            """
        #expect(try look("python3", ["-c", opening + script, file]))
        #expect(try look("unzip", ["-tqq", file]))
    }

    @Test("The export is a valid zip with all data except secrets", arguments: Engine.allCases)
    func export(engine: Engine) async throws {
        try await withNotes(engine) { fixture in
            let mia = try await fixture.join()
            try await Notes.add("buy milk", of: mia.account.id, to: fixture.database)
            _ = try await fixture.service.proofs.prove(.export, password: "correct horse", by: mia.actor)
            let export = try await fixture.service.exports.export(mia.actor)
            #expect(export.fileName == "homeward-2026-03-01.zip")
            var bytes: [UInt8] = []
            for try await piece in export { bytes += piece }
            try expectSound(
                bytes,
                """
                names = ["account.json", "manifest.json", "devices.json", "identities.json", "passkeys.json",
                    "access-tokens.json", "notes/ä 0.txt", "notes/large.bin", "notes/photo.jpg", "notes/history.txt"]
                assert archive.namelist() == names, archive.namelist()
                assert archive.read("notes/ä 0.txt") == b"buy milk"
                assert archive.read("notes/large.bin") == bytes([7]) * 300000
                assert archive.read("notes/history.txt") == b"".join(b"line %d\\n" % n for n in reversed(range(2000)))
                history, photo = archive.getinfo("notes/history.txt"), archive.getinfo("notes/photo.jpg")
                assert history.compress_type == zipfile.ZIP_DEFLATED and history.compress_size < history.file_size / 3
                assert photo.compress_type == zipfile.ZIP_STORED
                assert archive.getinfo("account.json").date_time == (2026, 3, 1, 12, 0, 0)
                account = json.loads(archive.read("account.json"))
                assert account["email"] == "mia@example.org" and account["name"] == "Mia", account
                assert account["phone"] is None and account["isOperator"] is False and account["createdAt"], account
                manifest = json.loads(archive.read("manifest.json"))
                assert manifest == {"accountId": account["id"], "exportedAt": "2026-03-01T12:00:00.000Z", "format": 2,
                    "serverURL": "https://home.example"}, manifest
                assert len(json.loads(archive.read("devices.json"))) == 1
                assert json.loads(archive.read("identities.json")) == []
                assert not any("scrypt" in archive.read(name).decode("utf-8", "replace") for name in names)
                """
            )
        }
    }

    @Test("A large file is read only as far as it was sent")
    func isRead() async throws {
        let noise = Noise(pieces: 64)
        let file = ExportAttachment(path: "noise.bin", pieces: { noise })
        var largest = 0
        var sent = 0
        for try await piece in AccountExport(files: [file], madeAt: Instant(millisecondsSince1970: 0)) {
            largest = Swift.max(largest, piece.count)
            sent += piece.count
            // Incompressible data keeps its size. zlib may buffer less than one piece.
            #expect(noise.read <= sent + 3 * Noise.pieceBytes)
        }
        #expect(noise.read == 64 * Noise.pieceBytes)
        #expect(largest <= 3 * Noise.pieceBytes)
    }

    @Test("The zip can contain more files than 16 bits can count")
    func manyFiles() throws {
        var writer = ZipWriter(at: Instant(millisecondsSince1970: 0))
        var bytes: [UInt8] = []
        for number in 0..<66_000 { bytes += try writer.store("\(number)", []) }
        bytes += writer.finish()
        try expectSound(bytes, "assert len(archive.namelist()) == 66000 and archive.namelist()[-1] == '65999'")
    }

    @Test("The zip can contain sizes and offsets that need 64 bits", arguments: [40, 700])
    func largeFiles(largest: UInt64) throws {
        var writer = ZipWriter(at: Instant(millisecondsSince1970: 0), largest: largest)
        var bytes: [UInt8] = []
        for name in ["a", "b"] {
            bytes += try writer.begin(name, mayBeLarge: true)
            for number in 0..<100 { bytes += try writer.append(Array("\(name) \(number) ".utf8)) }
            bytes += try writer.end()
        }
        bytes += try writer.store("c", Array("small".utf8))
        bytes += writer.finish()
        let script = """
            assert archive.read("b") == b"".join(b"b %d " % n for n in range(100))
            assert archive.read("c") == b"small"
            assert all(info.extract_version == 45 for info in archive.infolist() if info.filename != "c")
            """
        try expectSound(bytes, script)
    }

    @Test(
        "Paths outside the archive are refused",
        arguments: ["", "/etc/passwd", "../x", "a/../b", "a//b", "a\\b", String(repeating: "x", count: 1_001)])
    func paths(path: String) {
        var writer = ZipWriter(at: Instant(millisecondsSince1970: 0))
        #expect(throws: ZipWriter.Failure.badPath) { try writer.store(path, []) }
        #expect(throws: ZipWriter.Failure.badPath) { try writer.begin(path, mayBeLarge: false) }
    }
}

/// Incompressible data that records how many bytes were read.
private final class Noise: AsyncSequence, Sendable {
    static let pieceBytes = 100_000

    private let pieces: Int
    private let count = Mutex(0)

    init(pieces: Int) { self.pieces = pieces }

    var read: Int { count.withLock { $0 } }

    func makeAsyncIterator() -> Iterator { Iterator(noise: self, left: pieces) }

    struct Iterator: AsyncIteratorProtocol {
        let noise: Noise
        var left: Int

        mutating func next() async throws -> [UInt8]? {
            guard left > 0 else { return nil }
            left -= 1
            noise.count.withLock { $0 += Noise.pieceBytes }
            return SeededRandom(seed: UInt64(left)).bytes(Noise.pieceBytes)
        }
    }
}
