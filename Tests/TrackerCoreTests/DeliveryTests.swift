import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@Suite struct DeliveryTests {
    @Test("Positions follow the server's interval; one position makes up for missed ones") func interval() throws {
        var bench = try Bench.active(plan: TrackerPlan(contactSeconds: 86_400))
        bench.locateMinutes = 5
        try bench.takeScheduledFix()
        try bench.answerAll()
        var taken: [Double] = []
        let start = bench.now
        for _ in 0..<20 {
            bench.now = try unwrap(bench.machine.nextWake)
            if try bench.handle(.woke).contains(.measureFix) {
                taken.append(bench.now.seconds(since: start))
                try bench.handle(.fix(try fix(at: bench.now)))
            }
            try bench.answerAll()
            if taken.count == 3 { break }
        }
        #expect(taken == [300, 600, 900])
        bench.now = bench.now.adding(seconds: 86_400)
        #expect(try bench.cutPower().filter { $0 == .measureFix }.count == 1)
        #expect(bench.machine.memory.nextFixAt == bench.now.adding(seconds: 300))
    }

    @Test("The plan's interval overrides the server's") func override() throws {
        var bench = try Bench.active(plan: TrackerPlan(contactSeconds: 86_400, fixSeconds: 3))
        #expect(bench.machine.nextWake == bench.now.adding(seconds: 3))
        #expect(try bench.after(seconds: 3) == [.measureFix])
    }

    @Test("A clock that is set back delays positions and messages by at most their interval")
    func clockSetBack() throws {
        var bench = try Bench.active()
        bench.now = bench.now.adding(seconds: -86_400 * 365)
        #expect(try bench.handle(.woke) == [])
        #expect(try unwrap(bench.machine.nextWake) <= bench.now.adding(seconds: 60))
        try bench.after(seconds: 60)
        try bench.respond()
        #expect(try bench.after(seconds: 540).contains(.measureFix))
    }

    @Test("A message without a response is repeated byte for byte, even after a power cut") func repeats() throws {
        var bench = try Bench.active(plan: TrackerPlan(contactSeconds: 60, fixSeconds: 86_400))
        try bench.takeScheduledFix()
        let first = try unwrap(bench.sent)
        #expect(first.fixes.count == 1)
        var waits: [Double] = []
        for _ in 0..<12 {
            try bench.handle(.unanswered)
            bench.sent = nil
            let wake = try unwrap(bench.machine.nextWake)
            waits.append(wake.seconds(since: bench.now))
            bench.now = wake
            try bench.handle(.woke)
            #expect(try unwrap(bench.sent) == first)
        }
        for (index, wait) in waits.enumerated() {
            let full = min(900, Double(2 << index))
            #expect((full * 0.75...full).contains(wait))
        }
        try bench.cutPower()
        #expect(try unwrap(bench.sent) == first)
    }

    @Test("Fixes collected offline are delivered once, oldest first, in batches") func batches() throws {
        var bench = try Bench.active()
        try bench.after(seconds: 60)
        try bench.handle(.unanswered)
        var taken: [TrackerFix] = []
        for _ in 0..<450 {
            bench.now = bench.now.adding(seconds: 600)
            if try bench.handle(.woke).contains(.measureFix) {
                taken.append(try fix(at: bench.now))
                try bench.handle(.fix(try fix(at: bench.now)))
            }
            if bench.sent != nil { try bench.handle(.unanswered) }
        }
        #expect(taken.count == 450)
        bench.now = bench.now.adding(seconds: 599)
        try bench.handle(.woke)
        let uplinks = try bench.answerAll()
        let delivered = uplinks.flatMap(\.fixes)
        let sizes = uplinks.map(\.fixes.count)
        #expect(delivered == taken)
        // The message that was under way when the connection failed had no fixes yet.
        #expect(sizes == [0, 200, 200, 50])
    }

    @Test("A second position within one second is ignored, even after the first was delivered")
    func sameSecond() throws {
        var bench = try Bench.active()
        try bench.takeScheduledFix()
        try bench.respond()
        try bench.after(seconds: 60)
        bench.now = bench.now.adding(seconds: -60)
        #expect(try bench.respond([bench.command(1, .locate)]) == [.measureFix])
        try bench.handle(.fix(try fix(at: bench.now)))
        let sent = try unwrap(bench.sent)
        #expect(sent.fixes.isEmpty)
        #expect(sent.acknowledgements.map(\.result) == [.applied])
    }

    @Test("A full spool drops the oldest fix that isn't under way and counts it") func bounded() throws {
        let capacity = Limits.fixesPerMessage + 10
        var bench = try Bench.active(plan: TrackerPlan(contactSeconds: 60, fixSeconds: 1, spoolCapacity: capacity))
        try bench.after(seconds: 1)
        try bench.handle(.fix(try fix(at: bench.now)))
        let underWay = try unwrap(bench.sent)
        #expect(underWay.fixes.count == 1)
        for _ in 0..<(capacity + 20) {
            try bench.after(seconds: 1)
            try bench.handle(.fix(try fix(at: bench.now)))
        }
        let spool = bench.machine.memory.spool
        #expect(spool.fixes.count == capacity)
        #expect(spool.fixes.first == underWay.fixes.first)
        #expect(spool.droppedCount == 21)
        try bench.respond()
        #expect(try unwrap(bench.sent).droppedFixes == 21)
    }

    @Test("A counter that the server has already seen is skipped and the content is sent again") func stale() throws {
        var bench = try Bench.active()
        try bench.takeScheduledFix()
        let refused = try unwrap(bench.sent)
        try bench.handle(.answered(.stale(last: 1_000)))
        let next = try unwrap(bench.sent)
        #expect(next.counter == 1_001)
        #expect(next.fixes == refused.fixes)
        // The second time it waits, so that no server can cause an endless loop.
        bench.sent = nil
        try bench.handle(.answered(.stale(last: 2_000)))
        #expect(bench.sent == nil)
        #expect(try unwrap(bench.machine.nextWake) > bench.now)
    }

    @Test("One fix that the server can't read doesn't block the others") func poison() throws {
        var bench = try Bench.active(plan: TrackerPlan(contactSeconds: 86_400, fixSeconds: 1))
        var taken: [TrackerFix] = []
        for _ in 0..<40 {
            try bench.after(seconds: 1)
            taken.append(try fix(at: bench.now))
            try bench.handle(.fix(try fix(at: bench.now)))
            if bench.sent != nil { try bench.handle(.unanswered) }
            bench.sent = nil
        }
        let poison = taken[17]
        var delivered: [TrackerFix] = []
        for _ in 0..<400 where delivered.count < 39 {
            if let sent = bench.sent {
                if sent.fixes.contains(poison) {
                    bench.sent = nil
                    try bench.handle(.answered(.malformed))
                } else {
                    delivered += sent.fixes
                    try bench.respond()
                }
            } else {
                bench.now = bench.now.adding(seconds: 1)
                try bench.handle(.fixFailed)
                try bench.handle(.woke)
            }
        }
        #expect(delivered == taken.filter { $0 != poison })
        #expect(bench.machine.memory.spool.droppedCount == 1)
    }

    @Test("Responses to other messages change nothing") func otherResponses() throws {
        var bench = try Bench.active()
        try bench.takeScheduledFix()
        let sent = try unwrap(bench.sent)
        let other = Downlink(
            counter: sent.counter - 1, at: bench.now, binding: nil,
            settings: TrackerSettings(locateMinutes: 1, distanceMetres: nil), commands: [bench.command(1, .off)]
        )
        try bench.handle(.answered(.accepted(other)))
        #expect(bench.machine.memory.phase == .active)
        #expect(bench.machine.memory.spool.fixes.count == 1)
        #expect(bench.machine.memory.binding == bindingID(1))
    }
}
