import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Points that are given automatically")
struct AutomaticPointsTests {
    /// A household with a chore whose points are given automatically after two hours.
    private struct Home: Sendable {
        let fixture: FamilyFixture
        let ada: Actor
        let ben: Actor
        let kim: PersonID
        let chore: ID<Chore>

        init(_ fixture: FamilyFixture) async throws {
            self.fixture = fixture
            ada = try await fixture.parent()
            ben = try await fixture.parent("Ben", with: ada)
            kim = try await fixture.child("Kim", of: ada)
            chore = try await fixture.chore(of: ada)
            try await set(.set(2), by: ben)
        }

        func set(_ hours: Edit<Int64>, by parent: Actor) async throws {
            let changes = ChoreChanges(automaticHours: hours, automaticPoints: .set(2))
            _ = try await fixture.family.chores.update(chore, changes, by: Change(actor: parent))
        }

        @discardableResult
        func ask() async throws -> ChoreRequest {
            try await fixture.family.requests.create(chore, for: kim, by: Change(actor: fixture.asking(kim)))
        }

        func pass(hours: Int64, milliseconds: Int64 = 0) async throws {
            fixture.clock.advance(milliseconds: hours * 3_600_000 + milliseconds)
            try await fixture.family.housekeeping.run()
        }

        func assignments() async throws -> [Assignment] {
            try await fixture.family.assignments.list(of: kim, for: ada, after: nil, limit: 9).items
        }
    }

    @Test("A request counts once, when the hours are over", arguments: Engine.allCases)
    func once(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let asked = try await home.ask()
            #expect(asked.automaticAt == fixture.now.adding(seconds: 2 * 60 * 60))
            try await home.pass(hours: 2, milliseconds: -1)
            #expect(try await home.assignments().isEmpty)
            try await home.pass(hours: 0, milliseconds: 1)
            try await fixture.family.housekeeping.run()
            let made = try await home.assignments()
            #expect(made.map(\.points) == [2])
            #expect(made.map(\.isAutomatic) == [true])
            #expect(made.map(\.byName) == ["Ben"])
            #expect(try await fixture.count("family_request") == 0)
            #expect(try await fixture.notices().count { $0.kind == "choreRequested" } == 0)
            // What a parent undoes doesn't count again.
            try await fixture.family.assignments.undo(made[0].id, of: home.kim, by: Change(actor: home.ada))
            try await home.pass(hours: 3)
            #expect(try await fixture.points(home.kim, home.ada) == [0, 0, 0])
            try await fixture.checkPoints()
        }
    }

    @Test(
        "A changed time begins with the change, and open requests wait for a parent without one",
        arguments: Engine.allCases)
    func changed(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            try await home.ask()
            try await home.pass(hours: 1)
            try await home.set(.set(1), by: home.ada)
            // Another change of the chore doesn't postpone it.
            _ = try await fixture.family.chores.update(
                home.chore, ChoreChanges(name: .set("Bins")), by: Change(actor: home.ada))
            try await home.pass(hours: 1, milliseconds: -1)
            #expect(try await home.assignments().isEmpty)
            try await home.set(.clear, by: home.ada)
            try await home.pass(hours: 400)
            #expect(try await home.assignments().isEmpty)
            #expect(try await fixture.count("family_request") == 1)
            try await home.set(.set(168), by: home.ada)
            try await home.pass(hours: 168)
            #expect(try await home.assignments().map(\.name) == ["Bins"])
        }
    }

    @Test("Points that can't be given are postponed, and don't delay others", arguments: Engine.allCases)
    func postponed(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let asked = try await home.ask()
            let other = try await fixture.chore("Bins", of: home.ada)
            let changes = ChoreChanges(automaticHours: .set(2), automaticPoints: .set(1))
            _ = try await fixture.family.chores.update(other, changes, by: Change(actor: home.ada))
            _ = try await fixture.family.requests.create(
                other, for: home.kim, by: Change(actor: fixture.asking(home.kim)))
            // No chore has so many points, so the assignment can't be stored.
            let chore = home.chore
            try await fixture.database.write { tx in
                try tx.execute("UPDATE family_chore SET automatic_points = 9 WHERE id = \(chore)")
            }
            try await home.pass(hours: 2, milliseconds: 2)
            #expect(try await home.assignments().map(\.points) == [1])
            let waiting = try await fixture.family.requests.request(asked.id, of: home.kim, for: home.ada)
            #expect(waiting.automaticAt == fixture.now.adding(seconds: Limits.dueRetrySeconds))
            try await fixture.database.write { tx in
                try tx.execute("UPDATE family_chore SET automatic_points = 2 WHERE id = \(chore)")
            }
            try await home.pass(hours: 1)
            #expect(try await home.assignments().map(\.points).sorted() == [1, 2])
            try await fixture.checkPoints()
        }
    }

    @Test("If the parent who set it left, the parent who created the family stands for it", arguments: Engine.allCases)
    func left(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            try await home.ask()
            try await fixture.remove(home.ben.person, by: home.ben)
            try await home.pass(hours: 2)
            #expect(try await home.assignments().map(\.byName) == ["Ada"])
        }
    }

    @Test("A deleted child or chore gets no points", arguments: Engine.allCases)
    func deleted(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let family = fixture.family
            try await home.ask()
            try await family.childDeletions.delete(home.kim, by: Change(actor: home.ada))
            try await home.pass(hours: 2)
            #expect(try await fixture.count("family_assignment") == 0)
            _ = try await family.childDeletions.restore(home.kim, by: Change(actor: home.ada))
            try await family.chores.delete(home.chore, by: Change(actor: home.ada))
            try await home.pass(hours: 0, milliseconds: 1)
            #expect(try await fixture.count("family_assignment") == 0)
            _ = try await family.chores.restore(home.chore, by: Change(actor: home.ada))
            try await home.pass(hours: 0, milliseconds: 1)
            #expect(try await fixture.count("family_assignment") == 1)
            try await fixture.checkPoints()
        }
    }

    /// What a parent does at the moment at which the request's points are given automatically.
    enum Rival: CaseIterable { case approve, approveAll, decline, withdraw, secondJob }

    @Test("At the moment of a parent's decision, only one of them counts", arguments: Rival.allCases, Engine.allCases)
    func race(rival: Rival, engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let family = fixture.family
            for _ in 0..<Counts.races {
                let home = try await Home(fixture)
                let asked = try await home.ask().id
                fixture.clock.advance(seconds: 2 * 60 * 60)
                let change = Change(actor: home.ada)
                let codes = await together([
                    { try await family.housekeeping.run() },
                    {
                        switch rival {
                        case .approve:
                            _ = try await family.requestDecisions.approve(asked, of: home.kim, points: 3, by: change)
                        case .approveAll:
                            _ = try await family.requestDecisions.approve(all: [asked], points: 3, by: change)
                        case .decline: try await family.requestDecisions.decline(asked, of: home.kim, by: change)
                        case .withdraw:
                            try await family.requests.withdraw(
                                asked, of: home.kim, by: Change(actor: fixture.asking(home.kim)))
                        case .secondJob: try await family.housekeeping.run()
                        }
                    },
                ])
                #expect(codes[0] == nil)
                let made = try await home.assignments()
                switch rival {
                case .approve, .approveAll: #expect(made.map(\.points) == [codes[1] == nil ? 3 : 2])
                case .decline, .withdraw: #expect(made.map(\.points) == (codes[1] == nil ? [] : [2]))
                case .secondJob: #expect(made.map(\.points) == [2])
                }
                try await fixture.checkPoints()
            }
        }
    }

    @Test("The hours are 1 to 168 and the points 1 to 3, and they are set together", arguments: Engine.allCases)
    func rules(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            func fields(_ hours: Edit<Int64>, _ points: Edit<Int64>) async -> [String] {
                let changes = ChoreChanges(automaticHours: hours, automaticPoints: points)
                let error = await refusal {
                    _ = try await fixture.family.chores.update(home.chore, changes, by: Change(actor: home.ada))
                }
                return error?.fields.keys.sorted() ?? []
            }
            #expect(await fields(.set(0), .set(1)) == ["automaticHours"])
            #expect(await fields(.set(169), .set(1)) == ["automaticHours"])
            #expect(await fields(.set(1), .unchanged) == ["automaticPoints"])
            #expect(await fields(.set(1), .set(4)) == ["automaticPoints"])
            #expect(await fields(.set(1), .set(1)) == [])
            #expect(await fields(.clear, .set(9)) == [])
            let chore = try await fixture.family.chores.chore(home.chore, for: home.ada)
            #expect(chore.automatic == nil)
            // A child sets nothing.
            let child = await refusal {
                _ = try await fixture.family.chores.update(
                    home.chore, ChoreChanges(automaticHours: .set(1), automaticPoints: .set(3)),
                    by: Change(actor: fixture.asking(home.kim)))
            }
            #expect(child?.code == .forbidden)
        }
    }
}
