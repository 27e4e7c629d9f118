import Kernel
import Testing
import TrackerCore
import TrackerProtocol

@Suite struct BudgetTests {
    /// The totals of 30 days of a tracker that gets a response to each message one second later.
    private struct Month {
        var usedBytes: Int64 = 0
        var messages = 0
        var recorded: [TrackerFix] = []
        var delivered: [TrackerFix] = []
        /// The maximum number of seconds between two messages.
        var longestSilence = 0.0
        /// The maximum number of seconds from the creation of a command to its acknowledgement.
        var slowestCommand = 0.0
        var commandsApplied = 0

        static let perMessage: Int64 = 1_000
        static let perFix: Int64 = 150

        static func live(monthlyBytes: Int64?, isLost: Bool = false, hours: Int64 = 720) throws -> Month {
            var bench = try Bench.active(plan: TrackerPlan(contactSeconds: 600, monthlyBytes: monthlyBytes))
            bench.isLost = isLost
            bench.eventsPerMemoryCheck = 97
            var month = Month()
            let end = bench.now.adding(seconds: hours * 3_600)
            var lastMessageAt = bench.now
            var nextCommandAt = bench.now.adding(seconds: 86_400)
            var number: Int64 = 0
            var waiting: TrackerCommand?
            while bench.now < end {
                bench.now = max(bench.now.adding(seconds: 1), try unwrap(bench.machine.nextWake))
                let actions = try bench.handle(.woke)
                if actions.contains(.measureFix) {
                    let fix = try fix(at: bench.now)
                    month.recorded.append(fix)
                    try bench.handle(.fix(fix))
                }
                if bench.now >= nextCommandAt, waiting == nil {
                    number += 1
                    waiting = bench.command(number, .ring, expiresInSeconds: 86_400)
                    nextCommandAt = nextCommandAt.adding(seconds: 86_400)
                }
                while let uplink = bench.sent {
                    month.messages += 1
                    month.delivered += uplink.fixes
                    month.longestSilence = max(month.longestSilence, bench.now.seconds(since: lastMessageAt))
                    lastMessageAt = bench.now
                    let bytes = perMessage + perFix * Int64(uplink.fixes.count)
                    month.usedBytes += bytes
                    if let command = waiting, uplink.acknowledgements.contains(where: { $0.id == command.id }) {
                        month.commandsApplied += 1
                        month.slowestCommand = max(
                            month.slowestCommand, bench.now.seconds(since: command.issuedAt)
                        )
                        waiting = nil
                    }
                    try bench.handle(.used(bytes: bytes))
                    try bench.respond(waiting.map { [$0] } ?? [])
                }
            }
            return month
        }
    }

    @Test("Without a budget every position is sent at once") func unlimited() throws {
        let month = try Month.live(monthlyBytes: nil)
        #expect(month.usedBytes > 4_800_000)
        #expect(month.longestSilence <= 601)
        #expect(month.delivered == Array(month.recorded.prefix(month.delivered.count)))
        #expect(month.commandsApplied >= 28)
    }

    @Test("A budget lasts for the month: every position arrives once and in order, every command runs")
    func lasts() throws {
        let month = try Month.live(monthlyBytes: 1_000_000)
        // The message that exhausts the budget may be a long one.
        #expect(month.usedBytes <= 1_010_000)
        #expect(month.usedBytes > 800_000)
        #expect(month.delivered == Array(month.recorded.prefix(month.delivered.count)))
        #expect(month.recorded.count - month.delivered.count < 200)
        #expect(month.longestSilence <= Double(Limits.trackerBudgetSilenceSeconds) + 1)
        #expect(month.commandsApplied >= 28)
    }

    @Test("With an exhausted budget the tracker still contacts the server every six hours") func exhausted() throws {
        let month = try Month.live(monthlyBytes: 1)
        #expect(month.longestSilence <= Double(Limits.trackerBudgetSilenceSeconds) + 1)
        #expect(month.commandsApplied >= 28)
        #expect(month.slowestCommand <= Double(Limits.trackerBudgetSilenceSeconds) + 2)
        #expect(month.delivered == Array(month.recorded.prefix(month.delivered.count)))
    }

    @Test("A lost item can use the remaining budget at once while the separation counts") func lost() throws {
        let usual = try Month.live(monthlyBytes: 200_000, hours: 3)
        let sought = try Month.live(monthlyBytes: 200_000, isLost: true, hours: 3)
        #expect(usual.usedBytes < 30_000)
        #expect(sought.usedBytes > 80_000)
        let later = try Month.live(monthlyBytes: 200_000, isLost: true, hours: 12)
        #expect(later.usedBytes < sought.usedBytes + 30_000)
    }

    @Test("A new month begins with a full budget, even when the clock jumps") func renewal() throws {
        var bench = try Bench.active(plan: TrackerPlan(contactSeconds: 60, monthlyBytes: 1_000))
        try bench.handle(.used(bytes: 5_000))
        try bench.after(seconds: 60)
        #expect(bench.sent == nil)
        bench.now = bench.now.adding(seconds: Limits.trackerBudgetSeconds)
        try bench.handle(.woke)
        #expect(bench.sent != nil)
        try bench.answerAll()
        try bench.handle(.used(bytes: 10))
        #expect(bench.machine.memory.budget.usedBytes == 10)
        try bench.handle(.used(bytes: .max))
        try bench.handle(.used(bytes: .max))
        #expect(bench.machine.memory.budget.usedBytes == .max)
        bench.now = bench.now.adding(seconds: -86_400)
        try bench.handle(.used(bytes: 10))
        #expect(bench.machine.memory.budget.usedBytes == 10)
    }

    @Test("A power cut doesn't shorten the wait, and a link ends it") func powerCut() throws {
        var bench = try Bench.active(plan: TrackerPlan(contactSeconds: 60, monthlyBytes: 1_000))
        try bench.handle(.used(bytes: 5_000))
        try bench.cutPower()
        #expect(bench.sent == nil)
        let wake = try unwrap(bench.machine.nextWake)
        #expect(wake > bench.now)
        try bench.handle(.bluetoothLink(true))
        #expect(bench.sent != nil)
    }

    @Test("An acknowledgement is sent at once even with an exhausted budget") func acknowledgements() throws {
        var bench = try Bench.active(plan: TrackerPlan(contactSeconds: 60, monthlyBytes: 1_000))
        try bench.handle(.used(bytes: 5_000))
        try bench.after(seconds: 60)
        #expect(bench.sent == nil)
        try bench.handle(.command(bench.command(1, .ring)))
        #expect(try unwrap(bench.sent).acknowledgements.count == 1)
    }
}
