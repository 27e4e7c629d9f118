import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@Suite struct MemoryTests {
    private func fullMemory() throws -> TrackerMemory {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        try bench.respond(
            [bench.command(1, .locate), bench.command(2, nil), bench.command(3, .ring, expiresInSeconds: nil)],
            distanceMetres: 12
        )
        try bench.handle(.battery(77))
        try bench.handle(.hologramDevice(1_827_718))
        try bench.handle(.used(bytes: 12_345))
        bench.isLost = true
        try bench.handle(.fix(try fix(at: bench.now)))
        try bench.respond()
        try bench.handle(.disowned)
        return bench.machine.memory
    }

    @Test("The memory reads back from its bytes") func roundTrip() throws {
        let memory = try fullMemory()
        #expect(TrackerMemory(bytes: memory.bytes) == memory)
        #expect(TrackerMemory(bytes: TrackerMemory().bytes) == TrackerMemory())
    }

    @Test("Any changed bit and any truncation is detected") func damaged() throws {
        let bytes = try fullMemory().bytes
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                #expect(TrackerMemory(bytes: changed) == nil)
            }
        }
        for length in 0..<bytes.count { #expect(TrackerMemory(bytes: Array(bytes.prefix(length))) == nil) }
        #expect(TrackerMemory(bytes: bytes + [0]) == nil)
    }

    @Test("Battery readings are clamped to 0 to 100") func battery() throws {
        var bench = Bench()
        for (reading, expected) in [(-3, 0), (0, 0), (55, 55), (100, 100), (250, 100)] {
            try bench.handle(.battery(reading))
            #expect(bench.machine.memory.batteryPercent == expected)
        }
        try bench.handle(.battery(nil))
        #expect(bench.machine.memory.batteryPercent == nil)
    }

    /// The memory of an active tracker with a message under way, in the first version's format.
    private static let first = """
        485754310661637469766500012430313963613934352d306130302d373030302d383030302d303030303030303030303031000000000000
        00070863656c6c756c6172010000019ca945f460014d00000000000000040100000000000000040000019ca945f460066163746976650863
        656c6c756c6172000000000000000000000000020000019ca945f4601cab7a4006dac2c0010000002d01ffffff8501000000870100000a9b
        01570000019ca94c5d001cab7a4006dac2c0010000002d01ffffff8501000000870100000a9b015700000000000000010000000000000000
        010000019ca94c5d00000000032430313963613934352d306130302d373030302d383030302d303030303030303030303033066661696c65
        64010c756e6b6e6f776e206b696e642430313963613934352d306130302d373030302d383030302d30303030303030303030303407617070
        6c696564002430313963613934352d306130302d373030302d383030302d303030303030303030303032066661696c6564010b6e6f20706f
        736974696f6e0000000000000002000000042430313963613934352d306130302d373030302d383030302d30303030303030303030303107
        6170706c696564002430313963613934352d306130302d373030302d383030302d303030303030303030303033066661696c6564010c756e
        6b6e6f776e206b696e642430313963613934352d306130302d373030302d383030302d303030303030303030303034076170706c69656400
        2430313963613934352d306130302d373030302d383030302d303030303030303030303032066661696c6564010b6e6f20706f736974696f
        6e00000000010000019ca945f460010000019ca952c5a0010000019ca945f4601e257ac3
        """

    @Test("The second version's memory, without the start of a separation, is read") func secondVersion()
        throws
    {
        var bench = try Bench.active()
        bench.isLost = true
        try bench.after(seconds: 60)
        try bench.respond()
        var expected = bench.machine.memory
        #expect(expected.lostSince == bench.now)
        // The last field is a flag and eight bytes, followed by the four bytes of the checksum.
        var bytes = Array("HWT2".utf8) + expected.bytes.dropFirst(4).dropLast(13)
        let checksum = bytes.reduce(UInt32.max) { remainder, byte in
            (0..<8).reduce(remainder ^ UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xedb8_8320 : rest >> 1 }
        }
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: ~checksum >> UInt32(shift))) }
        let memory = try unwrap(TrackerMemory(bytes: bytes))
        #expect(memory.isLost)
        #expect(memory.lostSince == nil)
        #expect(memory.bytes != expected.bytes)
        bench = Bench(memory: memory)
        bench.now = expected.lostSince?.adding(seconds: 60) ?? noon
        bench.binding = bindingID(1)
        bench.isLost = true
        try bench.handle(.started)
        try bench.respond()
        expected = bench.machine.memory
        #expect(expected.lostSince == bench.now)
    }

    @Test("The first version's memory is read, and the tracker continues from it") func earlierVersion() throws {
        let digits = Array(Self.first.utf8.filter { $0 != UInt8(ascii: "\n") })
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
        }
        #expect(bytes.starts(with: Array("HWT1".utf8)))
        let memory = try unwrap(TrackerMemory(bytes: bytes))
        #expect(memory.phase == .active)
        #expect(memory.binding == bindingID(1))
        #expect(memory.locateMinutes == 7)
        #expect(memory.batteryPercent == 77)
        #expect(memory.counter == 4)
        #expect(memory.spool.fixes.map(\.at) == [noon.adding(seconds: 60), noon.adding(seconds: 480)])
        #expect(memory.commands.finished.map(\.id.series) == [1, 3, 4, 2])
        #expect(memory.nextFixAt == noon.adding(seconds: 900))
        #expect(!memory.isLost)
        #expect(memory.hologramDevice == nil)
        var bench = Bench(memory: memory)
        bench.now = noon.adding(seconds: 500)
        bench.binding = bindingID(1)
        try bench.handle(.started)
        let repeated = try unwrap(bench.sent)
        #expect(repeated.counter == 4)
        #expect(repeated.fixes.count == 1)
        #expect(repeated.acknowledgements.map(\.id.series) == [3, 4])
        try bench.answerAll()
        #expect(bench.machine.memory.spool.fixes.isEmpty)
    }
}
