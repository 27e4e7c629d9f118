import Accounts
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Silent trackers and trackers that are off")
struct SilenceTests {
    @Test("Housekeeping announces a silence once", arguments: Engine.allCases)
    func toldOnce(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let other = try await fixture.item("Bag", of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: other, of: ada)
            _ = try await fixture.tracked("Never heard of", of: ada)
            try await fixture.osmand(secret, 1, 2)
            func told(_ id: ID<Item>) async throws -> Int {
                let path = "/tracking/items/\(id)"
                return try await fixture.events().filter { $0.kind == "command" && $0.resource == path }.count
            }
            // Two intervals of ten minutes. The tracker's commands expire in that time, too, and cause an event first.
            fixture.clock.advance(seconds: 2 * 600)
            try await fixture.tracking.housekeeping.run()
            let before = try await told(other)
            #expect(try await told(item) == 0)
            fixture.clock.advance(milliseconds: 1)
            for _ in 1...3 { try await fixture.tracking.housekeeping.run() }
            #expect(try await told(item) == 1)
            #expect(try await told(other) == before + 1)
            #expect(try await fixture.tracking.items.item(item, for: ada).isSilent)
            let versions = try await fixture.events().filter { $0.resource == "/tracking/items/\(item)" }.map(\.version)
            #expect(Set(versions.suffix(2)).count == 2)

            try await fixture.osmand(secret, 1, 3)
            try await fixture.tracking.housekeeping.run()
            #expect(try await told(item) == 1)
            fixture.clock.advance(seconds: 2 * 600 + 1)
            for _ in 1...2 { try await fixture.tracking.housekeeping.run() }
            #expect(try await told(item) == 2)
        }
    }

    @Test("A tracker that is off isn't silent, and the time of the turn-off is known", arguments: Engine.allCases)
    func off(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            let active = try await fixture.tracking.items.item(item, for: ada)
            #expect(active.tracker?.offSince == nil)
            fixture.clock.advance(seconds: 60)
            _ = try await fixture.tracking.commands.create(item, kind: .off, by: Change(actor: ada))
            let asked = try await fixture.tracking.items.item(item, for: ada)
            #expect(asked.tracker?.offSince == nil)
            let downlink = try await tracker.call(phase: .active)
            let command = try #require(downlink.commands.first)
            fixture.clock.advance(seconds: 5)
            let since = fixture.now
            let done = Acknowledgement(id: command.id, result: .applied)
            _ = try await tracker.call(phase: .off, acknowledging: [done])
            let off = try await fixture.tracking.items.item(item, for: ada)
            #expect(off.tracker?.offSince == since)
            fixture.clock.advance(seconds: 60)
            _ = try await tracker.call(phase: .off)
            let later = try await fixture.tracking.items.item(item, for: ada)
            #expect(later.tracker?.offSince == since)
            let events = try await fixture.events().count
            fixture.clock.advance(seconds: 10_000)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.events().count == events)
            _ = try await tracker.call(phase: .active)
            let again = try await fixture.tracking.items.item(item, for: ada)
            #expect(again.tracker?.offSince == nil)
        }
    }
}
