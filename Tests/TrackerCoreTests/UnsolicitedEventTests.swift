import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@Suite struct RegistrationOverBluetoothTests {
    @Test("A tracker without a server binds itself, hides its code and sends a message at once") func unknown() throws {
        var bench = Bench()
        #expect(try bench.handle(.started) == [.register])
        let actions = try bench.handle(.registerRequest(bindingID(1)))
        #expect(actions.prefix(2) == [.respondToRegistration, .hideCode])
        #expect(bench.machine.memory.phase == .bound)
        #expect(bench.machine.memory.binding == bindingID(1))
        #expect(try unwrap(bench.sent).phase == .bound)
        bench.binding = bindingID(1)
        try bench.respond([bench.command(1, .activate)])
        #expect(bench.machine.memory.phase == .active)
        // The first contact over the network was still under way.
        #expect(try bench.handle(.registered) == [])
        #expect(try bench.handle(.registrationRefused) == [])
        #expect(bench.machine.memory.phase == .active)
    }

    @Test("The message under way of an unclaimed tracker doesn't undo its binding") func underWay() throws {
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
        try bench.respond()
        #expect(bench.machine.memory.phase == .bound)
    }

    @Test("A pairing that never reached the server leaves the tracker unclaimed") func halfWay() throws {
        var bench = Bench()
        try bench.handle(.started)
        try bench.handle(.registered)
        try bench.handle(.registerRequest(bindingID(1)))
        #expect(try bench.respond() == [.showCode])
        #expect(bench.machine.memory.phase == .registering)
        #expect(bench.machine.memory.binding == nil)
        try bench.after(seconds: 60)
        #expect(try bench.handle(.registerRequest(bindingID(2))).first == .respondToRegistration)
    }

    @Test("A bound tracker answers its owner again and refuses others in every state")
    func bound() throws {
        var bench = try Bench.active()
        #expect(try bench.handle(.registerRequest(bindingID(1))) == [.respondToRegistration])
        #expect(try bench.handle(.registerRequest(bindingID(2))) == [.refuseRegistration(.bound)])
        #expect(bench.machine.memory.binding == bindingID(1))
        try bench.after(seconds: 60)
        try bench.respond([bench.command(1, .off)])
        #expect(try bench.handle(.registerRequest(bindingID(2))) == [.refuseRegistration(.bound)])
        try bench.respond([bench.command(2, .releaseOff, expiresInSeconds: nil)])
        #expect(try bench.handle(.registerRequest(bindingID(1))) == [.refuseRegistration(.bound)])
        try bench.respond()
        #expect(bench.machine.memory.needsIdentity)
        #expect(try bench.handle(.registerRequest(bindingID(1))) == [.refuseRegistration(.replayed)])
    }

    @Test("The binding survives a power cut") func powerCut() throws {
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
    @Test("A link counts as near after ten seconds at any distance, and sends waiting data at once")
    func near() throws {
        var bench = try Bench.active()
        bench.isLost = true
        try bench.handle(.bluetoothLink(true))
        #expect(bench.sent != nil)
        try bench.respond(distanceMetres: 900)
        #expect(!bench.machine.memory.isLost)
        #expect(bench.machine.memory.nearness.mode == .cellular)
        #expect(try unwrap(bench.machine.nextWake) == bench.now.adding(seconds: 10))
        try bench.after(seconds: 10)
        #expect(bench.machine.memory.nearness.mode == .bluetooth)
        try bench.after(seconds: 50)
        try bench.respond(distanceMetres: 900)
        try bench.after(seconds: 60)
        try bench.respond(distanceMetres: 900)
        #expect(bench.machine.memory.nearness.mode == .bluetooth)
        try bench.handle(.bluetoothLink(false))
        try bench.after(seconds: 60)
        try bench.respond(distanceMetres: 900)
        #expect(bench.machine.memory.nearness.mode == .bluetooth)
        try bench.after(seconds: 60)
        try bench.respond(distanceMetres: 900)
        #expect(bench.machine.memory.nearness.mode == .cellular)
    }

    @Test("A link ends the wait before a retry") func patience() throws {
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

@Suite struct UnsolicitedCommandTests {
    @Test("A command outside a response runs once, by the same rules") func commands() throws {
        var bench = try Bench.active()
        let ring = bench.command(1, .ring)
        #expect(try bench.handle(.command(ring)).contains(.ring))
        #expect(try unwrap(bench.sent).acknowledgements.map(\.result) == [.applied])
        try bench.respond()
        #expect(!(try bench.handle(.command(ring)).contains(.ring)))
        try bench.respond([ring])
        #expect(!(try bench.handle(.command(bench.command(2, .ring, expiresInSeconds: 0))).contains(.ring)))
        try bench.answerAll()
        try bench.handle(.command(bench.command(3, .off)))
        #expect(bench.machine.memory.phase == .off)
        try bench.answerAll()
        try bench.handle(.command(bench.command(4, .on, issuedSecondsAgo: 5)))
        #expect(bench.machine.memory.phase == .off)
        #expect(try unwrap(bench.sent).acknowledgements.map(\.result) == [.superseded])
    }

    @Test("A release outside a response replaces the message under way") func release() throws {
        var bench = try Bench.active()
        try bench.takeScheduledFix()
        let before = try unwrap(bench.sent)
        #expect(before.fixes.count == 1)
        try bench.handle(.command(bench.command(1, .releaseOff, expiresInSeconds: nil)))
        #expect(bench.machine.memory.phase == .releasing)
        #expect(bench.sent == before)
        // The response to the earlier message doesn't confirm the release.
        try bench.respond()
        let goodbye = try unwrap(bench.sent)
        #expect(goodbye.phase == .releasing)
        #expect(goodbye.fixes.isEmpty)
        #expect(goodbye.acknowledgements.map(\.result) == [.applied])
        #expect(goodbye.counter > before.counter)
        #expect(try bench.respond() == [.hideCode, .makeIdentity])
    }

    @Test("An undelivered release confirmation is sent again as soon as there is a link")
    func releaseConfirmation() throws {
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
        // The server deleted the tracker when it received the first confirmation.
        #expect(try bench.handle(.disowned) == [.hideCode, .makeIdentity])
    }

    @Test("The phone that brings a release gets its confirmation at once, even after a long network failure")
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
        // A repeated release is no reason to use a metered network.
        try bench.handle(.unanswered)
        bench.sent = nil
        bench.now = bench.now.adding(seconds: 1)
        try bench.handle(.command(bench.command(1, .releaseOff, expiresInSeconds: nil)))
        #expect(bench.sent == nil)
        bench.now = try unwrap(bench.machine.nextWake)
        try bench.handle(.woke)
        #expect(try bench.respond() == [.hideCode, .makeIdentity])
    }

    @Test("A request from a phone while a message is under way is served afterwards in any case")
    func nudgedMeanwhile() throws {
        var bench = try Bench.active()
        try bench.handle(.bluetoothLink(true))
        #expect(bench.sent != nil)
        // The response to this message was created before the owner released the tracker.
        try bench.handle(.nudged)
        try bench.respond()
        #expect(bench.sent != nil)
        bench.now = bench.now.adding(seconds: 5)
        try bench.handle(.nudged)
        bench.sent = nil
        try bench.handle(.unanswered)
        #expect(bench.sent != nil)
        try bench.respond([bench.command(1, .releaseOff, expiresInSeconds: nil)])
        #expect(try unwrap(bench.sent).acknowledgements.map(\.result) == [.applied])
        #expect(try bench.respond() == [.hideCode, .makeIdentity])
    }

    @Test("A second request within a second is served after it, unless the phone has left") func eager() throws {
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

    @Test("A tracker without an owner ignores commands") func withoutOwner() throws {
        var bench = Bench()
        try bench.handle(.started)
        #expect(try bench.handle(.command(bench.command(1, .ring))) == [])
        try bench.handle(.registered)
        try bench.respond()
        #expect(!(try bench.handle(.command(bench.command(2, .ring))).contains(.ring)))
        #expect(try unwrap(bench.sent).acknowledgements.map(\.reason) == ["not bound"])
    }

    @Test("A message accepted by a cloud counts as delivered and changes no settings") func forwarded() throws {
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

    @Test("The SIM card's id is reported, also in a repeat, and survives a change of owner") func device() throws {
        var bench = try Bench.active()
        try bench.handle(.hologramDevice(1_827_718))
        try bench.after(seconds: 60)
        let told = try unwrap(bench.sent)
        #expect(told.hologramDevice == 1_827_718)
        try bench.handle(.hologramDevice(nil))
        try bench.cutPower()
        #expect(try unwrap(bench.sent) == told)
        try bench.handle(.hologramDevice(5))
        try bench.respond([bench.command(1, .releaseOff, expiresInSeconds: nil)])
        try bench.respond()
        #expect(bench.machine.memory.hologramDevice == 5)
        try bench.handle(.hologramDevice(0))
        #expect(bench.machine.memory.hologramDevice == nil)
    }
}

@Suite struct LostTests {
    @Test("A lost item is located every two minutes until it is near again") func faster() throws {
        var bench = try Bench.active()
        #expect(bench.machine.memory.nextFixAt == bench.now.adding(seconds: 600))
        bench.isLost = true
        try bench.after(seconds: 60)
        try bench.respond()
        #expect(bench.machine.memory.nextFixAt == bench.now.adding(seconds: 120))
        try bench.after(seconds: 60)
        try bench.respond()
        #expect(try bench.after(seconds: 60).contains(.measureFix))
        try bench.handle(.fix(try fix(at: bench.now)))
        bench.isLost = false
        try bench.answerAll()
        let usual = try unwrap(bench.machine.memory.nextFixAt)
        try bench.takeScheduledFix()
        try bench.answerAll()
        #expect(bench.machine.memory.nextFixAt == usual.adding(seconds: 600))
    }

    @Test("A separation raises the frequency of positions for three hours, with or without a known phone position")
    func bounded() throws {
        var bench = try Bench.active()
        bench.isLost = true
        try bench.after(seconds: 60)
        try bench.respond(distanceMetres: 900)
        let since = bench.now
        var pauses: [Int64] = []
        while bench.now < since.adding(seconds: 5 * 3_600) {
            let before = bench.now
            try bench.takeScheduledFix()
            try bench.respond(distanceMetres: 900)
            pauses.append(Int64(bench.now.seconds(since: before)))
            guard pauses.count.isMultiple(of: 7) else { continue }
            // The phone is silent for a while: the separation is still the same.
            bench.isLost = false
            try bench.after(seconds: 60)
            try bench.respond(distanceMetres: nil)
            bench.isLost = true
        }
        #expect(bench.machine.memory.lostSince == since)
        #expect((70...91).contains(pauses.filter { $0 <= Limits.trackerLostFixSeconds }.count))
        #expect(pauses.suffix(8).allSatisfy { $0 >= 540 })
        // Near and lost again counts as a new separation.
        bench.isLost = false
        try bench.takeScheduledFix()
        try bench.respond(distanceMetres: 5)
        #expect(bench.machine.memory.lostSince == nil)
        bench.isLost = true
        try bench.takeScheduledFix()
        try bench.respond(distanceMetres: 900)
        #expect(bench.machine.memory.lostSince == bench.now)
        #expect(try unwrap(bench.machine.memory.nextFixAt) <= bench.now.adding(seconds: 120))
    }

    @Test("A shorter interval of the plan stays in effect for a lost item") func oftener() throws {
        var bench = try Bench.active(plan: TrackerPlan(contactSeconds: 86_400, fixSeconds: 30))
        bench.isLost = true
        try bench.takeScheduledFix()
        try bench.answerAll()
        #expect(bench.machine.memory.nextFixAt == bench.now.adding(seconds: 30))
    }
}
