import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@Suite struct RegistrationOverBluetoothTests {
    @Test("a tracker that no server knows binds itself, hides its code, and speaks at once") func unknown() throws {
        var bench = Bench()
        #expect(try bench.handle(.started) == [.register])
        let actions = try bench.handle(.registerRequest(bindingID(1)))
        #expect(actions.prefix(2) == [.answerRegistration, .hideCode])
        #expect(bench.machine.memory.phase == .bound)
        #expect(bench.machine.memory.binding == bindingID(1))
        #expect(try unwrap(bench.sent).phase == .bound)
        bench.binding = bindingID(1)
        try bench.answer([bench.command(1, .activate)])
        #expect(bench.machine.memory.phase == .active)
        // The first contact over the network was still under way.
        #expect(try bench.handle(.registered) == [])
        #expect(try bench.handle(.registrationRefused) == [])
        #expect(bench.machine.memory.phase == .active)
    }

    @Test("what a waiting tracker was just saying doesn't undo its binding") func underWay() throws {
        var bench = Bench()
        try bench.handle(.started)
        try bench.handle(.registered)
        let before = try unwrap(bench.sent)
        try bench.handle(.registerRequest(bindingID(1)))
        let after = try unwrap(bench.sent)
        #expect(after.counter > before.counter)
        let late = Downlink(
            counter: before.counter, at: bench.now, binding: nil,
            settings: TrackerSettings(locateMinutes: 10, distanceMetres: nil)
        )
        #expect(try bench.handle(.answered(.accepted(late))) == [])
        #expect(bench.machine.memory.phase == .bound)
        bench.binding = bindingID(1)
        try bench.answer()
        #expect(bench.machine.memory.phase == .bound)
    }

    @Test("a pairing that never reached the server leaves the tracker free again") func halfWay() throws {
        var bench = Bench()
        try bench.handle(.started)
        try bench.handle(.registered)
        try bench.handle(.registerRequest(bindingID(1)))
        #expect(try bench.answer() == [.showCode])
        #expect(bench.machine.memory.phase == .registering)
        #expect(bench.machine.memory.binding == nil)
        try bench.after(seconds: 60)
        #expect(try bench.handle(.registerRequest(bindingID(2))).first == .answerRegistration)
    }

    @Test("an owner is answered again, another one refused, in every state with an owner")
    func bound() throws {
        var bench = try Bench.active()
        #expect(try bench.handle(.registerRequest(bindingID(1))) == [.answerRegistration])
        #expect(try bench.handle(.registerRequest(bindingID(2))) == [.refuseRegistration(.bound)])
        #expect(bench.machine.memory.binding == bindingID(1))
        try bench.after(seconds: 60)
        try bench.answer([bench.command(1, .off)])
        #expect(try bench.handle(.registerRequest(bindingID(2))) == [.refuseRegistration(.bound)])
        try bench.answer([bench.command(2, .releaseOff, expiresInSeconds: nil)])
        #expect(try bench.handle(.registerRequest(bindingID(1))) == [.refuseRegistration(.bound)])
        try bench.answer()
        #expect(bench.machine.memory.needsIdentity)
        #expect(try bench.handle(.registerRequest(bindingID(1))) == [.refuseRegistration(.replayed)])
    }

    @Test("the binding outlives a power cut") func powerCut() throws {
        var bench = Bench()
        try bench.handle(.started)
        try bench.handle(.registerRequest(bindingID(1)))
        let said = try unwrap(bench.sent)
        try bench.cutPower()
        #expect(try unwrap(bench.sent) == said)
        #expect(bench.machine.memory.binding == bindingID(1))
    }
}

@Suite struct LinkTests {
    @Test("a link counts as near after ten seconds, whatever the distance, and brings out what waits at once")
    func near() throws {
        var bench = try Bench.active()
        bench.isLost = true
        try bench.handle(.bluetoothLink(true))
        #expect(bench.sent != nil)
        try bench.answer(distanceMetres: 900)
        #expect(!bench.machine.memory.isLost)
        #expect(bench.machine.memory.nearness.mode == .cellular)
        #expect(try unwrap(bench.machine.nextWake) == bench.now.adding(seconds: 10))
        try bench.after(seconds: 10)
        #expect(bench.machine.memory.nearness.mode == .bluetooth)
        try bench.after(seconds: 50)
        try bench.answer(distanceMetres: 900)
        try bench.after(seconds: 60)
        try bench.answer(distanceMetres: 900)
        #expect(bench.machine.memory.nearness.mode == .bluetooth)
        try bench.handle(.bluetoothLink(false))
        try bench.after(seconds: 60)
        try bench.answer(distanceMetres: 900)
        #expect(bench.machine.memory.nearness.mode == .bluetooth)
        try bench.after(seconds: 60)
        try bench.answer(distanceMetres: 900)
        #expect(bench.machine.memory.nearness.mode == .cellular)
    }

    @Test("a link ends a wait for the network") func patience() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        let waiting = try unwrap(bench.sent)
        try bench.handle(.unanswered)
        bench.sent = nil
        try bench.handle(.bluetoothLink(true))
        #expect(bench.sent == waiting)
        #expect(try bench.handle(.bluetoothLink(true)) == [])
    }
}

@Suite struct SideRoadTests {
    @Test("a command by a side road is carried out once, by the same rules") func commands() throws {
        var bench = try Bench.active()
        let ring = bench.command(1, .ring)
        #expect(try bench.handle(.command(ring)).contains(.ring))
        #expect(try unwrap(bench.sent).acknowledgements.map(\.result) == [.applied])
        try bench.answer()
        #expect(!(try bench.handle(.command(ring)).contains(.ring)))
        try bench.answer([ring])
        #expect(!(try bench.handle(.command(bench.command(2, .ring, expiresInSeconds: 0))).contains(.ring)))
        try bench.answerAll()
        try bench.handle(.command(bench.command(3, .off)))
        #expect(bench.machine.memory.phase == .off)
        try bench.answerAll()
        try bench.handle(.command(bench.command(4, .on, issuedSecondsAgo: 5)))
        #expect(bench.machine.memory.phase == .off)
        #expect(try unwrap(bench.sent).acknowledgements.map(\.result) == [.superseded])
    }

    @Test("a release by a side road takes the place of what was under way") func release() throws {
        var bench = try Bench.active()
        try bench.takeScheduledFix()
        let before = try unwrap(bench.sent)
        #expect(before.fixes.count == 1)
        try bench.handle(.command(bench.command(1, .releaseOff, expiresInSeconds: nil)))
        #expect(bench.machine.memory.phase == .releasing)
        #expect(bench.sent == before)
        // The answer to the message before confirms nothing of the release.
        try bench.answer()
        let goodbye = try unwrap(bench.sent)
        #expect(goodbye.phase == .releasing)
        #expect(goodbye.fixes.isEmpty)
        #expect(goodbye.acknowledgements.map(\.result) == [.applied])
        #expect(goodbye.counter > before.counter)
        #expect(try bench.answer() == [.hideCode, .makeIdentity])
    }

    @Test("a farewell that did not get through goes out again as soon as somebody can carry it") func farewell() throws
    {
        var bench = try Bench.active()
        try bench.handle(.command(bench.command(1, .releaseOff, expiresInSeconds: nil)))
        let goodbye = try unwrap(bench.sent)
        for _ in 0..<8 {
            try bench.handle(.unanswered)
            bench.now = try unwrap(bench.machine.nextWake)
            try bench.handle(.woke)
        }
        try bench.handle(.unanswered)
        bench.sent = nil
        bench.now = bench.now.adding(seconds: 5)
        try bench.handle(.nudged)
        #expect(bench.sent == goodbye)
        // The server forgot the tracker when it heard that the first time.
        #expect(try bench.handle(.disowned) == [.hideCode, .makeIdentity])
    }

    @Test("who brings a release gets the farewell at once, however long the network has been silent")
    func silentNetwork() throws {
        var bench = try Bench.active()
        bench.now = try unwrap(bench.machine.nextWake)
        try bench.handle(.woke)
        for _ in 0..<10 {
            try bench.handle(.unanswered)
            bench.now = try unwrap(bench.machine.nextWake)
            try bench.handle(.woke)
        }
        try bench.handle(.unanswered)
        bench.sent = nil
        try bench.handle(.command(bench.command(1, .releaseOff, expiresInSeconds: nil)))
        #expect(try unwrap(bench.sent).phase == .releasing)
        // The same word again, from whomever, is no reason to speak to a network that is paid for.
        try bench.handle(.unanswered)
        bench.sent = nil
        bench.now = bench.now.adding(seconds: 1)
        try bench.handle(.command(bench.command(1, .releaseOff, expiresInSeconds: nil)))
        #expect(bench.sent == nil)
        bench.now = try unwrap(bench.machine.nextWake)
        try bench.handle(.woke)
        #expect(try bench.answer() == [.hideCode, .makeIdentity])
    }

    @Test("what a phone asks for while a message is under way is asked after it, whatever becomes of that")
    func nudgedMeanwhile() throws {
        var bench = try Bench.active()
        try bench.handle(.bluetoothLink(true))
        #expect(bench.sent != nil)
        // The answer to this was made before the owner let go.
        try bench.handle(.nudged)
        try bench.answer()
        #expect(bench.sent != nil)
        bench.now = bench.now.adding(seconds: 5)
        try bench.handle(.nudged)
        bench.sent = nil
        try bench.handle(.unanswered)
        #expect(bench.sent != nil)
        try bench.answer([bench.command(1, .releaseOff, expiresInSeconds: nil)])
        #expect(try unwrap(bench.sent).acknowledgements.map(\.result) == [.applied])
        #expect(try bench.answer() == [.hideCode, .makeIdentity])
    }

    @Test("a phone that asks again within a second is heard when that is over, unless it left") func eager() throws {
        var bench = try Bench.active()
        try bench.handle(.bluetoothLink(true))
        try bench.answerAll()
        bench.now = bench.now.adding(seconds: 5)
        try bench.handle(.nudged)
        try bench.answerAll()
        try bench.handle(.nudged)
        try bench.handle(.nudged)
        #expect(bench.sent == nil)
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 1))
        try bench.after(seconds: 1)
        #expect(bench.sent != nil)
        try bench.answerAll()
        try bench.handle(.nudged)
        try bench.handle(.bluetoothLink(false))
        try bench.after(seconds: 1)
        #expect(bench.sent == nil)
    }

    @Test("a tracker without an owner takes no commands from anywhere") func nobody() throws {
        var bench = Bench()
        try bench.handle(.started)
        #expect(try bench.handle(.command(bench.command(1, .ring))) == [])
        try bench.handle(.registered)
        try bench.answer()
        #expect(!(try bench.handle(.command(bench.command(2, .ring))).contains(.ring)))
        #expect(try unwrap(bench.sent).acknowledgements.map(\.reason) == ["not bound"])
    }

    @Test("what a cloud took counts as delivered, and teaches nothing") func forwarded() throws {
        var bench = try Bench.active()
        try bench.takeScheduledFix()
        let settings = bench.machine.memory.locateMinutes
        #expect(try bench.handle(.forwarded) == [])
        #expect(bench.machine.memory.spool.fixes.isEmpty)
        #expect(bench.machine.memory.binding == bindingID(1))
        #expect(bench.machine.memory.locateMinutes == settings)
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 60))
        #expect(try bench.handle(.forwarded) == [])
        try bench.handle(.command(bench.command(1, .releaseOff, expiresInSeconds: nil)))
        #expect(try bench.handle(.forwarded) == [.hideCode, .makeIdentity])
    }

    @Test("the SIM card's id is told, the same in a repeat, and outlives a change of owner") func device() throws {
        var bench = try Bench.active()
        try bench.handle(.hologramDevice(1_827_718))
        try bench.after(seconds: 60)
        let told = try unwrap(bench.sent)
        #expect(told.hologramDevice == 1_827_718)
        try bench.handle(.hologramDevice(nil))
        try bench.cutPower()
        #expect(try unwrap(bench.sent) == told)
        try bench.handle(.hologramDevice(5))
        try bench.answer([bench.command(1, .releaseOff, expiresInSeconds: nil)])
        try bench.answer()
        #expect(bench.machine.memory.hologramDevice == 5)
        try bench.handle(.hologramDevice(0))
        #expect(bench.machine.memory.hologramDevice == nil)
    }
}

@Suite struct LostTests {
    @Test("a lost thing is looked for every two minutes, until it isn't lost") func faster() throws {
        var bench = try Bench.active()
        #expect(bench.machine.memory.nextFixAt == bench.now.adding(seconds: 600))
        bench.isLost = true
        try bench.after(seconds: 60)
        try bench.answer()
        #expect(bench.machine.memory.nextFixAt == bench.now.adding(seconds: 120))
        try bench.after(seconds: 60)
        try bench.answer()
        #expect(try bench.after(seconds: 60).contains(.takeFix))
        try bench.handle(.fix(try fix(at: bench.now)))
        bench.isLost = false
        try bench.answerAll()
        let usual = try unwrap(bench.machine.memory.nextFixAt)
        try bench.takeScheduledFix()
        try bench.answerAll()
        #expect(bench.machine.memory.nextFixAt == usual.adding(seconds: 600))
    }

    @Test("a separation is worth more positions for three hours, whatever is known of the phone meanwhile")
    func bounded() throws {
        var bench = try Bench.active()
        bench.isLost = true
        try bench.after(seconds: 60)
        try bench.answer(distanceMetres: 900)
        let since = bench.now
        var pauses: [Int64] = []
        while bench.now < since.adding(seconds: 5 * 3_600) {
            let before = bench.now
            try bench.takeScheduledFix()
            try bench.answer(distanceMetres: 900)
            pauses.append(Int64(bench.now.seconds(since: before)))
            guard pauses.count.isMultiple(of: 7) else { continue }
            // The phone falls silent for a while: the separation is still the same.
            bench.isLost = false
            try bench.after(seconds: 60)
            try bench.answer(distanceMetres: nil)
            bench.isLost = true
        }
        #expect(bench.machine.memory.lostSince == since)
        #expect((70...91).contains(pauses.filter { $0 <= Limits.trackerLostFixSeconds }.count))
        #expect(pauses.suffix(8).allSatisfy { $0 >= 540 })
        // Near again, and lost again: that is another separation.
        bench.isLost = false
        try bench.takeScheduledFix()
        try bench.answer(distanceMetres: 5)
        #expect(bench.machine.memory.lostSince == nil)
        bench.isLost = true
        try bench.takeScheduledFix()
        try bench.answer(distanceMetres: 900)
        #expect(bench.machine.memory.lostSince == bench.now)
        #expect(try unwrap(bench.machine.memory.nextFixAt) <= bench.now.adding(seconds: 120))
    }

    @Test("an owner who wants positions even more often gets them") func oftener() throws {
        var bench = try Bench.active(plan: TrackerPlan(contactSeconds: 86_400, fixSeconds: 30))
        bench.isLost = true
        try bench.takeScheduledFix()
        try bench.answerAll()
        #expect(bench.machine.memory.nextFixAt == bench.now.adding(seconds: 30))
    }
}
