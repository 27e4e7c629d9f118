import Accounts
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Messages of trackers")
struct TrackerMessageTests {
    @Test("A repeated message is stored once and answered twice", arguments: Engine.allCases)
    func repeated(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            let message = tracker.message(phase: .active, battery: 50, fixes: [try tracker.fix(1, 2)])
            _ = try await tracker.deliver(message)
            let seen = try await fixture.tracking.items.item(item, for: ada).tracker?.lastSeenAt
            fixture.clock.advance(seconds: 30)
            let command = try await fixture.tracking.commands.create(item, kind: .ring, by: Change(actor: ada))
            let again = try await tracker.deliver(message)
            #expect(again.commands.map(\.id) == [command.id.cast(to: TrackerCommand.self)])
            #expect(try await fixture.fixes(of: item, for: ada).count == 1)
            #expect(try await fixture.tracking.items.item(item, for: ada).tracker?.lastSeenAt == seen)
            #expect(try await fixture.events().filter { $0.kind == "fix" }.count == 1)
        }
    }

    @Test("Replayed, altered and unknown messages are rejected", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            let old = tracker.message(phase: .active, fixes: [try tracker.fix(1, 2)])
            _ = try await tracker.deliver(old)
            _ = try await tracker.call(phase: .active)
            let id = tracker.id.description
            func status(_ body: [UInt8], _ signature: String?) async throws -> Int {
                try await fixture.tracking.trackerMessages.receive(id, body: body, signature: signature).status
            }
            let stale = try await fixture.tracking.trackerMessages.receive(
                id, body: old.sealed.body, signature: old.sealed.signature
            )
            #expect(stale.status == 409)
            #expect(stale.signature != nil)
            let fresh = tracker.message(phase: .off, fixes: [try tracker.fix(3, 4)])
            #expect(try await status(fresh.sealed.body, nil) == 401)
            #expect(try await status(fresh.sealed.body, String(repeating: "0", count: 64)) == 401)
            #expect(try await status(fresh.sealed.body + [32], fresh.sealed.signature) == 401)
            #expect(try await status([], nil) == 401)
            let other = try await FakeTracker(fixture)
            let otherMessage = other.message(phase: .off, fixes: [try other.fix(3, 4)], counter: 99)
            #expect(try await status(otherMessage.sealed.body, otherMessage.sealed.signature) == 401)
            for unknown in ["x", "\(ID<TrackerDevice>(at: fixture.now, random: fixture.random))"] {
                let error = await refusal {
                    _ = try await fixture.tracking.trackerMessages.receive(unknown, body: [], signature: nil)
                }
                #expect(error?.code == .notFound)
            }
            #expect(try await fixture.fixes(of: item, for: ada).count == 1)
            #expect(try await fixture.tracking.items.item(item, for: ada).tracker?.state == .active)
        }
    }

    @Test("The latest of many fixes is the last position, and bad ones are quarantined", arguments: Engine.allCases)
    func manyFixes(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            let now = fixture.now
            let fixes = [
                try tracker.fix(1, 1, at: now.adding(seconds: -20)),
                try tracker.fix(9, 9, at: now.adding(seconds: 700)),
                try tracker.fix(2, 2, at: now.adding(seconds: -10)),
                try tracker.fix(3, 3, at: now.adding(seconds: -10)),
                try tracker.fix(8, 8, at: Instant(millisecondsSince1970: 0)),
            ]
            _ = try await tracker.call(phase: .active, fixes: fixes)
            #expect(try await fixture.fixes(of: item, for: ada).map(\.coordinate.latitude) == [2, 1])
            #expect(try await fixture.tracking.items.item(item, for: ada).lastFix?.coordinate.latitude == 2)
            let reasons = try await fixture.quarantine(for: ada)
            #expect(reasons.filter { $0 == .timeOutOfRange }.count == 2)
            #expect(reasons.filter { $0 == .otherPlaceAtThatTime }.count == 1)
            #expect(try await fixture.events().filter { $0.kind == "fix" }.count == 1)
        }
    }

    @Test("A switch is pending until the tracker confirms it", arguments: Engine.allCases)
    func switching(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            let off = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            #expect(off.state == .queued)
            #expect(off.expiresAt == fixture.now.adding(seconds: 20 * 60))
            let pending = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(pending.wanted == .off)
            #expect(pending.pending)
            #expect(pending.actual == .on)
            #expect(!pending.canLocate)
            let downlink = try await tracker.call(phase: .active)
            #expect(downlink.commands.map(\.kind) == [.off])
            #expect(
                try await fixture.tracking.commands.list(of: item, for: ada, after: nil, limit: 1).items.first?.state
                    == .sent
            )
            let locate = await refusal {
                _ = try await fixture.tracking.commands.create(item, kind: .locate, by: Change(actor: ada))
            }
            #expect(locate?.code == .conflict)
            _ = try await tracker.call(
                phase: .off,
                acknowledging: [Acknowledgement(id: off.id.cast(to: TrackerCommand.self), result: .applied)]
            )
            let done = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(done.state == .off)
            #expect(!done.pending)
            #expect(!done.timedOut)
            #expect(try await fixture.events().contains { $0.kind == "command" })
        }
    }

    @Test("An unconfirmed switch expires visibly, and a late confirmation still counts", arguments: Engine.allCases)
    func timeOut(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            let off = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            _ = try await tracker.call(phase: .active)
            fixture.clock.advance(seconds: 20 * 60)
            let late = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(!late.pending)
            #expect(late.timedOut)
            #expect(late.wanted == .on)
            let listed = try await fixture.tracking.commands.list(of: item, for: ada, after: nil, limit: 1).items.first
            #expect(listed?.state == .expired)
            let before = try await fixture.events().filter { $0.kind == "command" }.count
            try await fixture.tracking.housekeeping.run()
            try await fixture.tracking.housekeeping.run()
            let after = try await fixture.events().filter { $0.kind == "command" }.count
            #expect(after == before + 1)
            let stored = try await fixture.tracking.commands.list(of: item, for: ada, after: nil, limit: 1).items.first
            #expect(stored == listed)
            #expect(try await tracker.call(phase: .active).commands.isEmpty)
            _ = try await tracker.call(
                phase: .off,
                acknowledging: [Acknowledgement(id: off.id.cast(to: TrackerCommand.self), result: .applied)]
            )
            let settled = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(settled.state == .off)
            #expect(!settled.timedOut)
        }
    }

    @Test("A tracker's refusal shows at once", arguments: Engine.allCases)
    func failed(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            let off = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            let id = off.id.cast(to: TrackerCommand.self)
            _ = try await tracker.call(
                phase: .active, acknowledging: [Acknowledgement(id: id, result: .failed, reason: "stuck")]
            )
            let status = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(status.timedOut)
            #expect(!status.pending)
            #expect(
                try await fixture.tracking.commands.list(of: item, for: ada, after: nil, limit: 1).items.first?.state
                    == .failed
            )
        }
    }

    @Test("A newer switch supersedes the older one, a locate doesn't", arguments: Engine.allCases)
    func superseding(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            for kind in [CommandKind.off, .locate, .on, .ring, .ring, .activate] {
                fixture.clock.advance(milliseconds: 1)
                _ = await refusal {
                    _ = try await fixture.tracking.commands.create(item, kind: kind, by: Change(actor: ada))
                }
            }
            let states = try await fixture.tracking.commands.list(of: item, for: ada, after: nil, limit: 10).items
                .map { "\($0.kind) \($0.state)" }
            #expect(
                states == [
                    "activate queued", "ring queued", "ring superseded", "on superseded", "off superseded",
                    "activate applied",
                ]
            )
            let status = try #require(await fixture.tracking.items.item(item, for: ada).tracker)
            #expect(status.wanted == .on)
            #expect(Set(try await tracker.call(phase: .active).commands.map(\.kind)) == [.activate, .ring])
        }
    }

    @Test("Owners can't give the server's own commands", arguments: Engine.allCases)
    func ownCommands(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, _ in
            let error = await refusal {
                _ = try await fixture.tracking.commands.create(item, kind: .release, by: Change(actor: ada))
            }
            #expect(error?.fields["kind"] != nil)
        }
    }

    @Test("A repeated request with an idempotency key gives a command once", arguments: Engine.allCases)
    func idempotency(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, _ in
            let change = Change.keyed(ada, "POST", "/tracking/items/\(item)/commands", "k")
            let first = try await fixture.tracking.commands.create(item, kind: .ring, by: change)
            #expect(try await fixture.tracking.commands.create(item, kind: .ring, by: change) == first)
            #expect(try await fixture.count("command WHERE kind = 'ring'") == 1)
        }
    }

    @Test("The tracker gets the interval and the distance to the nearest phone", arguments: Engine.allCases)
    func settings(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            let far = try await fixture.otherDevice(of: ada)
            #expect(try await tracker.call(phase: .active).settings.distanceMetres == nil)
            _ = try await tracker.call(phase: .active, fixes: [try tracker.fix(0, TrackingFixture.meridian)])
            try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 0, longitude: 2), by: far)
            try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 0, longitude: 1.0001), by: ada)
            _ = try await fixture.tracking.items.update(
                item, ItemPatch(settings: .set(SettingsPatch(locateMinutes: .set(3)))), ifVersion: nil,
                by: Change(actor: ada)
            )
            let settings = try await tracker.call(phase: .active).settings
            #expect(settings.locateMinutes == 3)
            #expect(abs(try #require(settings.distanceMetres) - 11.12) < 0.02)
            fixture.clock.advance(seconds: Limits.nearestPhoneSeconds + 1)
            #expect(try await tracker.call(phase: .active).settings.distanceMetres == nil)
        }
    }

    @Test("An unclaimed tracker is deleted after a week of silence", arguments: Engine.allCases)
    func purge(engine: Engine) async throws {
        try await withTracker(engine) { fixture, _, _, _ in
            let free = try await FakeTracker(fixture)
            let calling = try await FakeTracker(fixture)
            fixture.clock.advance(seconds: Limits.unclaimedTrackerSeconds)
            _ = try await calling.call()
            fixture.clock.advance(seconds: 1)
            try await fixture.tracking.housekeeping.run()
            let forgotten = await refusal { _ = try await free.call() }
            #expect(forgotten?.code == .notFound)
            _ = try await calling.call()
            #expect(try await fixture.count("tracker") == 2)
        }
    }

    @Test("Simultaneous messages are processed one after the other", arguments: Engine.allCases)
    func concurrency(engine: Engine) async throws {
        try await withTracker(engine) { fixture, ada, item, tracker in
            let id = tracker.id.description
            let now = fixture.now
            let messages = try (0..<10).map { index in
                tracker.message(
                    phase: .active, fixes: [try tracker.fix(1, 2, at: now.adding(seconds: Int64(index)))]
                ).sealed
            }
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for message in messages {
                    group.addTask {
                        try await fixture.tracking.trackerMessages.receive(
                            id, body: message.body, signature: message.signature
                        )
                        .status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(statuses).isSubset(of: [200, 409]))
            let taken = statuses.filter { $0 == 200 }.count
            #expect(taken >= 1)
            #expect(try await fixture.fixes(of: item, for: ada).count == taken)
        }
    }
}
