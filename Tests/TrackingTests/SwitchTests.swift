import Accounts
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

extension TrackingFixture {
    /// Posts a fix at a distance north of the point 0° 0°.
    fileprivate func report(_ tracker: FakeTracker, metres: Double, phase: TrackerPhase = .active) async throws {
        _ = try await tracker.call(
            phase: phase, fixes: [tracker.fix(metres / Self.metresPerDegree, TrackingFixture.meridian)])
    }

    fileprivate func subjects() async throws -> [String] {
        try await notices().map { "\($0.kind) \($0.details["outcome"] ?? "")" }
    }
}

@Suite("Unconfirmed switches")
struct SwitchTests {
    @Test(
        "After an expired turn-off, alerts, locate and polls continue, and the owner is notified",
        arguments: Engine.allCases)
    func turnOffLapses(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            // The tracker has stopped sending; its owner turns it off.
            _ = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            fixture.clock.advance(seconds: 20 * 60)
            let lapsed = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(lapsed.wanted == .on && lapsed.timedOut && !lapsed.pending && lapsed.canLocate)
            try await fixture.tracking.housekeeping.run()
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.subjects() == ["switchNotConfirmed stillOn"])
            fixture.clock.advance(seconds: 60)
            _ = try await tracker.call(phase: .active)
            let back = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(back.wanted == .on && back.canLocate && back.state == .active)
            #expect(back.timedOut, "the page still says that the switch had no effect")
            _ = try await fixture.tracking.commands.create(item, kind: .locate, by: Change(actor: ada))
            try await fixture.phone(of: ada, metres: 0)
            try await fixture.report(tracker, metres: 500)
            #expect(try await fixture.subjects().last == "itemTooFar ")
            #expect(try await fixture.tracking.items.item(item, for: ada).tooFarSince == fixture.now)
            fixture.clock.advance(seconds: Limits.switchNoteSeconds)
            #expect(try await fixture.tracking.items.item(item, for: ada).tracker?.timedOut == false)
        }
    }

    @Test("Alerts continue with the first position after the time-out, before housekeeping", arguments: Engine.allCases)
    func alertsAtOnce(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            try await fixture.report(tracker, metres: 0)
            _ = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            fixture.clock.advance(seconds: 20 * 60)
            // The phone's position, not the tracker's, triggers the rule.
            try await fixture.phone(of: ada, metres: 400)
            #expect(try await fixture.subjects() == ["itemTooFar "])
            _ = try await fixture.tracking.commands.create(item, kind: .locate, by: Change(actor: ada))
            try await fixture.report(tracker, metres: 0)
            #expect(try await fixture.subjects().sorted() == ["itemTooFar ", "switchNotConfirmed stillOn"])
        }
    }

    @Test("A separation that a turn-off interrupted causes an alert again", arguments: Engine.allCases)
    func interrupted(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            try await fixture.phone(of: ada, metres: 0)
            try await fixture.report(tracker, metres: 100)
            let first = fixture.now
            #expect(try await fixture.tracking.items.item(item, for: ada).tooFarSince == first)
            _ = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            fixture.clock.advance(seconds: 10)
            try await fixture.report(tracker, metres: 110)
            #expect(try await fixture.subjects() == ["itemTooFar "], "quiet while turning off")
            fixture.clock.advance(seconds: 20 * 60)
            try await fixture.phone(of: ada, metres: 1)
            try await fixture.report(tracker, metres: 120)
            #expect(
                try await fixture.subjects().sorted() == ["itemTooFar ", "itemTooFar ", "switchNotConfirmed stillOn"])
            #expect(try await fixture.tracking.items.item(item, for: ada).tooFarSince == fixture.now)
        }
    }

    @Test("\"Too far since\" restarts when the tracker was off between two separations", arguments: Engine.allCases)
    func meeting(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            try await fixture.phone(of: ada, metres: 0)
            try await fixture.report(tracker, metres: 100)
            let off = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            let applied = Acknowledgement(id: off.id.cast(to: TrackerCommand.self), result: .applied)
            _ = try await tracker.call(phase: .off, acknowledging: [applied])
            // The owner fetches the item and takes it along, then leaves it behind elsewhere.
            fixture.clock.advance(seconds: 3_600)
            try await fixture.phone(of: ada, metres: 100)
            let on = try await fixture.tracking.commands.create(item, kind: .on, by: Change(actor: ada))
            let again = Acknowledgement(id: on.id.cast(to: TrackerCommand.self), result: .applied)
            _ = try await tracker.call(phase: .active, acknowledging: [again])
            try await fixture.report(tracker, metres: 900)
            #expect(try await fixture.subjects() == ["itemTooFar ", "itemTooFar "])
            #expect(try await fixture.tracking.items.item(item, for: ada).tooFarSince == fixture.now)
        }
    }

    @Test("After an expired turn-on the tracker is off, and its owner is notified", arguments: Engine.allCases)
    func turnOnLapses(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            let off = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            let applied = Acknowledgement(id: off.id.cast(to: TrackerCommand.self), result: .applied)
            _ = try await tracker.call(phase: .off, acknowledging: [applied])
            _ = try await fixture.tracking.commands.create(item, kind: .on, by: Change(actor: ada))
            fixture.clock.advance(seconds: 20 * 60)
            try await fixture.tracking.housekeeping.run()
            let lapsed = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(lapsed.wanted == .off && lapsed.timedOut && lapsed.actual == .off && !lapsed.canLocate)
            #expect(try await fixture.subjects() == ["switchNotConfirmed stillOff"])
            fixture.clock.advance(seconds: 60)
            _ = try await tracker.call(phase: .active)
            let late = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(late.wanted == .on && !late.timedOut && late.actual == .on)
            #expect(try await fixture.subjects() == ["switchNotConfirmed stillOff", "switchNotConfirmed onLate"])
        }
    }

    @Test("A refused switch keeps the state that the tracker confirmed last", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            let off = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            let failed = Acknowledgement(id: off.id.cast(to: TrackerCommand.self), result: .failed, reason: "stuck")
            _ = try await tracker.call(phase: .active, acknowledging: [failed])
            let status = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(status.wanted == .on && status.timedOut && status.canLocate)
            #expect(try await fixture.subjects() == ["switchNotConfirmed stillOn"])
            // The owner tries again, and the tracker obeys.
            _ = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            _ = try await tracker.call(phase: .off)
            let done = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(done.wanted == .off && !done.timedOut && !done.pending)
            #expect(try await fixture.subjects().count == 1)
        }
    }

    @Test("The newest of several switches decides; a superseded one has no effect", arguments: Engine.allCases)
    func superseded(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            let off = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            fixture.clock.advance(seconds: 600)
            _ = try await fixture.tracking.commands.create(item, kind: .on, by: Change(actor: ada))
            let applied = Acknowledgement(id: off.id.cast(to: TrackerCommand.self), result: .applied)
            _ = try await tracker.call(phase: .off, acknowledging: [applied])
            let waiting = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(waiting.wanted == .on && waiting.pending && waiting.actual == .off)
            fixture.clock.advance(seconds: 20 * 60)
            try await fixture.tracking.housekeeping.run()
            let lapsed = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(lapsed.wanted == .off && lapsed.timedOut)
        }
    }

    @Test("An expired activation resets the wanted state, and a late one still counts", arguments: Engine.allCases)
    func activation(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            _ = try await fixture.tracking.claimCodePairings.pair(
                item, code: tracker.code.description, clientAddress: "192.0.2.1", by: Change(actor: ada))
            fixture.clock.advance(seconds: 20 * 60)
            try await fixture.tracking.housekeeping.run()
            #expect(
                try await fixture.tracking.items.item(item, for: ada).tracker?.wanted == .on,
                "the command is still open")
            #expect(try await fixture.subjects().isEmpty)
            fixture.clock.advance(seconds: Limits.activationSeconds)
            try await fixture.tracking.housekeeping.run()
            try await fixture.tracking.housekeeping.run()
            let lapsed = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(lapsed.wanted == .off && lapsed.timedOut)
            #expect(try await fixture.subjects() == ["switchNotConfirmed stillOff"])
            _ = try await tracker.call(phase: .active)
            let active = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(active.wanted == .on && active.state == .active && !active.timedOut)
        }
    }

    /// Creates a state that an earlier version left: off in the app, and on according to the tracker.
    private static func corrupt(_ fixture: TrackingFixture, apartSince: Instant) async throws {
        let past = fixture.now.adding(seconds: -3_600)
        try await fixture.database.write { tx in
            try tx.execute(
                """
                UPDATE tracker SET wanted = 'off', state = 'active', is_late = 1, pending_since = \(past),
                    pending_until = \(past)
                """
            )
            try tx.execute("UPDATE whereabouts SET apart_since = \(apartSince)")
        }
    }

    @Test("Housekeeping repairs a wrong stored state", arguments: Engine.allCases)
    func healedByHousekeeping(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            try await Self.corrupt(fixture, apartSince: fixture.now.adding(seconds: -86_400))
            try await fixture.tracking.housekeeping.run()
            let healed = try await fixture.tracking.items.item(item, for: ada)
            #expect(healed.tracker?.wanted == .on && healed.tooFarSince == nil)
            try await fixture.phone(of: ada, metres: 0)
            try await fixture.report(tracker, metres: 100)
            #expect(try await fixture.subjects() == ["switchNotConfirmed stillOn", "itemTooFar "])
        }
    }

    @Test("The tracker's next report repairs a wrong stored state", arguments: Engine.allCases)
    func healedByReport(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            try await Self.corrupt(fixture, apartSince: fixture.now.adding(seconds: -86_400))
            try await fixture.phone(of: ada, metres: 0)
            try await fixture.report(tracker, metres: 100)
            #expect(try await fixture.subjects().contains("itemTooFar "))
            let healed = try await fixture.tracking.items.item(item, for: ada)
            #expect(healed.tracker?.wanted == .on && healed.tooFarSince == fixture.now)
            _ = try await fixture.tracking.commands.create(item, kind: .locate, by: Change(actor: ada))
        }
    }
}

@Suite("Unconfirmed switches through Hologram's cloud")
struct CloudSwitchTests {
    @Test("Polls continue after an expired turn-off", arguments: Engine.allCases)
    func polls(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            _ = try await fixture.command(.off)
            _ = try await fixture.pollAndSend()
            #expect(try await fixture.fixture.count("tracker WHERE ask_at IS NOT NULL") == 0)
            fixture.fixture.clock.advance(seconds: 1_201)
            try await fixture.tracking.housekeeping.run()
            let status = try await fixture.status()
            #expect(status.wanted == .on && status.timedOut)
            #expect(try await fixture.fixture.count("tracker WHERE ask_at IS NOT NULL") == 1)
        }
    }

    @Test("A position after the turn-off proves that the tracker is on", arguments: Engine.allCases)
    func positionAfterTurnOff(engine: Engine) async throws {
        try await withCloudFixture(engine) { fixture in
            let off = try await fixture.command(.off)
            try await fixture.post(fixture.delivery([fixture.frame(acknowledging: off.id)]))
            #expect(try await fixture.status().state == .off)
            // Measured before the turn-off, and delivered late.
            let before = fixture.fixture.now.adding(seconds: -30)
            try await fixture.post(fixture.delivery([fixture.frame(1, 2, at: before)]))
            #expect(try await fixture.status().state == .off)
            _ = try await fixture.command(.on)
            fixture.fixture.clock.advance(seconds: 120)
            // The confirmation of the turn-on was lost.
            try await fixture.post(fixture.delivery([fixture.frame(1, 2, at: fixture.fixture.now, counter: 1_001)]))
            let status = try await fixture.status()
            #expect(status.state == .active && status.wanted == .on && !status.pending)
        }
    }
}
