import Accounts
import Hologram
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Polls of trackers through the cloud")
struct AskingTests {
    @Test("An active tracker is polled at its interval", arguments: Engine.allCases)
    func interval(engine: Engine) async throws {
        try await withCloud(engine) { house in
            let clock = house.house.clock
            #expect(try await house.service.goRounds() == clock.now.adding(seconds: 600))
            clock.advance(seconds: 599)
            #expect(try await house.service.goRounds() == clock.now.adding(seconds: 1))
            #expect(house.cloud.sent.isEmpty)
            clock.advance(seconds: 1)
            #expect(try await house.service.goRounds() == clock.now.adding(seconds: 600))
            #expect(house.cloud.sent.map(\.device) == [CloudHouse.device])
            let command = try #require(try house.received().first)
            #expect(command.kind == .locate)
            #expect(command.issuedAt == clock.now)
            #expect(command.expiresAt == clock.now.adding(seconds: 1_200))
            #expect(try await house.commands() == ["locate sent", "activate applied"])
            clock.advance(seconds: 600)
            _ = try await house.service.goRounds()
            #expect(house.cloud.sent.count == 2)
            #expect(try await house.commands() == ["locate sent", "locate superseded", "activate applied"])
        }
    }

    @Test("Polls missed for a day are replaced by one, and the next is on time", arguments: Engine.allCases)
    func missed(engine: Engine) async throws {
        try await withCloud(engine) { house in
            house.house.clock.advance(seconds: 24 * 60 * 60)
            let restarted = try house.house.otherNode()
            #expect(try await restarted.goRounds() == house.house.now.adding(seconds: 600))
            #expect(house.cloud.sent.count == 1)
            #expect(try await restarted.goRounds() == house.house.now.adding(seconds: 600))
            #expect(house.cloud.sent.count == 1)
        }
    }

    @Test("Only one of several nodes polls", arguments: Engine.allCases)
    func nodes(engine: Engine) async throws {
        try await withCloud(engine) { house in
            let nodes = [house.service, try house.house.otherNode(), try house.house.otherNode()]
            for round in 1...5 {
                house.house.clock.advance(seconds: 600)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for node in nodes { group.addTask { _ = try await node.goRounds() } }
                    try await group.waitForAll()
                }
                _ = try await house.service.goRounds()
                #expect(house.cloud.sent.count == round)
            }
        }
    }

    @Test("Only trackers that are on and have a SIM are polled", arguments: Engine.allCases)
    func notAsked(engine: Engine) async throws {
        try await withCloud(engine) { house in
            let bag = try await house.house.item("Bag", of: house.ada).item.id
            let plain = try await FakeTracker(house.house)
            try await plain.activate(for: bag, of: house.ada)
            let off = try await house.command(.off)
            _ = try await house.service.goRounds()
            #expect(try house.received().map(\.kind) == [.off])
            try await house.post(house.delivery([house.frame(acknowledging: off.id)]))
            #expect(try await house.status().state == .off)
            house.house.clock.advance(seconds: 3_600)
            #expect(try await house.service.goRounds() == nil)
            #expect(house.cloud.sent.count == 1)
            let on = try await house.command(.on)
            _ = try await house.service.goRounds()
            try await house.post(house.delivery([house.frame(acknowledging: on.id)]))
            #expect(try await house.service.goRounds() == house.house.now.adding(seconds: 600))
        }
    }

    @Test("A shorter interval applies at once", arguments: Engine.allCases)
    func shorter(engine: Engine) async throws {
        try await withCloud(engine) { house in
            func set(_ minutes: Int) async throws {
                _ = try await house.service.update(
                    house.item, ItemPatch(settings: .set(SettingsPatch(locateMinutes: .set(minutes)))), ifVersion: nil,
                    by: Change(actor: house.ada))
            }
            try await set(1_440)
            #expect(try await house.service.goRounds() == house.house.now.adding(seconds: 600))
            house.house.clock.advance(seconds: 600)
            #expect(try await house.service.goRounds() == house.house.now.adding(seconds: 86_400))
            try await set(1)
            #expect(try await house.service.goRounds() == house.house.now.adding(seconds: 60))
        }
    }
}

@Suite("Commands through the cloud")
struct CloudCommandTests {
    @Test(
        "A command is sent at once, and is applied when the tracker confirms it",
        arguments: Engine.allCases)
    func ledger(engine: Engine) async throws {
        try await withCloud(engine) { house in
            let off = try await house.command(.off)
            #expect(try await house.commands().first == "off queued")
            #expect(try await house.status().pending)
            _ = try await house.service.goRounds()
            let sent = try #require(try house.received().first)
            #expect(sent.id == off.id.cast(to: TrackerCommand.self))
            #expect(sent.kind == .off && sent.expiresAt == off.expiresAt)
            // The cloud's acceptance is no confirmation.
            #expect(try await house.commands().first == "off sent")
            #expect(try await house.status().pending)
            try await house.post(house.delivery([house.frame(acknowledging: off.id)]))
            #expect(try await house.commands().first == "off applied")
            let status = try await house.status()
            #expect(status.state == .off && !status.pending && !status.timedOut)
            #expect(status.offSince == house.house.now)
            #expect(try await house.house.count("hologram_errand WHERE next_at < 0") == 0)
            house.house.clock.advance(seconds: 300)
            _ = try await house.service.goRounds()
            #expect(try await house.house.count("hologram_errand") == 0)
            #expect(house.cloud.sent.count == 1)
        }
    }

    @Test("The rate limit delays all deliveries by 5 to 10 seconds", arguments: Engine.allCases)
    func busy(engine: Engine) async throws {
        try await withCloud(engine) { house in
            house.cloud.fail(.busy(seconds: nil))
            _ = try await house.command(.ring)
            let next = try #require(try await house.service.goRounds())
            #expect((5.0...10.0).contains(next.seconds(since: house.house.now)))
            #expect(house.cloud.sent.isEmpty)
            #expect(try await house.commands().first == "ring queued")
            house.house.clock.set(next)
            _ = try await house.service.goRounds()
            #expect(try house.received().map(\.kind) == [.ring])
            #expect(try await house.commands().first == "ring sent")
        }
    }

    @Test("A command is retried during an outage until it expires", arguments: Engine.allCases)
    func outage(engine: Engine) async throws {
        try await withCloud(engine) { house in
            house.cloud.setDown(true)
            _ = try await house.command(.ring)
            var waits: [Double] = []
            let start = house.house.now
            while let next = try await house.service.goRounds(), next.seconds(since: start) < 590 {
                waits.append(next.seconds(since: house.house.now))
                house.house.clock.set(next)
            }
            #expect(waits.count >= 4)
            #expect((2.5...5).contains(waits[0]) && waits.dropFirst().allSatisfy { $0 <= 300 })
            #expect(zip(waits, waits.dropFirst()).filter { $0 > $1 * 1.01 }.isEmpty || waits.last ?? 0 > waits[0])
            house.cloud.setDown(false)
            house.house.clock.set(start.adding(seconds: 1_200))
            _ = try await house.service.goRounds()
            // The command has expired; the poll that came due during the outage is sent.
            #expect(try house.received().map(\.kind) == [.locate])
        }
    }

    @Test("A command that the cloud refuses waits for the tracker's next contact", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withCloud(engine) { house in
            house.cloud.fail(.refused(status: 404))
            let ring = try await house.command(.ring)
            _ = try await house.service.goRounds()
            house.house.clock.advance(seconds: 300)
            _ = try await house.service.goRounds()
            #expect(house.cloud.sent.isEmpty)
            #expect(try await house.commands().first == "ring queued")
            let downlink = try await house.tracker.call(phase: .active)
            #expect(downlink.commands.map(\.id) == [ring.id.cast(to: TrackerCommand.self)])
        }
    }

    @Test("An unconfirmed switch is sent again, a locate isn't", arguments: Engine.allCases)
    func repeated(engine: Engine) async throws {
        try await withCloud(engine) { house in
            _ = try await house.command(.locate)
            _ = try await house.service.goRounds()
            house.house.clock.advance(seconds: 1)
            _ = try await house.command(.off)
            _ = try await house.service.goRounds()
            house.house.clock.advance(seconds: 120)
            _ = try await house.service.goRounds()
            house.house.clock.advance(seconds: 240)
            _ = try await house.service.goRounds()
            let received = try house.received()
            #expect(received.map(\.kind) == [.locate, .off, .off, .off])
            #expect(Set(received.map(\.id)).count == 2)
            house.house.clock.advance(seconds: 3_600)
            _ = try await house.service.goRounds()
            #expect(house.cloud.sent.count == 4)
        }
    }

    @Test(
        "A confirmation after the time-out still counts, unless a newer switch followed",
        arguments: Engine.allCases)
    func late(engine: Engine) async throws {
        try await withCloud(engine) { house in
            let off = try await house.command(.off)
            _ = try await house.service.goRounds()
            house.house.clock.advance(seconds: 1_201)
            try await house.service.housekeeping()
            #expect(try await house.status().timedOut)
            try await house.post(house.delivery([house.frame(acknowledging: off.id)]))
            #expect(try await house.status().state == .off)
            #expect(try await !house.status().timedOut)
            _ = try await house.command(.on)
            try await house.post(house.delivery([house.frame(acknowledging: off.id)]))
            let status = try await house.status()
            #expect(status.wanted == .on && status.pending)
        }
    }

    @Test("A deleted item's tracker gets its release through the cloud", arguments: Engine.allCases)
    func released(engine: Engine) async throws {
        try await withCloud(engine) { house in
            try await house.service.delete(house.item, by: Change(actor: house.ada))
            _ = try await house.service.goRounds()
            let release = try #require(try house.received().last)
            #expect(release.kind == .releaseOff && release.expiresAt == nil)
            // It isn't polled any more.
            house.house.clock.advance(seconds: 60)
            _ = try await house.service.goRounds()
            #expect(house.cloud.sent.count == 1)
            try await house.post(house.delivery([house.frame(acknowledging: release.id.cast(to: Command.self))]))
            #expect(try await house.house.count("tracker") == 0)
            #expect(try await house.house.count("command") == 0)
            #expect(try await house.house.count("hologram_errand") == 0)
        }
    }

    @Test("A device proved by another account's tracker gets no messages for this one", arguments: Engine.allCases)
    func claimed(engine: Engine) async throws {
        try await withCloud(engine) { house in
            try await house.post(house.delivery([try house.frame(1, 2)]))
            let eve = try await house.house.person("Eve")
            let item = try await house.house.item(of: eve).item.id
            let other = try await FakeTracker(house.house)
            other.hologramDevice = CloudHouse.device
            try await other.activate(for: item, of: eve)
            _ = try await house.service.command(item, kind: .ring, by: Change(actor: eve))
            house.house.clock.advance(seconds: 600)
            _ = try await house.service.goRounds()
            // Only the poll of Ada's tracker: it opens with her tracker's keys.
            #expect(try house.received().map(\.kind) == [.locate])
        }
    }
}
