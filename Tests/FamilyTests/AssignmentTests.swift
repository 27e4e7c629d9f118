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
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let kim = try await house.child(of: ada)
            let chores = try await house.chores(3, of: ada)
            let told = try await house.told {
                let made = try await house.service.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
                #expect(made.map(\.choreID) == chores)
                #expect(made.map(\.name) == ["Chore 0", "Chore 1", "Chore 2"])
                #expect(made.map(\.points) == [3, 3, 3])
                #expect(made.map(\.byName) == ["Ada", "Ada", "Ada"])
            }
            #expect(told == [ada.person, kim].reduce(into: [:]) { $0[$1] = ["assignment /family/children/\(kim)"] })
            house.clock.advance(seconds: 1)
            _ = try await house.service.assign(.each([chores[1]], 1), to: kim, by: Change(actor: ada))
            let listed = try await house.service.assignments(of: kim, for: house.asking(kim), after: nil, limit: 2)
            #expect(listed.items.map(\.name) == ["Chore 1", "Chore 2"])
            let rest = try await house.service.assignments(of: kim, for: ada, after: listed.next, limit: 2)
            #expect(rest.items.map(\.name) == ["Chore 1", "Chore 0"])
            #expect(rest.next == nil)
            #expect(try await house.points(kim, ada) == [0, 10, 0])
            try await house.checkPoints()
        }
    }

    @Test("A request with a deleted chore creates no assignments at all", arguments: Engine.allCases)
    func stalePage(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let ben = try await house.parent("Ben", with: ada)
            let kim = try await house.child(of: ada)
            let chores = try await house.chores(3, of: ada)
            try await house.service.deleteChore(chores[1], by: Change(actor: ben))
            let change = Change.keyed(ada, "/family/children/\(kim)/assignments", "k")
            let error = await refusal { _ = try await house.service.assign(.each(chores, 2), to: kim, by: change) }
            #expect(error?.code == .conflict)
            #expect(error.map { Array($0.fields.keys) } == ["chores.1.choreId"])
            #expect(try await house.count("family_assignment") == 0)
            #expect(try await house.points(kim, ada) == [0, 0, 0])
            // After the chore is restored, the same request succeeds.
            _ = try await house.service.restoreChore(chores[1], by: Change(actor: ben))
            _ = try await house.service.assign(.each(chores, 2), to: kim, by: change)
            #expect(try await house.points(kim, ada) == [0, 6, 0])
            try await house.checkPoints()
        }
    }

    @Test("Another household's chore gets 409 and another household's child gets 404", arguments: Engine.allCases)
    func otherFamily(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let eve = try await house.parent("Eve")
            let kim = try await house.child(of: ada)
            let chores = try await house.chores(1, of: ada)
            let foreign = try await house.chores(1, of: eve)
            let error = await refusal {
                _ = try await house.service.assign(.each(chores + foreign, 1), to: kim, by: Change(actor: ada))
            }
            #expect(error?.code == .conflict)
            #expect(error?.fields["chores.1.choreId"] != nil)
            let stranger = await refusal {
                _ = try await house.service.assign(.each(foreign, 1), to: kim, by: Change(actor: eve))
            }
            #expect(stranger?.code == .notFound)
            #expect(try await house.points(kim, ada) == [0, 0, 0])
        }
    }

    @Test("The same request sent three times creates the assignments once", arguments: Engine.allCases)
    func threeTimes(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let kim = try await house.child(of: ada)
            let chores = try await house.chores(3, of: ada)
            let change = Change.keyed(ada, "/family/children/\(kim)/assignments", "k")
            var answers: Set<[ID<Assignment>]> = []
            for _ in 0..<3 {
                let made = try await house.service.assign(.each(chores, 3), to: kim, by: change)
                answers.insert(made.map(\.id))
            }
            #expect(answers.count == 1)
            #expect(try await house.points(kim, ada) == [0, 9, 0])
            let other = Change.keyed(ada, "/family/children/\(kim)/assignments", "k", body: "another")
            let error = await refusal { _ = try await house.service.assign(.each(chores, 1), to: kim, by: other) }
            #expect(error?.code == .conflict)
            try await house.checkPoints()
        }
    }

    @Test("An undone assignment stays listed, lowers the points and can't be undone again", arguments: Engine.allCases)
    func undo(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let kim = try await house.child(of: ada)
            let leo = try await house.child("Leo", of: ada)
            let chores = try await house.chores(2, of: ada)
            let made = try await house.service.assign(.each(chores, 2), to: kim, by: Change(actor: ada))
            let change = Change.keyed(ada, "/family/children/\(kim)/assignments/\(made[0].id)", "k")
            let sibling = await refusal {
                try await house.service.undo(made[0].id, of: leo, by: Change(actor: ada))
            }
            #expect(sibling?.code == .notFound)
            try await house.service.undo(made[0].id, of: kim, by: change)
            try await house.service.undo(made[0].id, of: kim, by: change)
            let again = await refusal { try await house.service.undo(made[0].id, of: kim, by: Change(actor: ada)) }
            #expect(again?.code == .notFound)
            #expect(try await house.points(kim, ada) == [0, 2, 0])
            let listed = try await house.service.assignments(of: kim, for: ada, after: nil, limit: 10).items
            #expect(listed.count == 2)
            #expect(listed.first { $0.id == made[0].id }?.reversedAt == house.now)
            try await house.checkPoints()
        }
    }

    @Test("An assignment keeps the name and picture of a chore that is changed or deleted", arguments: Engine.allCases)
    func cards(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let kim = try await house.child(of: ada)
            let chore = try await house.chore("Dishes", of: ada)
            let picture = try await house.service.chore(chore, for: ada).pictureID
            _ = try await house.service.assign(.each([chore], 1), to: kim, by: Change(actor: ada))
            let another = try await house.picture(of: ada.person)
            let changes = ChoreChanges(name: .set("Laundry"), pictureID: .set(another))
            _ = try await house.service.updateChore(chore, changes, by: Change(actor: ada))
            func card() async throws -> Assignment? {
                let page = try await house.service.assignments(of: kim, for: ada, after: nil, limit: 1)
                return page.items.first
            }
            #expect(try await card()?.name == "Dishes")
            #expect(try await card()?.pictureID == picture)
            #expect(try await card()?.choreID == chore)
            try await house.service.deleteChore(chore, by: Change(actor: ada))
            #expect(try await card()?.choreID == nil)
            house.clock.advance(seconds: 601)
            try await house.service.housekeeping()
            #expect(try await house.count("family_chore") == 0)
            let last = try await card()
            #expect(last?.name == "Dishes")
            #expect(last?.pictureID == picture)
            #expect(last?.choreID == nil)
        }
    }

    @Test("A parent approves or declines a child's request", arguments: Engine.allCases)
    func requests(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let kim = try await house.child(of: ada)
            let leo = try await house.child("Leo", of: ada)
            let chores = try await house.chores(2, of: ada)
            let asking = house.asking(kim)
            var request: ChoreRequest?
            let told = try await house.told {
                request = try await house.service.request(chores[0], of: kim, by: Change(actor: asking))
            }
            #expect(
                told == [ada.person, kim].reduce(into: [:]) { $0[$1] = ["request /family/children/\(kim)"] })
            let first = try #require(request)
            #expect(first.name == "Chore 0")
            let twice = await refusal {
                _ = try await house.service.request(chores[0], of: kim, by: Change(actor: asking))
            }
            #expect(twice?.code == .conflict)
            house.clock.advance(milliseconds: 1)
            let second = try await house.service.request(chores[1], of: kim, by: Change(actor: asking))
            #expect(try await house.points(kim, ada) == [0, 0, 0])
            let all = try await house.service.requests(of: nil, for: ada, after: nil, limit: 10).items
            #expect(all.map(\.id) == [first.id, second.id])
            let own = try await house.service.requests(of: nil, for: asking, after: nil, limit: 10).items
            #expect(own == all)
            let siblings = try await house.service.requests(of: nil, for: house.asking(leo), after: nil, limit: 10)
            #expect(siblings.items.isEmpty)
            for points in [nil, 0, 4] as [Int64?] {
                let error = await refusal {
                    _ = try await house.service.approve(first.id, of: kim, points: points, by: Change(actor: ada))
                }
                #expect(error?.fields["points"] != nil)
            }
            let card = try await house.service.approve(first.id, of: kim, points: 3, by: Change(actor: ada))
            #expect(card.name == "Chore 0")
            #expect(card.points == 3)
            try await house.service.decline(second.id, of: kim, by: Change(actor: ada))
            for id in [first.id, second.id] {
                let error = await refusal {
                    _ = try await house.service.approve(id, of: kim, points: 1, by: Change(actor: ada))
                }
                #expect(error?.code == .notFound)
            }
            #expect(try await house.points(kim, ada) == [0, 3, 0])
            try await house.checkPoints()
        }
    }

    @Test("A request needs an existing chore when it is created and when it is approved", arguments: Engine.allCases)
    func goneRequests(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let eve = try await house.parent("Eve")
            let kim = try await house.child(of: ada)
            let asking = house.asking(kim)
            let chores = try await house.chores(2, of: ada)
            let foreign = try await house.chore(of: eve)
            try await house.service.deleteChore(chores[1], by: Change(actor: ada))
            for chore in [chores[1], foreign] {
                let error = await refusal {
                    _ = try await house.service.request(chore, of: kim, by: Change(actor: asking))
                }
                #expect(error?.code == .conflict)
                #expect(error?.fields["choreId"] != nil)
            }
            let missing = await refusal {
                _ = try await house.service.request(nil, of: kim, by: Change(actor: asking))
            }
            #expect(missing?.fields["choreId"] != nil)
            let request = try await house.service.request(chores[0], of: kim, by: Change(actor: asking))
            try await house.service.deleteChore(chores[0], by: Change(actor: ada))
            #expect(try await house.service.requests(of: kim, for: ada, after: nil, limit: 10).items.isEmpty)
            let late = await refusal {
                _ = try await house.service.approve(request.id, of: kim, points: 2, by: Change(actor: ada))
            }
            #expect(late?.code == .conflict)
            #expect(try await house.points(kim, ada) == [0, 0, 0])
        }
    }
}
