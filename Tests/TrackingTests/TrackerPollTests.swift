import Accounts
import Hologram
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Polls of trackers through the cloud")
struct TrackerPollTests {
    @Test("T-2-1-1: An active tracker is polled at its interval", arguments: Engine.allCases)
    func interval(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            let clock = fixture.fixture.clock
            #expect(try await fixture.pollAndSend() == clock.now.adding(seconds: 600))
            clock.advance(seconds: 599)
            #expect(try await fixture.pollAndSend() == clock.now.adding(seconds: 1))
            #expect(fixture.cloud.sent.isEmpty)
            clock.advance(seconds: 1)
            #expect(try await fixture.pollAndSend() == clock.now.adding(seconds: 600))
            #expect(fixture.cloud.sent.map(\.device) == [CloudFixture.device])
            let command = try #require(try fixture.received().first)
            #expect(command.kind == .locate)
            #expect(command.issuedAt == clock.now)
            #expect(command.expiresAt == clock.now.adding(seconds: 1_200))
            #expect(try await fixture.commands() == ["locate sent", "activate applied"])
            clock.advance(seconds: 600)
            _ = try await fixture.pollAndSend()
            #expect(fixture.cloud.sent.count == 2)
            #expect(try await fixture.commands() == ["locate sent", "locate superseded", "activate applied"])
        }
    }

    @Test("T-2-1-1: Polls missed for a day are replaced by one, and the next is on time", arguments: Engine.allCases)
    func missed(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            fixture.fixture.clock.advance(seconds: 24 * 60 * 60)
            let restarted = try fixture.fixture.otherNode()
            #expect(try await fixture.pollAndSend(restarted) == fixture.fixture.now.adding(seconds: 600))
            #expect(fixture.cloud.sent.count == 1)
            #expect(try await fixture.pollAndSend(restarted) == fixture.fixture.now.adding(seconds: 600))
            #expect(fixture.cloud.sent.count == 1)
        }
    }

    @Test("Only one of several nodes polls", arguments: Engine.allCases)
    func nodes(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            let nodes = [fixture.tracking, try fixture.fixture.otherNode(), try fixture.fixture.otherNode()]
            for round in 1...5 {
                fixture.fixture.clock.advance(seconds: 600)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for node in nodes {
                        group.addTask { [fixture = fixture.fixture] in _ = try await fixture.pollAndSend(node) }
                    }
                    try await group.waitForAll()
                }
                _ = try await fixture.pollAndSend()
                #expect(fixture.cloud.sent.count == round)
            }
        }
    }

    @Test("Only trackers that are on and have a SIM are polled", arguments: Engine.allCases)
    func notAsked(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            let bag = try await fixture.fixture.item("Bag", of: fixture.ada).item.id
            let plain = try await FakeTracker(fixture.fixture)
            try await plain.activate(for: bag, of: fixture.ada)
            let off = try await fixture.command(.off)
            _ = try await fixture.pollAndSend()
            #expect(try fixture.received().map(\.kind) == [.off])
            try await fixture.post(fixture.delivery([fixture.frame(acknowledging: off.id)]))
            #expect(try await fixture.status().state == .off)
            fixture.fixture.clock.advance(seconds: 3_600)
            #expect(try await fixture.pollAndSend() == nil)
            #expect(fixture.cloud.sent.count == 1)
            let on = try await fixture.command(.on)
            _ = try await fixture.pollAndSend()
            try await fixture.post(fixture.delivery([fixture.frame(acknowledging: on.id)]))
            #expect(try await fixture.pollAndSend() == fixture.fixture.now.adding(seconds: 600))
        }
    }

    @Test("T-2-1-1: Each item has its own interval, and a shorter one applies at once", arguments: Engine.allCases)
    func shorter(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            func set(_ minutes: Int) async throws {
                _ = try await fixture.tracking.items.update(
                    fixture.item, ItemPatch(settings: .set(SettingsPatch(locateMinutes: .set(minutes)))),
                    ifVersion: nil,
                    by: Change(actor: fixture.ada))
            }
            try await set(1_440)
            #expect(try await fixture.pollAndSend() == fixture.fixture.now.adding(seconds: 600))
            fixture.fixture.clock.advance(seconds: 600)
            #expect(try await fixture.pollAndSend() == fixture.fixture.now.adding(seconds: 86_400))
            fixture.fixture.clock.advance(seconds: 84_000)
            #expect(try await fixture.pollAndSend() == fixture.fixture.now.adding(seconds: 2_400))
            #expect(fixture.cloud.sent.count == 1)
            try await set(1)
            #expect(try await fixture.pollAndSend() == fixture.fixture.now.adding(seconds: 60))
            fixture.fixture.clock.advance(seconds: 60)
            #expect(try await fixture.pollAndSend() == fixture.fixture.now.adding(seconds: 60))
            #expect(try fixture.received().map(\.kind) == [.locate, .locate])
        }
    }
}

@Suite("Commands through the cloud")
struct CloudCommandTests {
    @Test(
        "A command is sent at once, and is applied when the tracker confirms it",
        arguments: Engine.allCases)
    func ledger(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            let off = try await fixture.command(.off)
            #expect(try await fixture.commands().first == "off queued")
            #expect(try await fixture.status().pending)
            _ = try await fixture.pollAndSend()
            let sent = try #require(try fixture.received().first)
            #expect(sent.id == off.id.cast(to: TrackerCommand.self))
            #expect(sent.kind == .off && sent.expiresAt == off.expiresAt)
            // The cloud's acceptance is no confirmation.
            #expect(try await fixture.commands().first == "off sent")
            #expect(try await fixture.status().pending)
            try await fixture.post(fixture.delivery([fixture.frame(acknowledging: off.id)]))
            #expect(try await fixture.commands().first == "off applied")
            let status = try await fixture.status()
            #expect(status.state == .off && !status.pending && !status.timedOut)
            #expect(status.offSince == fixture.fixture.now)
            #expect(try await fixture.fixture.count("job WHERE lane = 'tracker-commands'") == 0)
            fixture.fixture.clock.advance(seconds: 300)
            _ = try await fixture.pollAndSend()
            #expect(try await fixture.fixture.count("job WHERE lane = 'tracker-commands'") == 0)
            #expect(fixture.cloud.sent.count == 1)
        }
    }

    @Test("T-2-1-1: The rate limit delays all deliveries by 5 to 10 seconds", arguments: Engine.allCases)
    func busy(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            fixture.cloud.fail(.busy(seconds: nil))
            _ = try await fixture.command(.ring)
            let next = try #require(try await fixture.pollAndSend())
            #expect((5.0...10.0).contains(next.seconds(since: fixture.fixture.now)))
            #expect(fixture.cloud.sent.isEmpty)
            #expect(try await fixture.commands().first == "ring queued")
            fixture.fixture.clock.set(next)
            _ = try await fixture.pollAndSend()
            #expect(try fixture.received().map(\.kind) == [.ring])
            #expect(try await fixture.commands().first == "ring sent")
        }
    }

    @Test("A command is retried during an outage until it expires", arguments: Engine.allCases)
    func outage(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            fixture.cloud.setDown(true)
            _ = try await fixture.command(.ring)
            var waits: [Double] = []
            let start = fixture.fixture.now
            while let next = try await fixture.pollAndSend(), next.seconds(since: start) < 590 {
                waits.append(next.seconds(since: fixture.fixture.now))
                fixture.fixture.clock.set(next)
            }
            #expect(waits.count >= 4)
            #expect((2.5...5).contains(waits[0]) && waits.dropFirst().allSatisfy { $0 <= 300 })
            #expect(zip(waits, waits.dropFirst()).filter { $0 > $1 * 1.01 }.isEmpty || waits.last ?? 0 > waits[0])
            fixture.cloud.setDown(false)
            fixture.fixture.clock.set(start.adding(seconds: 1_200))
            _ = try await fixture.pollAndSend()
            // The command has expired; the poll that came due during the outage is sent.
            #expect(try fixture.received().map(\.kind) == [.locate])
        }
    }

    @Test("T-2-1-1: A command that waited during an outage is sent afterwards", arguments: Engine.allCases)
    func recovery(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            fixture.cloud.setDown(true)
            _ = try await fixture.command(.locate)
            let next = try #require(try await fixture.pollAndSend())
            #expect(try await fixture.commands().first == "locate queued")
            fixture.cloud.setDown(false)
            fixture.fixture.clock.set(next)
            _ = try await fixture.pollAndSend()
            #expect(try fixture.received().map(\.kind) == [.locate])
            #expect(try await fixture.commands().first == "locate sent")
        }
    }

    @Test("The deliveries of an earlier version are moved when they are due", arguments: Engine.allCases)
    func moved(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            let now = fixture.fixture.now
            let (off, ring) = (try await fixture.command(.off), try await fixture.command(.ring))
            try await fixture.fixture.database.write { tx in
                try tx.execute("DELETE FROM job WHERE lane = 'tracker-commands'")
                for (command, seconds) in [(off, Int64(0)), (ring, 30)] {
                    try tx.execute(
                        """
                        INSERT INTO hologram_errand (command_id, next_at, attempts)
                        VALUES (\(command.id), \(now.adding(seconds: seconds)), 3)
                        """)
                }
            }
            // The other delivery may be leased to a server of the earlier version.
            for (advance, kinds) in [(Int64(0), [TrackerCommandKind.off]), (30, [.off, .ring])] {
                fixture.fixture.clock.advance(seconds: advance)
                for _ in 0..<2 { try await fixture.tracking.commandDeliveries.moveEarlierDeliveries() }
                _ = try await fixture.pollAndSend()
                #expect(try fixture.received().map(\.kind) == kinds)
            }
            #expect(try await fixture.fixture.count("hologram_errand") == 0)
        }
    }

    @Test("A superseded command isn't sent any more", arguments: Engine.allCases)
    func superseded(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            for kind in [CommandKind.off, .on] { _ = try await fixture.command(kind) }
            #expect(try await fixture.fixture.count("job WHERE lane = 'tracker-commands'") == 1)
            _ = try await fixture.pollAndSend()
            #expect(try fixture.received().map(\.kind) == [.on])
        }
    }

    @Test("A command that the cloud refuses waits for the tracker's next contact", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            fixture.cloud.fail(.refused(status: 404))
            let ring = try await fixture.command(.ring)
            _ = try await fixture.pollAndSend()
            fixture.fixture.clock.advance(seconds: 300)
            _ = try await fixture.pollAndSend()
            #expect(fixture.cloud.sent.isEmpty)
            #expect(try await fixture.commands().first == "ring queued")
            #expect(
                try await fixture.fixture.count(
                    "job WHERE dead_at IS NOT NULL AND subject = 'ring' AND last_error LIKE '%status 404'") == 1)
            let downlink = try await fixture.tracker.call(phase: .active)
            #expect(downlink.commands.map(\.id) == [ring.id.cast(to: TrackerCommand.self)])
        }
    }

    @Test("An unconfirmed switch is sent again, a locate isn't", arguments: Engine.allCases)
    func repeated(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            _ = try await fixture.command(.locate)
            _ = try await fixture.pollAndSend()
            fixture.fixture.clock.advance(seconds: 1)
            _ = try await fixture.command(.off)
            _ = try await fixture.pollAndSend()
            fixture.fixture.clock.advance(seconds: 120)
            _ = try await fixture.pollAndSend()
            fixture.fixture.clock.advance(seconds: 240)
            _ = try await fixture.pollAndSend()
            let received = try fixture.received()
            #expect(received.map(\.kind) == [.locate, .off, .off, .off])
            #expect(Set(received.map(\.id)).count == 2)
            fixture.fixture.clock.advance(seconds: 3_600)
            _ = try await fixture.pollAndSend()
            #expect(fixture.cloud.sent.count == 4)
        }
    }

    @Test(
        "A confirmation after the time-out still counts, unless a newer switch followed",
        arguments: Engine.allCases)
    func late(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            let off = try await fixture.command(.off)
            _ = try await fixture.pollAndSend()
            fixture.fixture.clock.advance(seconds: 1_201)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.status().timedOut)
            try await fixture.post(fixture.delivery([fixture.frame(acknowledging: off.id)]))
            #expect(try await fixture.status().state == .off)
            #expect(try await !fixture.status().timedOut)
            _ = try await fixture.command(.on)
            try await fixture.post(fixture.delivery([fixture.frame(acknowledging: off.id)]))
            let status = try await fixture.status()
            #expect(status.wanted == .on && status.pending)
        }
    }

    @Test("A deleted item's tracker gets its release through the cloud", arguments: Engine.allCases)
    func released(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            try await fixture.tracking.itemDeletions.delete(fixture.item, by: Change(actor: fixture.ada))
            _ = try await fixture.pollAndSend()
            let release = try #require(try fixture.received().last)
            #expect(release.kind == .releaseOff && release.expiresAt == nil)
            // It isn't polled any more.
            fixture.fixture.clock.advance(seconds: 60)
            _ = try await fixture.pollAndSend()
            #expect(fixture.cloud.sent.count == 1)
            try await fixture.post(fixture.delivery([fixture.frame(acknowledging: release.id.cast(to: Command.self))]))
            #expect(try await fixture.fixture.count("tracker") == 0)
            #expect(try await fixture.fixture.count("command") == 0)
            #expect(try await fixture.fixture.count("job WHERE lane = 'tracker-commands'") == 0)
        }
    }

    @Test("A device proved by another account's tracker gets no messages for this one", arguments: Engine.allCases)
    func claimed(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            try await fixture.post(fixture.delivery([try fixture.frame(1, 2)]))
            let eve = try await fixture.fixture.person("Eve")
            let item = try await fixture.fixture.item(of: eve).item.id
            let other = try await FakeTracker(fixture.fixture)
            other.hologramDevice = CloudFixture.device
            try await other.activate(for: item, of: eve)
            _ = try await fixture.tracking.commands.create(item, kind: .ring, by: Change(actor: eve))
            fixture.fixture.clock.advance(seconds: 600)
            _ = try await fixture.pollAndSend()
            // Only the poll of Ada's tracker: it opens with her tracker's keys.
            #expect(try fixture.received().map(\.kind) == [.locate])
        }
    }
}
