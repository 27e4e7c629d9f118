import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@Suite struct CommandTests {
    private func results(_ bench: Bench) -> [String] {
        (bench.sent?.acknowledgements ?? []).map { acknowledgement in
            let reason = acknowledgement.reason.map { " (\($0))" } ?? ""
            return "\(acknowledgement.id.series) \(acknowledgement.result)\(reason)"
        }
    }

    /// Returns an active tracker whose message was just sent.
    private func asking() throws -> Bench {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        return bench
    }

    @Test("Locate measures a position and is acknowledged in the same message") func locate() throws {
        var bench = try asking()
        #expect(try bench.respond([bench.command(1, .locate)]) == [.measureFix])
        try bench.handle(.fix(try fix(at: bench.now)))
        #expect(results(bench) == ["1 applied"])
        #expect(try unwrap(bench.sent).fixes.count == 1)
    }

    @Test("A requested position delays the schedule, which continues when no further request comes")
    func locateRegularly() throws {
        var bench = try asking()
        try bench.respond([bench.command(1, .locate)])
        try bench.handle(.fix(try fix(at: bench.now)))
        try bench.answerAll()
        // Contacts continue every minute.
        var seconds = 0
        while try !bench.after(seconds: 30).contains(.measureFix) {
            seconds += 30
            try bench.answerAll()
            try #require(seconds < 3_600)
        }
        #expect(seconds + 30 == 600 + 150)
        try bench.handle(.fix(try fix(at: bench.now)))
        try bench.answerAll()
        #expect(bench.machine.memory.nextFixAt == bench.now.adding(seconds: 600))
        // A request that finds no position doesn't change the schedule.
        let planned = bench.machine.memory.nextFixAt
        try bench.after(seconds: 60)
        try bench.respond([bench.command(2, .locate)])
        try bench.handle(.fixFailed)
        try bench.answerAll()
        #expect(bench.machine.memory.nextFixAt == planned)
        // A lost tracker doesn't wait for requests.
        bench.isLost = true
        try bench.after(seconds: 60)
        try bench.respond([bench.command(3, .locate)])
        try bench.handle(.fix(try fix(at: bench.now)))
        try bench.answerAll()
        #expect(try !bench.after(seconds: 119).contains(.measureFix))
        try bench.answerAll()
        #expect(try bench.after(seconds: 1).contains(.measureFix))
    }

    @Test("Locate fails when the receiver reports no position or times out") func locateFails() throws {
        var bench = try asking()
        try bench.respond([bench.command(1, .locate)])
        try bench.handle(.fixFailed)
        #expect(results(bench) == ["1 failed (no position)"])
        try bench.respond([bench.command(2, .locate)])
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 60))
        try bench.after(seconds: 60)
        #expect(results(bench) == ["2 failed (no position)"])
    }

    @Test("Locate that expires while it waits is acknowledged as expired") func locateExpires() throws {
        var bench = try asking()
        try bench.respond([bench.command(1, .locate, expiresInSeconds: 30)])
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 30))
        try bench.after(seconds: 30)
        #expect(results(bench) == ["1 expired"])
    }

    @Test("Locate fails with a reason on a tracker that is off or not activated") func locateInactive() throws {
        var bench = try Bench.bound()
        try bench.after(seconds: 60)
        try bench.respond([bench.command(1, .locate)])
        #expect(results(bench) == ["1 failed (not active)"])
        try bench.respond([bench.command(2, .off), bench.command(3, .locate)])
        #expect(results(bench) == ["2 applied", "3 failed (off)"])
    }

    @Test("Ring runs in every state with an owner", arguments: [TrackerCommandKind.off, .on])
    func ring(_ before: TrackerCommandKind) throws {
        var bench = try asking()
        let actions = try bench.respond([bench.command(1, before), bench.command(2, .ring)])
        #expect(actions.contains(.ring))
        #expect(results(bench) == ["1 applied", "2 applied"])
    }

    @Test("An expired command doesn't run", arguments: TrackerCommandKind.allCases)
    func expired(_ kind: TrackerCommandKind) throws {
        var bench = try asking()
        let phase = bench.machine.memory.phase
        let actions = try bench.respond([bench.command(1, kind, expiresInSeconds: 0)])
        #expect(!actions.contains(.ring))
        #expect(!actions.contains(.measureFix))
        #expect(bench.machine.memory.phase == phase)
        #expect(results(bench) == ["1 expired"])
    }

    @Test("Of several power commands the newest wins, at any place in the list") func superseded() throws {
        var bench = try asking()
        try bench.respond([bench.command(1, .on), bench.command(2, .off)])
        #expect(bench.machine.memory.phase == .off)
        #expect(results(bench) == ["1 superseded", "2 applied"])
        try bench.respond([bench.command(3, .on), bench.command(4, .off, issuedSecondsAgo: 5)])
        #expect(bench.machine.memory.phase == .active)
        #expect(results(bench) == ["4 superseded", "3 applied"])
    }

    @Test("A power command older than the last applied one is superseded") func overtaken() throws {
        var bench = try asking()
        try bench.respond([bench.command(1, .off)])
        try bench.respond([bench.command(2, .on, issuedSecondsAgo: 1)])
        #expect(bench.machine.memory.phase == .off)
        #expect(results(bench) == ["2 superseded"])
    }

    @Test("A release applies regardless of the clocks") func release() throws {
        var bench = try asking()
        try bench.respond([bench.command(1, .off)])
        try bench.respond(
            [bench.command(2, .releaseOff, issuedSecondsAgo: 900, expiresInSeconds: nil), bench.command(3, .on)]
        )
        #expect(bench.machine.memory.phase == .releasing)
        #expect(results(bench) == ["2 applied"])
    }

    @Test("No command runs twice, and its first result is repeated, even after power cuts")
    func duplicates() throws {
        var bench = try asking()
        let ring = bench.command(1, .ring)
        #expect(try bench.respond([ring, ring]).filter { $0 == .ring }.count == 1)
        #expect(results(bench) == ["1 applied"])
        #expect(!(try bench.respond([ring]).contains(.ring)))
        #expect(results(bench) == ["1 applied"])
        try bench.cutPower()
        #expect(results(bench) == ["1 applied"])
        #expect(!(try bench.respond([ring, ring]).contains(.ring)))
        #expect(results(bench) == ["1 applied"])
    }

    @Test("A command of an unknown kind fails") func unknown() throws {
        var bench = try asking()
        try bench.respond([bench.command(1, nil)])
        #expect(results(bench) == ["1 failed (unknown kind)"])
    }

    @Test("A full batch makes the tracker ask for more commands at once") func fullBatch() throws {
        var bench = try asking()
        let commands = (1...16).map { bench.command($0, .ring) }
        try bench.respond(commands)
        #expect(results(bench).count == 16)
        try bench.respond((17...32).map { bench.command($0, .locate) })
        #expect(bench.machine.memory.commands.locating.count == 16)
        #expect(try unwrap(bench.sent).acknowledgements.isEmpty)
    }
}
