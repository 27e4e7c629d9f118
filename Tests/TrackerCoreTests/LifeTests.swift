import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@Suite struct LifeTests {
    @Test("A tracker is claimed and activated and delivers its first fix") func life() throws {
        var bench = Bench()
        #expect(try bench.handle(.started) == [.register])
        let registered = try bench.handle(.registered)
        #expect(registered.first == .showCode)
        #expect(registered.uplinks.map(\.phase) == [.registering])
        #expect(try bench.respond() == [])
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 60))

        try bench.after(seconds: 60)
        bench.binding = bindingID(1)
        #expect(try bench.respond() == [.hideCode])
        #expect(bench.machine.memory.phase == .bound)

        try bench.after(seconds: 60)
        let activated = try bench.respond([bench.command(1, .activate)])
        #expect(activated.first == .measureFix)
        #expect(activated.uplinks.map(\.acknowledgements) == [[Acknowledgement(id: commandID(1), result: .applied)]])
        #expect(activated.uplinks.map(\.phase) == [.active])

        // The fix waits until the server responds to the message under way.
        #expect(try bench.handle(.fix(try fix(at: bench.now))) == [])
        #expect(try bench.respond().uplinks.map(\.fixes) == [[try fix(at: bench.now)]])
        #expect(try bench.respond() == [])
        #expect(bench.machine.memory.spool.fixes.isEmpty)
    }

    @Test("An unclaimed tracker polls often at first, at the usual rate later, and often again after a restart")
    func waiting() throws {
        var bench = Bench(plan: TrackerPlan(contactSeconds: 3_600, waitingSeconds: 60))
        try bench.handle(.started)
        try bench.handle(.registered)
        for _ in 0..<60 {
            try bench.respond()
            #expect(bench.machine.nextWake == bench.now.adding(seconds: 60))
            try bench.after(seconds: 60)
        }
        try bench.respond()
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 3_600))
        try bench.cutPower()
        try bench.respond()
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 60))
        try bench.after(seconds: 60)
        bench.binding = bindingID(1)
        try bench.respond()
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 3_600))
    }

    @Test("The first contact is retried with growing waits, and with new keys when the old ones are in use")
    func firstContact() throws {
        var bench = Bench()
        try bench.handle(.started)
        #expect(try bench.handle(.registrationFailed) == [])
        let first = try unwrap(bench.machine.nextWake).seconds(since: bench.now)
        #expect((1.5...2).contains(first))
        #expect(try bench.after(seconds: 1) == [])
        #expect(try bench.after(seconds: 1) == [.register])
        try bench.handle(.registrationFailed)
        let second = try unwrap(bench.machine.nextWake).seconds(since: bench.now)
        #expect((3...4).contains(second))
        try bench.after(seconds: 4)
        #expect(try bench.handle(.registrationRefused) == [.hideCode, .makeIdentity])
        #expect(try bench.handle(.woke) == [])
        #expect(try bench.cutPower() == [.makeIdentity])
        #expect(try bench.handle(.identityMade) == [.register])
    }

    @Test("Off stops locating but not polling; on starts locating again") func offAndOn() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        try bench.respond([bench.command(1, .off)])
        #expect(bench.machine.memory.phase == .off)
        #expect(try unwrap(bench.sent).phase == .off)
        #expect(try bench.respond() == [])
        for _ in 0..<30 {
            let actions = try bench.after(seconds: 60)
            #expect(!actions.contains(.measureFix))
            try bench.respond()
        }
        try bench.after(seconds: 60)
        #expect(try bench.respond([bench.command(2, .on)]).first == .measureFix)
        #expect(bench.machine.memory.phase == .active)
    }

    @Test("A fix that arrives after off is discarded") func lateFix() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 600)
        try bench.respond([bench.command(1, .off)])
        try bench.handle(.fix(try fix(at: bench.now)))
        #expect(bench.machine.memory.spool.fixes.isEmpty)
    }

    @Test("A released tracker confirms, then resets to a new tracker") func release() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 600)
        try bench.handle(.fix(try fix(at: bench.now)))
        try bench.respond([bench.command(1, .ring), bench.command(2, .releaseOff, expiresInSeconds: nil)])
        let confirmation = try unwrap(bench.sent)
        #expect(confirmation.phase == .releasing)
        #expect(confirmation.fixes.isEmpty)
        #expect(confirmation.acknowledgements == [Acknowledgement(id: commandID(2), result: .applied)])
        #expect(try bench.handle(.unanswered) == [])
        bench.binding = nil
        try bench.after(seconds: 2)
        #expect(try unwrap(bench.sent) == confirmation)
        #expect(try bench.respond() == [.hideCode, .makeIdentity])
        #expect(bench.machine.memory.phase == .unbound)
        #expect(bench.machine.memory.binding == nil)
        #expect(try bench.handle(.identityMade) == [.register])
    }

    @Test("A release without an owner shows no claim code before the reset") func releaseWithoutOwner()
        throws
    {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        bench.binding = nil
        let actions = try bench.respond([bench.command(1, .releaseOff, expiresInSeconds: nil)])
        #expect(!actions.contains(.showCode))
        #expect(bench.machine.memory.phase == .releasing)
        #expect(try bench.respond() == [.hideCode, .makeIdentity])
    }

    @Test("A release whose confirmation got no response ends when the server doesn't know the tracker")
    func releaseDisowned() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        try bench.respond([bench.command(1, .releaseOff, expiresInSeconds: nil)])
        #expect(try bench.handle(.disowned) == [.hideCode, .makeIdentity])
    }

    @Test("An unclaimed tracker that the server deleted repeats its first contact with the same code")
    func forgotten() throws {
        var bench = Bench()
        try bench.handle(.started)
        try bench.handle(.registered)
        #expect(try bench.handle(.disowned) == [.hideCode])
        #expect(bench.machine.memory.phase == .unbound)
        #expect(!bench.machine.memory.needsIdentity)
        #expect(try bench.after(seconds: 2) == [.register])
        #expect(try bench.handle(.registered).first == .showCode)
    }

    @Test("A bound tracker resets only after the server has not known it for a day") func disowned() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        for _ in 0..<200 where !bench.machine.memory.needsIdentity {
            let actions = try bench.handle(.disowned)
            let elapsed = try unwrap(bench.machine.memory.unknownSince ?? bench.now).seconds(since: bench.now)
            #expect(!actions.contains(.makeIdentity) || -elapsed < 1)
            if actions.contains(.makeIdentity) { break }
            try bench.after(seconds: 900)
        }
        #expect(bench.machine.memory.needsIdentity)
        #expect(bench.now >= noon.adding(seconds: Limits.trackerUnknownSeconds))
    }

    @Test("One authentic response restarts the wait before a reset") func owned() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        try bench.handle(.disowned)
        #expect(bench.machine.memory.unknownSince != nil)
        try bench.after(seconds: 900)
        try bench.respond()
        #expect(bench.machine.memory.unknownSince == nil)
    }

    @Test("A change of owner discards the data for the former owner") func otherOwner() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        try bench.handle(.unanswered)
        try bench.after(seconds: 600)
        try bench.handle(.fix(try fix(at: bench.now)))
        bench.binding = bindingID(2)
        try bench.respond()
        #expect(bench.machine.memory.phase == .bound)
        #expect(bench.machine.memory.spool.fixes.isEmpty)
        bench.binding = nil
        try bench.after(seconds: 60)
        #expect(try bench.respond().contains(.showCode))
        #expect(bench.machine.memory.phase == .registering)
    }
}
