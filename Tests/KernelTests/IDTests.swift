import Foundation
import Kernel
import Testing

private enum Thing {}
private enum OtherThing {}

private struct FixedRandom: RandomSource {
    let bits: UInt64
    func uint64() -> UInt64 { bits }
}

@Suite("Ids")
struct IDTests {
    private let instant = Instant(millisecondsSince1970: 0x0123_4567_89ab)

    @Test("An id is a UUID of version 7 that begins with the time")
    func layout() throws {
        let ones = ID<Thing>(at: instant, random: FixedRandom(bits: .max))
        let zeros = ID<Thing>(at: instant, random: FixedRandom(bits: 0))
        #expect(ones.description == "01234567-89ab-7fff-bfff-ffffffffffff")
        #expect(zeros.description == "01234567-89ab-7000-8000-000000000000")
        #expect(ones.instant == instant)
        #expect(UUID(uuidString: ones.description) != nil)
    }

    @Test("Ids sort by creation time, as values and as text")
    func order() {
        let times: [Int64] = [0, 1, 999, 1_000, 1_772_366_400_000, 1_772_366_400_001, 0xffff_ffff_ffff]
        let ids = times.map { time in
            let bits: UInt64 = time.isMultiple(of: 2) ? .max : 0
            return ID<Thing>(at: Instant(millisecondsSince1970: time), random: FixedRandom(bits: bits))
        }
        #expect(ids == ids.sorted())
        #expect(ids.map(\.description) == ids.map(\.description).sorted())
    }

    @Test("The text form reads back", arguments: [0, 1, 0x3fff_ffff_ffff_ffff] as [Int64])
    func roundTrip(series: Int64) throws {
        let id = ID<Thing>(at: instant, series: series)
        #expect(ID<Thing>(id.description) == id)
        #expect(id.series == series)
        #expect(id.instant == instant)
        #expect(id.cast(to: OtherThing.self).description == id.description)
        let json = try JSONEncoder().encode([id])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(id)\"]")
        #expect(try JSONDecoder().decode([ID<Thing>].self, from: json) == [id])
    }

    @Test(
        "Text other than a lower-case UUID of version 7 is rejected",
        arguments: [
            "", "01234567-89ab-7fff-bfff-fffffffffff", "01234567-89ab-7fff-bfff-ffffffffffff0",
            "01234567-89AB-7fff-bfff-ffffffffffff", "01234567-89ab-4fff-bfff-ffffffffffff",
            "01234567-89ab-7fff-cfff-ffffffffffff", "01234567-89ab-7fff-7fff-ffffffffffff",
            "0123456789ab7fffbfffffffffffffff", "01234567-89ab-7fff-bfff-fffffffffffg",
            "0123456-789ab-7fff-bfff-ffffffffffff", "01234567-89ab-7fff-bfff-ffffffffffff\n",
            "{1234567-89ab-7fff-bfff-fffffffffff}", "０1234567-89ab-7fff-bfff-fffffffffff",
        ]
    )
    func refusal(text: String) {
        #expect(ID<Thing>(text) == nil)
    }

    @Test("JSON with an invalid id throws a decoding error")
    func decodingError() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ID<Thing>].self, from: Data("[\"nothing\"]".utf8))
        }
    }

    @Test("A time before 1970 counts as 1970")
    func beforeEpoch() {
        let id = ID<Thing>(at: Instant(millisecondsSince1970: -5), random: FixedRandom(bits: 0))
        #expect(id.instant == Instant(millisecondsSince1970: 0))
    }

    @Test("Random bytes have the requested length", arguments: [0, 1, 7, 8, 9, 16, 33])
    func randomBytes(count: Int) {
        #expect(FixedRandom(bits: 0x0101_0101_0101_0101).bytes(count) == Array(repeating: 1, count: count))
        #expect(SystemRandom().bytes(count).count == count)
    }
}
