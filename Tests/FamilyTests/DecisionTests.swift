import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Decisions about requests")
struct DecisionTests {
    /// Returns the reasons that a child sees on its page.
    private func reasons(_ child: PersonID, _ fixture: FamilyFixture) async throws -> [String?] {
        try await fixture.family.children.details(of: child, for: fixture.asking(child)).declined.map(\.reason)
    }

    @Test(
        "A child sees why a request was declined until it asks again or gets the points, for three days at most",
        arguments: Engine.allCases)
    func declined(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let family = fixture.family
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let lee = try await fixture.child("Lee", of: ada)
            let chores = try await fixture.chores(2, of: ada)
            func ask(_ chore: ID<Chore>) async throws -> ID<ChoreRequest> {
                fixture.clock.advance(seconds: 1)
                return try await family.requests.create(chore, for: kim, by: Change(actor: fixture.asking(kim))).id
            }
            func decline(_ chore: ID<Chore>, _ reason: String?) async throws {
                try await family.requestDecisions.decline(
                    try await ask(chore), of: kim, reason: reason, by: Change(actor: ada))
            }
            try await decline(chores[0], "Still wet")
            let shown = try await family.children.details(of: kim, for: fixture.asking(kim)).declined
            #expect(shown.map(\.choreID) == [chores[0]])
            #expect(shown.map(\.byName) == ["Ada"])
            // A sibling doesn't see it.
            #expect(try await family.children.details(of: kim, for: fixture.asking(lee)).declined.isEmpty)

            // Another request for the chore, or the points for it, end it.
            let again = try await ask(chores[0])
            #expect(try await reasons(kim, fixture) == [])
            try await family.requestDecisions.decline(again, of: kim, reason: "Wet again", by: Change(actor: ada))
            #expect(try await reasons(kim, fixture) == ["Wet again"])
            _ = try await family.assignments.assign(.each([chores[1]], 1), to: kim, by: Change(actor: ada))
            #expect(try await reasons(kim, fixture) == ["Wet again"])
            _ = try await family.assignments.assign(.each([chores[0]], 1), to: kim, by: Change(actor: ada))
            #expect(try await reasons(kim, fixture) == [])

            try await decline(chores[1], nil)
            fixture.clock.advance(milliseconds: Limits.declinedRequestSeconds * 1_000 - 1)
            try await family.housekeeping.run()
            #expect(try await reasons(kim, fixture) == [nil])
            fixture.clock.advance(milliseconds: 1)
            #expect(try await reasons(kim, fixture) == [])
            try await family.housekeeping.run()
            #expect(try await fixture.count("family_declined_request") == 0)
        }
    }

    @Test("A declined request is deleted with its child and its chore", arguments: Engine.allCases)
    func deleted(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let family = fixture.family
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let lee = try await fixture.child("Lee", of: ada)
            let chore = try await fixture.chore(of: ada)
            for child in [kim, lee] {
                let asked = try await family.requests.create(
                    chore, for: child, by: Change(actor: fixture.asking(child)))
                try await family.requestDecisions.decline(asked.id, of: child, by: Change(actor: ada))
            }
            try await fixture.database.write { tx in try fixture.dataHandler.erase(kim, in: tx) }
            #expect(try await fixture.count("family_declined_request") == 1)
            try await family.chores.delete(chore, by: Change(actor: ada))
            fixture.clock.advance(seconds: Limits.familyUndoSeconds + 1)
            try await family.housekeeping.run()
            #expect(try await fixture.count("family_declined_request") == 0)
        }
    }

    /// A household with open requests.
    private struct Waiting: Sendable {
        let ada: Actor
        let ben: Actor
        let kim: PersonID
        let lee: PersonID
        let chores: [ID<Chore>]
        /// Two of Kim, then two of Lee.
        let requests: [ID<ChoreRequest>]

        init(_ fixture: FamilyFixture) async throws {
            ada = try await fixture.parent()
            ben = try await fixture.parent("Ben", with: ada)
            kim = try await fixture.child("Kim", of: ada)
            lee = try await fixture.child("Lee", of: ada)
            chores = try await fixture.chores(2, of: ada)
            var requests: [ID<ChoreRequest>] = []
            for child in [kim, lee] {
                for chore in chores {
                    requests.append(
                        try await fixture.family.requests.create(
                            chore, for: child, by: Change(actor: fixture.asking(child))
                        ).id)
                }
            }
            self.requests = requests
        }
    }

    @Test("Several requests are approved at once, once, and also of several children", arguments: Engine.allCases)
    func several(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let family = fixture.family
            let home = try await Waiting(fixture)
            _ = try await family.contracts.create(
                for: home.kim, FamilyFixture.tenPoints, by: Change(actor: home.ada))
            let change = Change.keyed(home.ada, "/family/requests/approvals", "k")
            let chosen = Array(home.requests.prefix(3))
            let made = try await family.requestDecisions.approve(all: chosen + chosen, points: 2, by: change)
            #expect(made.map(\.points) == [2, 2, 2])
            // The same request again approves nothing more.
            #expect(try await family.requestDecisions.approve(all: chosen, points: 2, by: change) == made)
            #expect(try await fixture.points(home.kim, home.ada) == [4, 4, 1])
            #expect(try await fixture.points(home.lee, home.ada) == [0, 2, 0])
            let left = try await family.requests.waiting(for: home.ben, after: nil)
            #expect(left.page.items.map(\.id) == [home.requests[3]])
            #expect(left.children.map(\.name) == ["Lee"])
            try await fixture.checkPoints()
        }
    }

    @Test("If one of several requests can't be approved, none is", arguments: Engine.allCases)
    func allOrNone(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let family = fixture.family
            let home = try await Waiting(fixture)
            let eve = try await fixture.parent("Eve")
            try await family.requestDecisions.decline(home.requests[3], of: home.lee, by: Change(actor: home.ben))
            func refused(_ ids: [ID<ChoreRequest>], _ points: Int64? = 2, by actor: Actor) async -> AppError? {
                await refusal {
                    _ = try await family.requestDecisions.approve(all: ids, points: points, by: Change(actor: actor))
                }
            }
            #expect(await refused(home.requests, by: home.ada)?.code == .conflict)
            #expect(await refused([home.requests[0]], by: eve)?.code == .conflict)
            #expect(await refused([home.requests[0]], by: fixture.asking(home.kim))?.code == .forbidden)
            #expect(await refused([], 4, by: home.ada)?.fields.keys.sorted() == ["points", "requestIds"])
            let tooMany = (0...Limits.assignmentEntries).map { _ in
                ID<ChoreRequest>(at: fixture.now, random: fixture.random)
            }
            #expect(await refused(tooMany, by: home.ada)?.fields.keys.sorted() == ["requestIds"])
            #expect(try await fixture.count("family_assignment") == 0)
            #expect(try await fixture.count("family_request") == 3)
            // The list is for parents.
            let child = await refusal {
                _ = try await family.requests.waiting(for: fixture.asking(home.kim), after: nil)
            }
            #expect(child?.code == .forbidden)
        }
    }

    @Test("Two parents who approve the same requests at once give the points once", arguments: Engine.allCases)
    func severalTwice(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let family = fixture.family
            for _ in 0..<Counts.races {
                let home = try await Waiting(fixture)
                let codes = await together([
                    {
                        _ = try await family.requestDecisions.approve(
                            all: home.requests, points: 1, by: Change(actor: home.ada))
                    },
                    {
                        _ = try await family.requestDecisions.approve(
                            all: Array(home.requests.suffix(2)), points: 1, by: Change(actor: home.ben))
                    },
                    {
                        _ = try await family.requestDecisions.approve(
                            home.requests[3], of: home.lee, points: 1, by: Change(actor: home.ben))
                    },
                ])
                #expect(codes.count { $0 == nil } == 1, "\(codes)")
                #expect(try await fixture.points(home.lee, home.ada)[1] == (codes[2] == nil ? 1 : 2))
                try await fixture.checkPoints()
            }
        }
    }
}
