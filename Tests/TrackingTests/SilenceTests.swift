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
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let (item, secret) = try await house.tracked(of: ada)
            let other = try await house.item("Bag", of: ada).item.id
            let tracker = try await FakeTracker(house)
            try await tracker.activate(for: other, of: ada)
            _ = try await house.tracked("Never heard of", of: ada)
            try await house.osmand(secret, 1, 2)
            func told(_ id: ID<Item>) async throws -> Int {
                let path = "/tracking/items/\(id)"
                return try await house.events().filter { $0.kind == "command" && $0.resource == path }.count
            }
            // Two intervals of ten minutes. The tracker's commands expire in that time, too, and cause an event first.
            house.clock.advance(seconds: 2 * 600)
            try await house.service.housekeeping()
            let before = try await told(other)
            #expect(try await told(item) == 0)
            house.clock.advance(milliseconds: 1)
            for _ in 1...3 { try await house.service.housekeeping() }
            #expect(try await told(item) == 1)
            #expect(try await told(other) == before + 1)
            #expect(try await house.service.item(item, for: ada).isSilent)
            let versions = try await house.events().filter { $0.resource == "/tracking/items/\(item)" }.map(\.version)
            #expect(Set(versions.suffix(2)).count == 2)

            try await house.osmand(secret, 1, 3)
            try await house.service.housekeeping()
            #expect(try await told(item) == 1)
            house.clock.advance(seconds: 2 * 600 + 1)
            for _ in 1...2 { try await house.service.housekeeping() }
            #expect(try await told(item) == 2)
        }
    }

    @Test("A tracker that is off isn't silent, and the time of the turn-off is known", arguments: Engine.allCases)
    func off(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let item = try await house.item(of: ada).item.id
            let tracker = try await FakeTracker(house)
            try await tracker.activate(for: item, of: ada)
            let active = try await house.service.item(item, for: ada)
            #expect(active.tracker?.offSince == nil)
            house.clock.advance(seconds: 60)
            _ = try await house.service.command(item, kind: .off, by: Change(actor: ada))
            let asked = try await house.service.item(item, for: ada)
            #expect(asked.tracker?.offSince == nil)
            let downlink = try await tracker.call(phase: .active)
            let command = try #require(downlink.commands.first)
            house.clock.advance(seconds: 5)
            let since = house.now
            let done = Acknowledgement(id: command.id, result: .applied)
            _ = try await tracker.call(phase: .off, acknowledging: [done])
            let off = try await house.service.item(item, for: ada)
            #expect(off.tracker?.offSince == since)
            house.clock.advance(seconds: 60)
            _ = try await tracker.call(phase: .off)
            let later = try await house.service.item(item, for: ada)
            #expect(later.tracker?.offSince == since)
            let events = try await house.events().count
            house.clock.advance(seconds: 10_000)
            try await house.service.housekeeping()
            #expect(try await house.events().count == events)
            _ = try await tracker.call(phase: .active)
            let again = try await house.service.item(item, for: ada)
            #expect(again.tracker?.offSince == nil)
        }
    }
}
