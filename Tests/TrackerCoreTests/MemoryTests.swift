import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@Suite struct MemoryTests {
    private func fullMemory() throws -> TrackerMemory {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        try bench.answer(
            [bench.command(1, .locate), bench.command(2, nil), bench.command(3, .ring, expiresInSeconds: nil)],
            distanceMetres: 12
        )
        try bench.handle(.battery(77))
        try bench.handle(.disowned)
        return bench.machine.memory
    }

    @Test("the memory reads back from its bytes") func roundTrip() throws {
        let memory = try fullMemory()
        #expect(TrackerMemory(bytes: memory.bytes) == memory)
        #expect(TrackerMemory(bytes: TrackerMemory().bytes) == TrackerMemory())
    }

    @Test("damaged bytes are told from whole ones: every bit, every length") func damaged() throws {
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

    @Test("readings of the battery stay within 0 and 100") func battery() throws {
        var bench = Bench()
        for (reading, expected) in [(-3, 0), (0, 0), (55, 55), (100, 100), (250, 100)] {
            try bench.handle(.battery(reading))
            #expect(bench.machine.memory.batteryPercent == expected)
        }
        try bench.handle(.battery(nil))
        #expect(bench.machine.memory.batteryPercent == nil)
    }
}
