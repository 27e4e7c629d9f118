import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Assignments and requests")
struct AssignmentTests {
    @Test("Assignments of several chores are listed newest first with name and picture", arguments: Engine.allCases)
    func booked(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(3, of: ada)
            let told = try await fixture.told {
                let made = try await fixture.family.assignments.assign(
                    .each(chores, 3), to: kim, by: Change(actor: ada))
                #expect(made.map(\.choreID) == chores)
                #expect(made.map(\.name) == ["Chore 0", "Chore 1", "Chore 2"])
                #expect(made.map(\.points) == [3, 3, 3])
                #expect(made.map(\.byName) == ["Ada", "Ada", "Ada"])
            }
            #expect(told == [ada.person, kim].reduce(into: [:]) { $0[$1] = ["assignment /family/children/\(kim)"] })
            fixture.clock.advance(seconds: 1)
            _ = try await fixture.family.assignments.assign(.each([chores[1]], 1), to: kim, by: Change(actor: ada))
            let listed = try await fixture.family.assignments.list(
                of: kim, for: fixture.asking(kim), after: nil, limit: 2)
            #expect(listed.items.map(\.name) == ["Chore 1", "Chore 2"])
            let rest = try await fixture.family.assignments.list(of: kim, for: ada, after: listed.next, limit: 2)
            #expect(rest.items.map(\.name) == ["Chore 1", "Chore 0"])
            #expect(rest.next == nil)
            #expect(try await fixture.points(kim, ada) == [0, 10, 0])
            try await fixture.checkPoints()
        }
    }

    @Test("A request with a deleted chore creates no assignments at all", arguments: Engine.allCases)
    func stalePage(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(3, of: ada)
            try await fixture.family.chores.delete(chores[1], by: Change(actor: ben))
            let change = Change.keyed(ada, "/family/children/\(kim)/assignments", "k")
            let error = await refusal {
                _ = try await fixture.family.assignments.assign(.each(chores, 2), to: kim, by: change)
            }
            #expect(error?.code == .conflict)
            #expect(error.map { Array($0.fields.keys) } == ["chores.1.choreId"])
            #expect(try await fixture.count("family_assignment") == 0)
            #expect(try await fixture.points(kim, ada) == [0, 0, 0])
            // After the chore is restored, the same request succeeds.
            _ = try await fixture.family.chores.restore(chores[1], by: Change(actor: ben))
            _ = try await fixture.family.assignments.assign(.each(chores, 2), to: kim, by: change)
            #expect(try await fixture.points(kim, ada) == [0, 6, 0])
            try await fixture.checkPoints()
        }
    }

    @Test("Another household's chore gets 409 and another household's child gets 404", arguments: Engine.allCases)
    func otherFamily(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let eve = try await fixture.parent("Eve")
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(1, of: ada)
            let otherChores = try await fixture.chores(1, of: eve)
            let error = await refusal {
                _ = try await fixture.family.assignments.assign(
                    .each(chores + otherChores, 1), to: kim, by: Change(actor: ada))
            }
            #expect(error?.code == .conflict)
            #expect(error?.fields["chores.1.choreId"] != nil)
            let stranger = await refusal {
                _ = try await fixture.family.assignments.assign(.each(otherChores, 1), to: kim, by: Change(actor: eve))
            }
            #expect(stranger?.code == .notFound)
            #expect(try await fixture.points(kim, ada) == [0, 0, 0])
        }
    }

    @Test("The same request sent three times creates the assignments once", arguments: Engine.allCases)
    func threeTimes(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(3, of: ada)
            let change = Change.keyed(ada, "/family/children/\(kim)/assignments", "k")
            var answers: Set<[ID<Assignment>]> = []
            for _ in 0..<3 {
                let made = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: change)
                answers.insert(made.map(\.id))
            }
            #expect(answers.count == 1)
            #expect(try await fixture.points(kim, ada) == [0, 9, 0])
            let other = Change.keyed(ada, "/family/children/\(kim)/assignments", "k", body: "another")
            let error = await refusal {
                _ = try await fixture.family.assignments.assign(.each(chores, 1), to: kim, by: other)
            }
            #expect(error?.code == .conflict)
            try await fixture.checkPoints()
        }
    }

    @Test("An undone assignment stays listed, lowers the points and can't be undone again", arguments: Engine.allCases)
    func undo(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let chores = try await fixture.chores(2, of: ada)
            let made = try await fixture.family.assignments.assign(.each(chores, 2), to: kim, by: Change(actor: ada))
            let change = Change.keyed(ada, "/family/children/\(kim)/assignments/\(made[0].id)", "k")
            let sibling = await refusal {
                try await fixture.family.assignments.undo(made[0].id, of: leo, by: Change(actor: ada))
            }
            #expect(sibling?.code == .notFound)
            try await fixture.family.assignments.undo(made[0].id, of: kim, by: change)
            try await fixture.family.assignments.undo(made[0].id, of: kim, by: change)
            let again = await refusal {
                try await fixture.family.assignments.undo(made[0].id, of: kim, by: Change(actor: ada))
            }
            #expect(again?.code == .notFound)
            #expect(try await fixture.points(kim, ada) == [0, 2, 0])
            let listed = try await fixture.family.assignments.list(of: kim, for: ada, after: nil, limit: 10).items
            #expect(listed.count == 2)
            #expect(listed.first { $0.id == made[0].id }?.reversedAt == fixture.now)
            try await fixture.checkPoints()
        }
    }

    @Test("An assignment keeps the name and picture of a chore that is changed or deleted", arguments: Engine.allCases)
    func cards(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore("Dishes", of: ada)
            let picture = try await fixture.family.chores.chore(chore, for: ada).pictureID
            _ = try await fixture.family.assignments.assign(.each([chore], 1), to: kim, by: Change(actor: ada))
            let another = try await fixture.picture(of: ada.person)
            let changes = ChoreChanges(name: .set("Laundry"), pictureID: .set(another))
            _ = try await fixture.family.chores.update(chore, changes, by: Change(actor: ada))
            func card() async throws -> Assignment? {
                let page = try await fixture.family.assignments.list(of: kim, for: ada, after: nil, limit: 1)
                return page.items.first
            }
            #expect(try await card()?.name == "Dishes")
            #expect(try await card()?.pictureID == picture)
            #expect(try await card()?.choreID == chore)
            try await fixture.family.chores.delete(chore, by: Change(actor: ada))
            #expect(try await card()?.choreID == nil)
            fixture.clock.advance(seconds: Limits.familyUndoSeconds + 1)
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.count("family_chore") == 0)
            let last = try await card()
            #expect(last?.name == "Dishes")
            #expect(last?.pictureID == picture)
            #expect(last?.choreID == nil)
        }
    }

    @Test("A parent approves or declines a child's request", arguments: Engine.allCases)
    func requests(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let chores = try await fixture.chores(2, of: ada)
            let asking = fixture.asking(kim)
            var request: ChoreRequest?
            let told = try await fixture.told {
                request = try await fixture.family.requests.create(chores[0], for: kim, by: Change(actor: asking))
            }
            #expect(
                told == [ada.person, kim].reduce(into: [:]) { $0[$1] = ["request /family/children/\(kim)"] })
            let first = try #require(request)
            #expect(first.name == "Chore 0")
            let twice = await refusal {
                _ = try await fixture.family.requests.create(chores[0], for: kim, by: Change(actor: asking))
            }
            #expect(twice?.code == .conflict)
            fixture.clock.advance(milliseconds: 1)
            let second = try await fixture.family.requests.create(chores[1], for: kim, by: Change(actor: asking))
            #expect(try await fixture.points(kim, ada) == [0, 0, 0])
            let all = try await fixture.family.requests.list(of: nil, for: ada, after: nil, limit: 10).items
            #expect(all.map(\.id) == [first.id, second.id])
            let own = try await fixture.family.requests.list(of: nil, for: asking, after: nil, limit: 10).items
            #expect(own == all)
            let siblings = try await fixture.family.requests.list(
                of: nil, for: fixture.asking(leo), after: nil, limit: 10)
            #expect(siblings.items.isEmpty)
            for points in [nil, 0, 4] as [Int64?] {
                let error = await refusal {
                    _ = try await fixture.family.requestDecisions.approve(
                        first.id, of: kim, points: points, by: Change(actor: ada))
                }
                #expect(error?.fields["points"] != nil)
            }
            let card = try await fixture.family.requestDecisions.approve(
                first.id, of: kim, points: 3, by: Change(actor: ada))
            #expect(card.name == "Chore 0")
            #expect(card.points == 3)
            try await fixture.family.requestDecisions.decline(second.id, of: kim, by: Change(actor: ada))
            for id in [first.id, second.id] {
                let error = await refusal {
                    _ = try await fixture.family.requestDecisions.approve(
                        id, of: kim, points: 1, by: Change(actor: ada))
                }
                #expect(error?.code == .notFound)
            }
            #expect(try await fixture.points(kim, ada) == [0, 3, 0])
            try await fixture.checkPoints()
        }
    }

    @Test("A request needs an existing chore when it is created and when it is approved", arguments: Engine.allCases)
    func goneRequests(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let eve = try await fixture.parent("Eve")
            let kim = try await fixture.child(of: ada)
            let asking = fixture.asking(kim)
            let chores = try await fixture.chores(2, of: ada)
            let otherChore = try await fixture.chore(of: eve)
            try await fixture.family.chores.delete(chores[1], by: Change(actor: ada))
            for chore in [chores[1], otherChore] {
                let error = await refusal {
                    _ = try await fixture.family.requests.create(chore, for: kim, by: Change(actor: asking))
                }
                #expect(error?.code == .conflict)
                #expect(error?.fields["choreId"] != nil)
            }
            let missing = await refusal {
                _ = try await fixture.family.requests.create(nil, for: kim, by: Change(actor: asking))
            }
            #expect(missing?.fields["choreId"] != nil)
            let request = try await fixture.family.requests.create(chores[0], for: kim, by: Change(actor: asking))
            try await fixture.family.chores.delete(chores[0], by: Change(actor: ada))
            #expect(try await fixture.family.requests.list(of: kim, for: ada, after: nil, limit: 10).items.isEmpty)
            let late = await refusal {
                _ = try await fixture.family.requestDecisions.approve(
                    request.id, of: kim, points: 2, by: Change(actor: ada))
            }
            #expect(late?.code == .conflict)
            #expect(try await fixture.points(kim, ada) == [0, 0, 0])
        }
    }
}
