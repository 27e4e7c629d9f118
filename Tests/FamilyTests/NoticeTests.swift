import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Family

extension FamilyFixture {
    func notices() async throws -> [PostedNotification] { try await database.notices() }

    /// Returns the notifications of a kind.
    func notices(_ kind: NoticeKind) async throws -> [PostedNotification] {
        try await notices().filter { $0.kind == kind.rawValue }
    }
}

@Suite("Notifications of points and levels")
struct NoticeTests {
    @Test("A child is notified of each chore and its points, and a parent isn't", arguments: Engine.allCases)
    func assigned(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            _ = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(2, of: ada)
            let change = Change.keyed(ada, "/family/children/\(kim)/assignments", "k")
            _ = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: change)
            let told = try await fixture.notices(.choreAssigned)
            #expect(told.map(\.person) == [kim, kim])
            #expect(Set(told.map(\.subject)) == ["Chore 0", "Chore 1"])
            #expect(told.allSatisfy { $0.kind == "choreAssigned" && $0.resource == "/family/children/\(kim)" })
            #expect(told.allSatisfy { $0.details == ["points": "3", "child": "Kim"] })
            // A repeated request notifies no one again.
            _ = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: change)
            #expect(try await fixture.notices(.choreAssigned).count == 2)
            // A new assignment of the same chore notifies again.
            fixture.clock.advance(seconds: 1)
            _ = try await fixture.family.assignments.assign(.each([chores[0]], 1), to: kim, by: Change(actor: ada))
            #expect(try await fixture.notices(.choreAssigned).count == 3)
        }
    }

    @Test("An approved request notifies the child like any other assignment", arguments: Engine.allCases)
    func granted(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore("Dishes", of: ada)
            let request = try await fixture.family.requests.create(
                chore, for: kim, by: Change(actor: fixture.asking(kim)))
            #expect(try await fixture.notices(.choreAssigned).isEmpty)
            _ = try await fixture.family.requestDecisions.approve(
                request.id, of: kim, points: 2, by: Change(actor: ada))
            #expect(try await fixture.notices().map(\.details) == [["points": "2", "child": "Kim"]])
        }
    }

    @Test("A reached level notifies the child and the parents who didn't assign the chore", arguments: Engine.allCases)
    func level(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child(of: ada)
            _ = try await fixture.child("Lee", of: ada)
            let chores = try await fixture.chores(2, of: ada)
            _ = try await fixture.family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            _ = try await fixture.family.assignments.assign(.each([chores[0]], 2), to: kim, by: Change(actor: ada))
            #expect(try await fixture.notices().filter { $0.kind == "levelReached" }.isEmpty)
            // Two levels at once.
            let booked = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
            let told = try await fixture.notices().filter { $0.kind == "levelReached" }
            let expected = [kim, ben.person].flatMap { person in
                [("Ice cream", "1"), ("Cinema", "2")].map { reward, number in
                    PostedNotification(
                        person: person, kind: "levelReached", resource: "/family/children/\(kim)", subject: reward,
                        details: ["reward": reward, "child": "Kim", "level": number], at: fixture.now
                    )
                }
            }
            #expect(Set(told) == Set(expected))
            #expect(told.count == expected.count)
            // A level that is lost and reached again notifies again.
            fixture.clock.advance(seconds: 1)
            for assignment in booked {
                try await fixture.family.assignments.undo(assignment.id, of: kim, by: Change(actor: ben))
            }
            _ = try await fixture.family.assignments.assign(.each([chores[1]], 1), to: kim, by: Change(actor: ben))
            let again = try await fixture.notices().filter { $0.kind == "levelReached" }.dropFirst(told.count)
            #expect(Set(again.map(\.person)) == [kim, ada.person])
            #expect(again.allSatisfy { $0.subject == "Ice cream" })
        }
    }

    @Test("A failed request notifies no one", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(2, of: ada)
            try await fixture.family.chores.delete(chores[1], by: Change(actor: ada))
            let error = await refusal {
                _ = try await fixture.family.assignments.assign(.each(chores, 2), to: kim, by: Change(actor: ada))
            }
            #expect(error?.code == .conflict)
            #expect(try await fixture.notices().isEmpty)
        }
    }
}
