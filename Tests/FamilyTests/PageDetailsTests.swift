import Accounts
import Kernel
import TestSupport
import Testing

@testable import Family

/// The data that pages read in one transaction.
@Suite("Family: data of pages")
struct PageDetailsTests {
    @Test("A dashboard has the parent, the children, and each child's open requests", arguments: Engine.allCases)
    func dashboard(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let chore = try await fixture.chore(of: ada)
            let change = Change(actor: fixture.asking(leo))
            let request = try await fixture.family.requests.create(chore, for: leo, by: change)
            let dashboard = try await fixture.family.households.dashboard(for: ada, after: nil)
            #expect(dashboard.me.id == ada.person)
            #expect(dashboard.children.items.map(\.id) == [kim, leo])
            #expect(dashboard.requests == [leo: [request]])
            let rest = try await fixture.family.households.dashboard(for: ada, after: kim.description)
            #expect(rest.children.items.map(\.id) == [leo])
            let child = await refusal {
                _ = try await fixture.family.households.dashboard(for: fixture.asking(kim), after: nil)
            }
            #expect(child?.code == .forbidden)
        }
    }

    @Test("A child's page has requests and chores for its parents and itself, but not for a sibling")
    func child() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let chores = try await fixture.chores(2, of: ada)
            let change = Change(actor: fixture.asking(leo))
            let request = try await fixture.family.requests.create(chores[0], for: leo, by: change)
            _ = try await fixture.family.assignments.assign(.each(chores, 1), to: leo, by: Change(actor: ada))
            for (actor, isSibling) in [(ada, false), (fixture.asking(leo), false), (fixture.asking(kim), true)] {
                let details = try await fixture.family.children.details(of: leo, for: actor)
                #expect(details.child.id == leo)
                #expect(details.assignments.items.count == 2)
                #expect(details.requests == (isSibling ? [] : [request]))
                #expect(details.chores.map(\.id) == (isSibling ? [] : chores))
            }
        }
    }

    @Test("An account page shows whether children can be restored")
    func account() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let before = try await fixture.family.households.parentAccount(for: ada)
            #expect(before.me.id == ada.person)
            #expect(before.parents.map(\.member.id) == [ada.person])
            #expect(!before.hasDeletedChildren)
            let child = try await fixture.family.households.childAccount(for: fixture.asking(kim))
            #expect(child.child.id == kim)
            #expect(child.parents.map(\.id) == [ada.person])
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            #expect(try await fixture.family.households.parentAccount(for: ada).hasDeletedChildren)
            let details = try await fixture.family.childDeletions.details(of: kim, for: ada)
            #expect(details.child.member.id == kim)
            #expect(details.proof == .elsewhere)
            try await fixture.prove(.eraseChild, ada)
            #expect(try await fixture.family.childDeletions.details(of: kim, for: ada).proof == .given)
        }
    }
}
