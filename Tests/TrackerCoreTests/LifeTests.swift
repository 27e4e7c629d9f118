import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@Suite struct LifeTests {
    @Test("from the first contact over claim and activation to the first delivered fix") func life() throws {
        var bench = Bench()
        #expect(try bench.handle(.started) == [.register])
        let registered = try bench.handle(.registered)
        #expect(registered.first == .showCode)
        #expect(registered.uplinks.map(\.phase) == [.registering])
        #expect(try bench.answer() == [])
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 60))

        try bench.after(seconds: 60)
        bench.binding = bindingID(1)
        #expect(try bench.answer() == [.hideCode])
        #expect(bench.machine.memory.phase == .bound)

        try bench.after(seconds: 60)
        let activated = try bench.answer([bench.command(1, .activate)])
        #expect(activated.first == .takeFix)
        #expect(activated.uplinks.map(\.acknowledgements) == [[Acknowledgement(id: commandID(1), result: .applied)]])
        #expect(activated.uplinks.map(\.phase) == [.active])

        // The fix waits until the message under way is answered.
        #expect(try bench.handle(.fix(try fix(at: bench.now))) == [])
        #expect(try bench.answer().uplinks.map(\.fixes) == [[try fix(at: bench.now)]])
        #expect(try bench.answer() == [])
        #expect(bench.machine.memory.spool.fixes.isEmpty)
    }

    @Test("an owner is looked for often at first, at the usual pace later, often again after a start")
    func waiting() throws {
        var bench = Bench(plan: TrackerPlan(contactSeconds: 3_600, waitingSeconds: 60))
        try bench.handle(.started)
        try bench.handle(.registered)
        for _ in 0..<60 {
            try bench.answer()
            #expect(bench.machine.nextWake == bench.now.adding(seconds: 60))
            try bench.after(seconds: 60)
        }
        try bench.answer()
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 3_600))
        try bench.cutPower()
        try bench.answer()
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 60))
        try bench.after(seconds: 60)
        bench.binding = bindingID(1)
        try bench.answer()
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 3_600))
    }

    @Test("the first contact is repeated with growing waits, and anew with other keys when these are taken")
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

    @Test("off stops locating but not listening; on starts again") func offAndOn() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        try bench.answer([bench.command(1, .off)])
        #expect(bench.machine.memory.phase == .off)
        #expect(try unwrap(bench.sent).phase == .off)
        #expect(try bench.answer() == [])
        for _ in 0..<30 {
            let actions = try bench.after(seconds: 60)
            #expect(!actions.contains(.takeFix))
            try bench.answer()
        }
        try bench.after(seconds: 60)
        #expect(try bench.answer([bench.command(2, .on)]).first == .takeFix)
        #expect(bench.machine.memory.phase == .active)
    }

    @Test("a fix that comes after off is not kept") func lateFix() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 600)
        try bench.answer([bench.command(1, .off)])
        try bench.handle(.fix(try fix(at: bench.now)))
        #expect(bench.machine.memory.spool.fixes.isEmpty)
    }

    @Test("off and release: confirms, then forgets all and becomes a new tracker") func release() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 600)
        try bench.handle(.fix(try fix(at: bench.now)))
        try bench.answer([bench.command(1, .ring), bench.command(2, .releaseOff, expiresInSeconds: nil)])
        let confirmation = try unwrap(bench.sent)
        #expect(confirmation.phase == .releasing)
        #expect(confirmation.fixes.isEmpty)
        #expect(confirmation.acknowledgements == [Acknowledgement(id: commandID(2), result: .applied)])
        #expect(try bench.handle(.unanswered) == [])
        bench.binding = nil
        try bench.after(seconds: 2)
        #expect(try unwrap(bench.sent) == confirmation)
        #expect(try bench.answer() == [.hideCode, .makeIdentity])
        #expect(bench.machine.memory.phase == .unbound)
        #expect(bench.machine.memory.binding == nil)
        #expect(try bench.handle(.identityMade) == [.register])
    }

    @Test("a release that comes with no owner any more shows no code before the new one") func releaseWithoutOwner()
        throws
    {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        bench.binding = nil
        let actions = try bench.answer([bench.command(1, .releaseOff, expiresInSeconds: nil)])
        #expect(!actions.contains(.showCode))
        #expect(bench.machine.memory.phase == .releasing)
        #expect(try bench.answer() == [.hideCode, .makeIdentity])
    }

    @Test("a release whose confirmation's answer was lost ends with the server's not knowing the tracker")
    func releaseDisowned() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        try bench.answer([bench.command(1, .releaseOff, expiresInSeconds: nil)])
        #expect(try bench.handle(.disowned) == [.hideCode, .makeIdentity])
    }

    @Test("an unclaimed tracker that the server forgot makes a first contact again, with the same code")
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

    @Test("a bound tracker believes only after a day that the server doesn't know it") func disowned() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        for _ in 0..<200 where !bench.machine.memory.needsIdentity {
            let actions = try bench.handle(.disowned)
            let elapsed = try unwrap(bench.machine.memory.disownedSince ?? bench.now).seconds(since: bench.now)
            #expect(!actions.contains(.makeIdentity) || -elapsed < 1)
            if actions.contains(.makeIdentity) { break }
            try bench.after(seconds: 900)
        }
        #expect(bench.machine.memory.needsIdentity)
        #expect(bench.now >= noon.adding(seconds: Limits.trackerDisownedSeconds))
    }

    @Test("one authentic answer ends the doubt") func owned() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        try bench.handle(.disowned)
        #expect(bench.machine.memory.disownedSince != nil)
        try bench.after(seconds: 900)
        try bench.answer()
        #expect(bench.machine.memory.disownedSince == nil)
    }

    @Test("what waits for a former owner is thrown away when the owner changes") func otherOwner() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        try bench.handle(.unanswered)
        try bench.after(seconds: 600)
        try bench.handle(.fix(try fix(at: bench.now)))
        bench.binding = bindingID(2)
        try bench.answer()
        #expect(bench.machine.memory.phase == .bound)
        #expect(bench.machine.memory.spool.fixes.isEmpty)
        bench.binding = nil
        try bench.after(seconds: 60)
        #expect(try bench.answer().contains(.showCode))
        #expect(bench.machine.memory.phase == .registering)
    }
}
