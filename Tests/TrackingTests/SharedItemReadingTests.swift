import Accounts
import Kernel
import Notifications
import TestSupport
import Testing

@testable import Storage
@testable import Tracking

@Suite("Shared items: names and queries")
struct SharedItemReadingTests {
    /// Shares an item with new people, each with an own name of it.
    private func share(
        _ item: ID<Item>, _ access: ItemAccess, with count: Int, _ fixture: TrackingFixture
    ) async throws -> [Actor] {
        var people: [Actor] = []
        for number in 0..<count {
            let person = try await fixture.person("Guest \(number)")
            let now = fixture.now
            try await fixture.database.write { tx in
                try ItemMemberStore.insert(person.person, access, to: item, now: now, in: tx)
            }
            _ = try await fixture.tracking.itemMembers.updateMembership(
                of: item, ItemMembershipPatch(name: .set("Own \(number)")), by: Change(actor: person))
            people.append(person)
        }
        return people
    }

    /// The steps of SQLite's virtual machine in queries of phones' positions during `body`, by query.
    private func steps(
        _ database: Database, during body: () async throws -> Void
    ) async throws -> [String: Int64] {
        func counts() async throws -> [String: Int64] {
            try await database.write { tx in
                (tx.connection as? SQLiteSession)?.stepCounts.filter { $0.key.contains("phone_position") } ?? [:]
            }
        }
        let before = try await counts()
        try await body()
        return try await counts().reduce(into: [:]) { $0[$1.key] = $1.value - (before[$1.key] ?? 0) }
            .filter { $0.value > 0 }
    }

    @Test("A phone's position reads the phones of the people of all shared items with one query")
    func onePhoneQuery() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            func report(_ secrets: [String]) async throws -> [String: Int64] {
                for secret in secrets { try await fixture.item(secret, metres: 0) }
                fixture.clock.advance(seconds: 60)
                return try await steps(fixture.database) { try await fixture.phone(of: ada, metres: 1) }
            }
            let first = try await fixture.tracked("Bike", of: ada)
            _ = try await share(first.item, .see, with: 1, fixture)
            _ = try await report([first.secret])
            let few = try await report([first.secret])
            let second = try await fixture.tracked("Car", of: ada)
            for person in try await share(first.item, .see, with: 3, fixture)
                + share(second.item, .see, with: 3, fixture)
            {
                try await fixture.phone(of: person, metres: 2)
            }
            let many = try await report([first.secret, second.secret])
            #expect(many.count == few.count)
            // The query for one person's phones runs once, for the reporting person.
            let own = try #require(few.keys.first { $0.contains("ORDER BY at DESC") && !$0.contains("JOIN") })
            #expect(many[own] == few[own])
        }
    }

    @Test("Each person's notification has the person's own name of the item", arguments: Engine.allCases)
    func ownNames(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked("Bike", of: ada)
            let people = try await share(item, .manage, with: 2, fixture)
            try await fixture.osmand(secret, 1, 2, at: fixture.now, ["batt": "10"])
            func subjects(_ kind: NoticeKind) async throws -> [PersonID: String] {
                let notices = try await fixture.notices().filter { $0.kind == kind.rawValue }
                return Dictionary(notices.map { ($0.person, $0.subject) }) { _, last in last }
            }
            let names = [ada.person: "Bike", people[0].person: "Own 0", people[1].person: "Own 1"]
            #expect(try await subjects(.batteryLow) == names)
            let owned = try #require(try await fixture.database.read { tx in try ItemStore.served(item, in: tx) })
            let recipients = try await fixture.database.read { tx in try ItemAudience.people(of: owned, in: tx) }
            #expect(Set(recipients.map(\.itemName)) == ["Bike", "Own 0", "Own 1"])
            fixture.clock.advance(seconds: 60)
            try await fixture.tracking.itemMembers.remove(
                people[0].person, from: item, by: Change(actor: ada))
            #expect(try await subjects(.itemShared) == [people[0].person: "Own 0", people[1].person: "Own 1"])
            fixture.clock.advance(seconds: 60)
            try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: ada))
            #expect(try await subjects(.itemShared)[people[1].person] == "Own 1")
        }
    }

    @Test("Only people who manage an item read its lost mode", arguments: ItemAccess.grantable)
    func lostMode(access: ItemAccess) async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let guest = try await share(item, access, with: 1, fixture)[0]
            _ = try await fixture.tracking.lostModes.turnOn(
                item, LostModeInput(message: "Call me", contact: "", showsPhoto: false), by: Change(actor: ada))
            let details = try await fixture.tracking.itemDetails.details(of: item, for: guest, fixes: 1)
            #expect((details.lostMode != nil) == (access == .manage))
        }
    }
}
