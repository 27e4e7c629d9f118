import Kernel
import Testing
import TrackerProtocol

@Suite struct CompactFixTests {
    let keys: TrackerKeys

    init() throws { keys = try ChannelPairFixture().keys }

    private func frame(counter: Int64 = 5) throws -> [UInt8] {
        try unwrap(CompactFix(counter: counter, fix: try sampleFix(), mode: .bluetooth)).sealed(with: keys)
    }

    @Test("A frame has 31 bytes and holds extreme and unknown values") func extremes() throws {
        let fixes = [
            try TrackerFix(at: Instant(millisecondsSince1970: 1_577_836_800_000), latitude: -90, longitude: -180),
            try TrackerFix(
                at: Instant(millisecondsSince1970: (1_577_836_800 + 4_294_967_295) * 1000), latitude: 90,
                longitude: 180,
                accuracyMetres: 1_000_000, altitudeMetres: 100_000, speedMetresPerSecond: 1_000, headingDegrees: 359.9,
                batteryPercent: 100
            ),
            try TrackerFix(
                at: noon, latitude: 0, longitude: 0, accuracyMetres: 0, altitudeMetres: -10_000,
                speedMetresPerSecond: 0, headingDegrees: 0, batteryPercent: 0
            ),
        ]
        for fix in fixes {
            let bytes = try unwrap(CompactFix(counter: 1, fix: fix, mode: .cellular)).sealed(with: keys)
            #expect(bytes.count == CompactFix.length)
            let read = try CompactFix(bytes, keys: keys, lastCounter: 0)
            #expect(read.fix.at == fix.at)
            #expect(read.fix.coordinate == fix.coordinate)
            #expect(read.fix.batteryPercent == fix.batteryPercent)
            #expect((read.fix.accuracyMetres == nil) == (fix.accuracyMetres == nil))
            #expect((read.fix.headingDegrees == nil) == (fix.headingDegrees == nil))
        }
    }

    @Test("A time before 2020 or a counter below one makes no frame") func impossible() throws {
        let early = try TrackerFix(at: Instant(millisecondsSince1970: 0), latitude: 0, longitude: 0)
        #expect(CompactFix(counter: 1, fix: early, mode: .cellular) == nil)
        #expect(CompactFix(counter: 0, fix: try sampleFix(), mode: .cellular) == nil)
    }

    @Test("The full counter is restored from the last counter") func counters() throws {
        let cases: [(counter: Int64, last: Int64)] = [
            (1, 0), (5, 4), (4, 9), (0x1_0000_0000, 0xffff_ffff), (0xffff_ffff, 0x1_0000_0003),
            (0x7fff_ffff, 0), (0x12_3456_7890, 0x12_3456_0000),
        ]
        for (counter, last) in cases {
            #expect(try CompactFix(try frame(counter: counter), keys: keys, lastCounter: last).counter == counter)
        }
        #expect(throws: CompactFix.Failure.unauthenticated) {
            try CompactFix(try frame(counter: 5), keys: keys, lastCounter: 0x2_0000_0000)
        }
    }

    @Test("Altered and truncated frames, and those of others, are rejected") func damaged() throws {
        let good = try frame()
        for index in good.indices {
            for bit in 0..<8 {
                var bytes = good
                bytes[index] ^= 1 << UInt8(bit)
                #expect(throws: CompactFix.Failure.self) { try CompactFix(bytes, keys: keys, lastCounter: 4) }
            }
        }
        for length in 0..<good.count {
            #expect(throws: CompactFix.Failure.shape) {
                try CompactFix(Array(good.prefix(length)), keys: keys, lastCounter: 4)
            }
        }
        #expect(throws: CompactFix.Failure.unauthenticated) {
            try CompactFix(good, keys: try ChannelPairFixture(seed: 2).keys, lastCounter: 4)
        }
    }
}
