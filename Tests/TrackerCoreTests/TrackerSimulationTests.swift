import Foundation
import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@Suite struct TrackerSimulationTests {
    /// `HOMEWARD_TRACKER_WORLDS` sets a higher number for a soak test.
    static let worlds = ProcessInfo.processInfo.environment["HOMEWARD_TRACKER_WORLDS"].flatMap(UInt64.init) ?? 8

    @Test(
        "Under random failures every recorded fix arrives exactly once and in order, and every command ends",
        arguments: 1...worlds
    )
    func world(seed: UInt64) throws {
        var world = try World(seed: seed)
        try world.handle(.started)
        for _ in 0..<50 { try world.step() }
        world.server.binding = bindingID(1)
        if seed.isMultiple(of: 2) { try world.handle(.registerRequest(bindingID(1))) }
        for _ in 0..<800 {
            try world.step()
            #expect(TrackerMemory(bytes: world.machine.memory.bytes) == world.machine.memory)
            #expect(world.machine.memory.spool.fixes.count <= world.machine.plan.spoolCapacity)
        }
        world.isCalm = true
        for _ in 0..<400 { try world.step() }
        // A fix recorded last may still be under way.
        let delivered = world.server.fixes.map(\.at)
        #expect(delivered == world.recorded.prefix(delivered.count).map(\.at))
        #expect(world.recorded.count - delivered.count <= 1)
        #expect(world.server.freshCounters == world.server.freshCounters.sorted())
        #expect(Set(world.server.freshCounters).count == world.server.freshCounters.count)
        #expect(world.server.waiting.isEmpty)
        #expect(world.server.results.count == world.issued.count)
        #expect(world.commandCount > 5)
        // A tracker that happened to be off all the time has nothing to deliver.
        #expect(!delivered.isEmpty || world.recorded.isEmpty)
        try checkCommands(world)
    }

    private func checkCommands(_ world: World) throws {
        let rung = world.issued.values.filter { $0.kind == .ring && world.server.results[$0.id] == .applied }
        // A power cut between storing and sounding may lose a ring, but none sounds twice.
        #expect(world.rings.count <= rung.count)
        let power = world.issued.values.filter { $0.kind?.isPower == true }
        let applied = power.filter { world.server.results[$0.id] == .applied }
        let newest = applied.max { $0.id.series < $1.id.series }
        let isActive = newest.map { $0.kind != .off } ?? false
        #expect((world.machine.memory.phase == .active) == isActive)
        #expect(world.server.reportedPhase == world.machine.memory.phase)
        for command in power where world.server.results[command.id] == .superseded {
            #expect(applied.contains { $0.issuedAt >= command.issuedAt })
        }
    }
}
