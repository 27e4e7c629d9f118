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

    /// An active tracker whose message was just sent.
    private func asking() throws -> Bench {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        return bench
    }

    @Test("locate takes a position, and is acknowledged in the same message") func locate() throws {
        var bench = try asking()
        #expect(try bench.answer([bench.command(1, .locate)]) == [.takeFix])
        try bench.handle(.fix(try fix(at: bench.now)))
        #expect(results(bench) == ["1 applied"])
        #expect(try unwrap(bench.sent).fixes.count == 1)
    }

    @Test("a position that was asked for is its interval's: the schedule waits for the next question, and not for ever")
    func locateRegularly() throws {
        var bench = try asking()
        try bench.answer([bench.command(1, .locate)])
        try bench.handle(.fix(try fix(at: bench.now)))
        try bench.answerAll()
        // Contacts go on meanwhile, each minute.
        var seconds = 0
        while try !bench.after(seconds: 30).contains(.takeFix) {
            seconds += 30
            try bench.answerAll()
            try #require(seconds < 3_600)
        }
        #expect(seconds + 30 == 600 + 150)
        try bench.handle(.fix(try fix(at: bench.now)))
        try bench.answerAll()
        #expect(bench.machine.memory.nextFixAt == bench.now.adding(seconds: 600))
        // A question that finds no position uses nothing up.
        let planned = bench.machine.memory.nextFixAt
        try bench.after(seconds: 60)
        try bench.answer([bench.command(2, .locate)])
        try bench.handle(.fixFailed)
        try bench.answerAll()
        #expect(bench.machine.memory.nextFixAt == planned)
        // What is lost is looked for without waiting for questions.
        bench.isLost = true
        try bench.after(seconds: 60)
        try bench.answer([bench.command(3, .locate)])
        try bench.handle(.fix(try fix(at: bench.now)))
        try bench.answerAll()
        #expect(try !bench.after(seconds: 119).contains(.takeFix))
        try bench.answerAll()
        #expect(try bench.after(seconds: 1).contains(.takeFix))
    }

    @Test("locate fails when no position can be had, by the receiver's word or by time") func locateFails() throws {
        var bench = try asking()
        try bench.answer([bench.command(1, .locate)])
        try bench.handle(.fixFailed)
        #expect(results(bench) == ["1 failed (no position)"])
        try bench.answer([bench.command(2, .locate)])
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 60))
        try bench.after(seconds: 60)
        #expect(results(bench) == ["2 failed (no position)"])
    }

    @Test("locate that expires while it waits is acknowledged as expired") func locateExpires() throws {
        var bench = try asking()
        try bench.answer([bench.command(1, .locate, expiresInSeconds: 30)])
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 30))
        try bench.after(seconds: 30)
        #expect(results(bench) == ["1 expired"])
    }

    @Test("locate on a tracker that is off or not activated fails with the reason") func locateInactive() throws {
        var bench = try Bench.bound()
        try bench.after(seconds: 60)
        try bench.answer([bench.command(1, .locate)])
        #expect(results(bench) == ["1 failed (not active)"])
        try bench.answer([bench.command(2, .off), bench.command(3, .locate)])
        #expect(results(bench) == ["2 applied", "3 failed (off)"])
    }

    @Test("ring is carried out in every state with an owner", arguments: [TrackerCommandKind.off, .on])
    func ring(_ before: TrackerCommandKind) throws {
        var bench = try asking()
        let actions = try bench.answer([bench.command(1, before), bench.command(2, .ring)])
        #expect(actions.contains(.ring))
        #expect(results(bench) == ["1 applied", "2 applied"])
    }

    @Test("a command that comes too late is not carried out", arguments: TrackerCommandKind.allCases)
    func expired(_ kind: TrackerCommandKind) throws {
        var bench = try asking()
        let phase = bench.machine.memory.phase
        let actions = try bench.answer([bench.command(1, kind, expiresInSeconds: 0)])
        #expect(!actions.contains(.ring))
        #expect(!actions.contains(.takeFix))
        #expect(bench.machine.memory.phase == phase)
        #expect(results(bench) == ["1 expired"])
    }

    @Test("of several power commands the newest counts, wherever it stands in the list") func superseded() throws {
        var bench = try asking()
        try bench.answer([bench.command(1, .on), bench.command(2, .off)])
        #expect(bench.machine.memory.phase == .off)
        #expect(results(bench) == ["1 superseded", "2 applied"])
        try bench.answer([bench.command(3, .on), bench.command(4, .off, issuedSecondsAgo: 5)])
        #expect(bench.machine.memory.phase == .active)
        #expect(results(bench) == ["4 superseded", "3 applied"])
    }

    @Test("a power command older than the last one carried out comes too late") func overtaken() throws {
        var bench = try asking()
        try bench.answer([bench.command(1, .off)])
        try bench.answer([bench.command(2, .on, issuedSecondsAgo: 1)])
        #expect(bench.machine.memory.phase == .off)
        #expect(results(bench) == ["2 superseded"])
    }

    @Test("a release counts whatever the clocks say") func release() throws {
        var bench = try asking()
        try bench.answer([bench.command(1, .off)])
        try bench.answer(
            [bench.command(2, .releaseOff, issuedSecondsAgo: 900, expiresInSeconds: nil), bench.command(3, .on)]
        )
        #expect(bench.machine.memory.phase == .releasing)
        #expect(results(bench) == ["2 applied"])
    }

    @Test("no command is carried out twice, and its first result is told again, over power cuts too")
    func duplicates() throws {
        var bench = try asking()
        let ring = bench.command(1, .ring)
        #expect(try bench.answer([ring, ring]).filter { $0 == .ring }.count == 1)
        #expect(results(bench) == ["1 applied"])
        #expect(!(try bench.answer([ring]).contains(.ring)))
        #expect(results(bench) == ["1 applied"])
        try bench.cutPower()
        #expect(results(bench) == ["1 applied"])
        #expect(!(try bench.answer([ring, ring]).contains(.ring)))
        #expect(results(bench) == ["1 applied"])
    }

    @Test("a kind from the future fails") func unknown() throws {
        var bench = try asking()
        try bench.answer([bench.command(1, nil)])
        #expect(results(bench) == ["1 failed (unknown kind)"])
    }

    @Test("a full batch makes the tracker ask for more at once") func fullBatch() throws {
        var bench = try asking()
        let commands = (1...16).map { bench.command($0, .ring) }
        try bench.answer(commands)
        #expect(results(bench).count == 16)
        try bench.answer((17...32).map { bench.command($0, .locate) })
        #expect(bench.machine.memory.desk.locating.count == 16)
        #expect(try unwrap(bench.sent).acknowledgements.isEmpty)
    }
}
