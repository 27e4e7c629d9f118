import Crypto
import Kernel
import TestSupport
import Testing

@testable import Tracking

@Suite("The format of archived fixes")
struct FixSegmentTests {
    private static let day: Int64 = 20_513

    private static func fix(_ seconds: Int64, battery: Int? = nil) throws -> ArchivedFix {
        ArchivedFix(
            at: ArchiveDay.start(of: day).adding(seconds: seconds),
            coordinate: try #require(Coordinate(latitude: 52.52, longitude: -13.405)), accuracyMetres: 4.5,
            altitudeMetres: nil, speedMetresPerSecond: 0, headingDegrees: 359.9, batteryPercent: battery
        )
    }

    private static func segment(_ fixes: [ArchivedFix]) throws -> FixSegment {
        FixSegment(
            id: try #require(ID("01938e5f-7c00-7abc-8def-0123456789ab")),
            item: try #require(ID("01938e5f-7c00-7001-8002-000000000003")), day: day, device: "device-ü",
            source: .owntracks, fixes: fixes
        )
    }

    /// Assembled by hand from docs/fix-archive.md.
    @Test("The bytes match the documentation")
    func described() throws {
        let bytes = FixSegmentFormat.bytes(try Self.segment([try Self.fix(1, battery: 77)]))
        let expected =
            "48574649585345470001" + "01938e5f7c007abc8def0123456789ab" + "01938e5f7c00700180020000000000030000"
            + "5021" + "00096f776e747261636b73" + "00096465766963652dc3bc" + "00000001" + "0000019ca6b1dfe8"
            + "404a428f5c28f5c3" + "c02acf5c28f5c28f" + "4012000000000000" + "7ff8000000000000" + "0000000000000000"
            + "40767e6666666666" + "4d"
        let hexadecimal = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        #expect(hexadecimal.hasPrefix(expected))
        #expect(bytes.count == expected.count / 2 + 32)
        #expect(Array(bytes.suffix(32)) == Array(SHA256.hash(data: bytes.dropLast(32))))
    }

    @Test("A written segment reads back exactly")
    func roundTrip() throws {
        let segment = try Self.segment([
            try Self.fix(0), try Self.fix(1, battery: 0), try Self.fix(86_399, battery: 100),
        ])
        #expect(try FixSegmentFormat.segment(FixSegmentFormat.bytes(segment)) == segment)
    }

    @Test("Any changed byte and any cut is detected")
    func damage() throws {
        let bytes = FixSegmentFormat.bytes(try Self.segment([try Self.fix(5, battery: 5)]))
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x10
            #expect(throws: FixSegmentFormat.Flaw.self, "byte \(index)") { try FixSegmentFormat.segment(damaged) }
            #expect(throws: FixSegmentFormat.Flaw.self) { try FixSegmentFormat.segment(Array(bytes[..<index])) }
        }
        #expect(throws: FixSegmentFormat.Flaw.self) { try FixSegmentFormat.segment(bytes + [0]) }
    }

    @Test("Invalid content with a right checksum is rejected")
    func nonsense() throws {
        func resealed(_ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
            var content = Array(FixSegmentFormat.bytes(try Self.segment([try Self.fix(5)])).dropLast(32))
            change(&content)
            return content + FixSegmentFormat.digest(content[...])
        }
        #expect(throws: FixSegmentFormat.Flaw.version(2)) {
            try FixSegmentFormat.segment(try resealed { $0[9] = 2 })
        }
        let changes: [(inout [UInt8]) -> Void] = [
            { $0[45] ^= 1 },  // another day than that of its fixes
            { $0[46] = 0xff },  // a name longer than the file
            { $0[$0.count - 1] = 101 },  // a battery over 100 %
            { $0[$0.count - 49] = 0x7f },  // an invalid latitude
            { $0.append(0) },
            { $0.removeLast() },
            { $0[$0.count - 58] = 2 },  // more fixes than the file has
            { $0[$0.count - 58] = 0 },
        ]
        for (index, change) in changes.enumerated() {
            #expect(throws: FixSegmentFormat.Flaw.content, "change \(index)") {
                try FixSegmentFormat.segment(try resealed(change))
            }
        }
        let twice = try Self.segment([try Self.fix(5), try Self.fix(5)])
        #expect(throws: FixSegmentFormat.Flaw.content) {
            try FixSegmentFormat.segment(FixSegmentFormat.bytes(twice))
        }
    }

    @Test("A key consists of item, day and segment; other texts are rejected")
    func keys() throws {
        let segment = try Self.segment([])
        let key = SegmentKey(item: segment.item, day: segment.day, segment: segment.id)
        #expect(key.text == "fixes/\(segment.item)/2026-03-01/\(segment.id).fixes")
        #expect(SegmentKey(key.text) == key)
        for text in [
            "", "fixes/", "fixes/\(segment.item)/2026-03-01/\(segment.id)",
            "fixes/\(segment.item)/x/\(segment.id).fixes",
            "fixes/x/2026-03-01/\(segment.id).fixes", "other/\(segment.item)/2026-03-01/\(segment.id).fixes",
            "fixes/\(segment.item)/2026-03-01/a/\(segment.id).fixes",
        ] {
            #expect(SegmentKey(text) == nil, "\(text)")
        }
    }

    @Test("Days start at midnight UTC, also before 1970")
    func days() {
        #expect(ArchiveDay.day(of: Instant(millisecondsSince1970: 0)) == 0)
        #expect(ArchiveDay.day(of: Instant(millisecondsSince1970: -1)) == -1)
        #expect(ArchiveDay.day(of: Instant(millisecondsSince1970: 86_399_999)) == 0)
        #expect(ArchiveDay.day(of: Instant(millisecondsSince1970: 86_400_000)) == 1)
        #expect(ArchiveDay.day(of: Instant(millisecondsSince1970: -86_400_000)) == -1)
        let now = ArchiveDay.start(of: 100).adding(seconds: 5)
        #expect(ArchiveDay.firstKept(days: 1, now: now) == 99)
    }
}
