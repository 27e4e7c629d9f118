import Kernel
import TestSupport
import Testing

@testable import Accounts

@Suite("Reading of archives")
struct ZipReaderTests {
    private static let files: [(String, [UInt8])] = [
        ("account.json", Array(#"{"name":"Mia"}"#.utf8)),
        ("tracking/histories/ä.gpx", Array(String(repeating: "a line of a history\n", count: 9_000).utf8)),
        ("pictures/1.jpg", (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
        ("empty.json", []),
    ]

    private static let expected = Dictionary(uniqueKeysWithValues: files)

    @Test("The files of an export are read, also with ZIP64", arguments: [UInt64(UInt32.max), 100, 30_000])
    func own(largest: UInt64) async throws {
        let archive = try ZipFixture.archive(Self.files, largest: largest)
        #expect(try await ZipFixture.contents(of: archive) == Self.expected)
    }

    @Test("The files of common tools are read, without folders")
    func others() async throws {
        let archive = try ZipFixture.python(
            """
            archive.mkdir("export")
            archive.writestr("export/a.txt", b"a" * 5000)
            archive.writestr("export/b.txt", b"stored", zipfile.ZIP_STORED)
            with archive.open("export/c.txt", "w", force_zip64=True) as part: part.write(b"large")
            archive.comment = b"PK\\5\\6 is in this comment"
            """)
        let found = try await ZipFixture.contents(of: archive)
        #expect(
            found == [
                "export/a.txt": [UInt8](repeating: UInt8(ascii: "a"), count: 5_000),
                "export/b.txt": Array("stored".utf8), "export/c.txt": Array("large".utf8),
            ])
    }

    private static let harmful: [(name: String, script: String, error: ZipError)] = [
        ("a parent folder", #"archive.writestr("a/../../b", b"x")"#, .badPath),
        ("an absolute path", #"archive.writestr("/etc/passwd", b"x")"#, .badPath),
        ("a backslash", #"i = zipfile.ZipInfo("a"); i.filename = "a\\b"; archive.writestr(i, b"x")"#, .badPath),
        ("a control character", #"archive.writestr("a\nb", b"x")"#, .badPath),
        ("an empty part", #"archive.writestr("a//b", b"x")"#, .badPath),
        ("a name twice", #"archive.writestr("a", b"x"); archive.writestr("a", b"y")"#, .badPath),
        ("another compression", #"archive.writestr("a", b"x" * 100, zipfile.ZIP_BZIP2)"#, .unsupported),
        ("a bomb", #"archive.writestr("a", bytes(20_000_000))"#, .suspicious),
        ("many small bombs", "for n in range(20): archive.writestr(str(n), bytes(1_000_000))", .suspicious),
        ("many files", "for n in range(10_001): archive.writestr(str(n), b'')", .tooLarge),
        ("an encrypted file", #"archive.writestr("a", b"x"); archive.filelist[0].flag_bits |= 1"#, .encrypted),
        ("a changed size", #"archive.writestr("a", b"xyz"); archive.filelist[0].file_size = 2"#, .damaged),
        ("a changed checksum", #"archive.writestr("a", b"xyz"); archive.filelist[0].CRC ^= 1"#, .damaged),
        ("another name", #"archive.writestr("a", b"xyz"); archive.filelist[0].filename = "b""#, .damaged),
        (
            "files that share bytes",
            #"archive.writestr("a", b"x" * 99); archive.writestr("b", b"x"); "#
                + "archive.filelist[1].header_offset = archive.filelist[0].header_offset + 1", .suspicious
        ),
    ]

    @Test("Harmful archives are refused", arguments: harmful.indices)
    func refused(index: Int) async throws {
        let (name, script, expected) = Self.harmful[index]
        let archive = try ZipFixture.python(script)
        await #expect(throws: expected, "\(name)") { _ = try await ZipFixture.contents(of: archive) }
    }

    @Test("What isn't an archive is refused")
    func foreign() async throws {
        for bytes in [[], Array("no archive".utf8), [UInt8](repeating: 0, count: 100_000)] {
            await #expect(throws: ZipError.notAnArchive) { _ = try await ZipFixture.contents(of: bytes) }
        }
    }

    @Test("A cut archive is refused at each length")
    func truncated() async throws {
        let archive = try ZipFixture.archive(Array(Self.files.prefix(1)))
        for count in 0..<archive.count {
            await #expect(throws: ZipError.self) {
                _ = try await ZipFixture.contents(of: Array(archive.prefix(count)))
            }
        }
    }

    @Test("A damaged archive is refused, or its files are unchanged", arguments: 0..<4 as Range<UInt64>)
    func damaged(seed: UInt64) async throws {
        let small = Self.files.map { ($0.0, Array($0.1.prefix(300))) }
        let expected = Dictionary(uniqueKeysWithValues: small)
        let whole = try ZipFixture.archive(small, largest: seed % 2 == 0 ? 100 : UInt64(UInt32.max))
        let random = SeededRandom(seed: seed)
        func below(_ limit: Int) -> Int { Int(random.uint64() % UInt64(limit)) }
        var unchangedCount = 0
        for _ in 0..<500 {
            var archive = whole
            for _ in 0...below(3) {
                let place = below(archive.count)
                switch below(4) {
                case 0: archive[place] = UInt8(truncatingIfNeeded: random.uint64())
                case 1: archive[place] ^= 1 << UInt8(below(8))
                case 2: archive.removeSubrange(place..<min(archive.count, place + below(40)))
                default: archive.insert(contentsOf: archive.prefix(below(40)), at: place)
                }
            }
            do {
                for (path, contents) in try await ZipFixture.contents(of: archive) {
                    #expect(expected[path] == contents, "\(path)")
                }
                unchangedCount += 1
            } catch is ZipError {}
        }
        // Otherwise a reader that refuses everything would pass.
        #expect(unchangedCount > 0 && unchangedCount < 500)
    }
}
