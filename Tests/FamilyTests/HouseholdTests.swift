import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Households and their parents")
struct HouseholdTests {
    private func join(
        _ code: String?, as actor: Actor, _ fixture: FamilyFixture, address: String = "192.0.2.9"
    ) async throws -> [String] {
        try await fixture.family.invitationAcceptances.accept(code, clientAddress: address, by: Change(actor: actor))
            .items.map(\.name)
    }

    @Test("Concurrent first requests of an adult create one household", arguments: Engine.allCases)
    func entering(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.grownUp()
            let codes = await together(
                (0..<6).map { _ in { try await fixture.family.households.createIfMissing(for: ada) } })
            #expect(codes.allSatisfy { $0 == nil })
            #expect(try await fixture.count("family_household") == 1)
            #expect(try await fixture.count("family_member") == 1)
            let ben = try await fixture.grownUp("Ben", dateOfBirth: nil)
            let error = await refusal { _ = try await fixture.family.children.list(for: ben, after: nil, limit: 1) }
            #expect(error?.code == .invalid)
            #expect(error?.fields["dateOfBirth"] != nil)
            #expect(try await fixture.family.households.me(for: ada).name == "Ada")
            #expect(try await fixture.family.households.me(for: ada).role == .parent)
        }
    }

    @Test("A second parent joins by invitation and sees everything", arguments: Engine.allCases)
    func joining(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let invitation = try await fixture.invite(by: ada)
            #expect(invitation.url == "https://home.example/family/invitations/\(invitation.code)")
            #expect(invitation.expiresAt == fixture.now.adding(seconds: Limits.invitationSeconds))
            for _ in 0..<2 {
                let inviter = try await fixture.family.invitationAcceptances.inviter(
                    ofCode: invitation.code, clientAddress: "192.0.2.9")
                #expect(inviter.name == "Ada")
            }
            fixture.clock.advance(milliseconds: 1)
            let ben = try await fixture.grownUp("Ben")
            let told = try await fixture.told {
                let parents = try await join(invitation.code, as: ben, fixture)
                #expect(parents == ["Ada", "Ben"])
            }
            let event: Set = ["parent /family/parents"]
            #expect(told == [ada.person: event, ben.person: event, kim: event])
            #expect(try await fixture.count("family_household") == 1)
            #expect(try await fixture.family.children.list(for: ben, after: nil, limit: 9).items.map(\.id) == [kim])
            let names = try await fixture.family.parents.list(for: fixture.asking(kim), after: nil, limit: 9).items.map(
                \.name)
            #expect(names == ["Ada", "Ben"])
            let cleo = try await fixture.parent("Cleo")
            let again = await refusal { _ = try await join(invitation.code, as: cleo, fixture) }
            #expect(again == AppError(.notFound, FamilyMessage.invitationUnknown.text))
            let preview = await refusal {
                _ = try await fixture.family.invitationAcceptances.inviter(
                    ofCode: invitation.code, clientAddress: "192.0.2.9")
            }
            #expect(preview == again)
        }
    }

    @Test("A parent with children or chores, or who is already a member, can't join", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let code = try await fixture.invite(by: ada).code
            let withChild = try await fixture.parent("Ben")
            let ownChild = try await fixture.child(of: withChild)
            let withChore = try await fixture.parent("Cleo")
            let chore = try await fixture.chore(of: withChore)
            for actor in [withChild, withChore, ada] {
                let error = await refusal { _ = try await join(code, as: actor, fixture) }
                #expect(error?.code == .conflict)
            }
            let child = try await fixture.child(of: ada)
            let asking = await refusal { _ = try await join(code, as: fixture.asking(child), fixture) }
            #expect(asking?.code == .forbidden)
            // The failed attempts didn't use the invitation up. A deleted chore doesn't prevent joining.
            try await fixture.family.chores.delete(chore, by: Change(actor: withChore))
            let parents = try await join(code, as: withChore, fixture)
            #expect(Set(parents) == ["Ada", "Cleo"])
            #expect(try await fixture.count("family_chore") == 0)
            // A deleted child does, as long as it can be restored.
            try await fixture.family.childDeletions.delete(ownChild, by: Change(actor: withChild))
            let next = try await fixture.invite(by: ada).code
            let early = await refusal { _ = try await join(next, as: withChild, fixture) }
            #expect(early == AppError(.conflict, .restorableFirst))
            _ = try await fixture.family.childDeletions.restore(ownChild, by: Change(actor: withChild))
            try await fixture.family.childDeletions.delete(ownChild, by: Change(actor: withChild))
            try await fixture.prove(.eraseChild, withChild)
            try await fixture.family.childDeletions.erase(ownChild, by: Change(actor: withChild))
            #expect(try await join(next, as: withChild, fixture).count == 3)
        }
    }

    @Test("A parent whose household has another parent can't join without leaving first", arguments: Engine.allCases)
    func leaveFirst(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let code = try await fixture.invite(by: try await fixture.parent("Cleo")).code
            for actor in [ada, ben] {
                let error = await refusal { _ = try await join(code, as: actor, fixture) }
                #expect(error == AppError(.conflict, .leaveFirst))
            }
            #expect(try await fixture.family.parents.all(for: ada).count == 2)
        }
    }

    @Test("An invitation is valid for a day, and wrong codes are counted", arguments: Engine.allCases)
    func expiry(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben")
            let code = try await fixture.invite(by: ada).code
            fixture.clock.advance(seconds: Limits.invitationSeconds)
            let late = await refusal { _ = try await join(code, as: ben, fixture) }
            #expect(late?.code == .notFound)
            for index in 1..<Limits.familyCodeFailures {
                let error = await refusal { _ = try await join("wrong\(index)", as: ben, fixture) }
                #expect(error?.code == .notFound)
            }
            let good = try await fixture.invite(by: ada).code
            let throttled = await refusal { _ = try await join(good, as: ben, fixture) }
            #expect(throttled?.code == .throttled)
            let parents = try await join(good, as: ben, fixture, address: "198.51.100.2")
            #expect(Set(parents) == ["Ada", "Ben"])
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.count("family_invitation") == 0)
        }
    }

    @Test("If two parents use one invitation at once, one of them joins", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            for round in 0..<min(Counts.races, 8) {
                let code = try await fixture.invite(by: ada).code
                let ben = try await fixture.parent("Ben \(round)")
                let cleo = try await fixture.parent("Cleo \(round)")
                let codes = await together(
                    [ben, cleo].map { actor in { _ = try await join(code, as: actor, fixture) } }
                )
                #expect(codes.count { $0 == nil } == 1, "\(codes)")
                #expect(codes.count { $0 == .notFound } == 1, "\(codes)")
                let parents = try await fixture.family.parents.list(for: ada, after: nil, limit: 200).items
                #expect(parents.count == round + 2)
            }
        }
    }

    @Test("Two parents who join each other at once end up in the same household", arguments: Engine.allCases)
    func mutual(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            for round in 0..<Counts.races {
                let address = FamilyFixture.address(round)
                let ada = try await fixture.parent()
                let ben = try await fixture.parent("Ben")
                let mine = try await fixture.invite(by: ada).code
                let theirs = try await fixture.invite(by: ben).code
                let codes = await together([
                    { _ = try await join(theirs, as: ada, fixture, address: address) },
                    { _ = try await join(mine, as: ben, fixture, address: address) },
                ])
                #expect(codes.count { $0 == nil } == 1, "\(codes)")
                for actor in [ada, ben] {
                    let parents = try await fixture.family.parents.list(for: actor, after: nil, limit: 9).items
                    #expect(Set(parents.map(\.id)) == [ada.person, ben.person])
                }
            }
            #expect(try await fixture.count("family_household") == Counts.races)
        }
    }

    @Test("Joining while a first child is being added loses no data", arguments: Engine.allCases)
    func joiningAndAdding(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            for _ in 0..<Counts.races {
                let ada = try await fixture.parent()
                let ben = try await fixture.parent("Ben")
                let code = try await fixture.invite(by: ada).code
                let codes = await together([
                    { _ = try await join(code, as: ben, fixture) },
                    { _ = try await fixture.family.children.create(FamilyFixture.profile, by: Change(actor: ben)) },
                ])
                #expect(codes[1] == nil)
                #expect(codes[0] == nil || codes[0] == .conflict)
                #expect(try await fixture.family.children.list(for: ben, after: nil, limit: 9).items.count == 1)
                let seen = try await fixture.family.children.list(for: ada, after: nil, limit: 9).items.count
                #expect(seen == (codes[0] == nil ? 1 : 0))
            }
            try await fixture.checkPoints()
        }
    }

    @Test("A household has at most ten parents, and a repeated request succeeds again", arguments: Engine.allCases)
    func full(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            for index in 1..<Limits.parentsPerHousehold { _ = try await fixture.parent("Parent \(index)", with: ada) }
            let late = try await fixture.parent("Late")
            let code = try await fixture.invite(by: ada).code
            let error = await refusal { _ = try await join(code, as: late, fixture) }
            #expect(error?.code == .conflict)
            let eve = try await fixture.parent("Eve")
            let invitation = try await fixture.invite(by: eve).code
            let change = Change.keyed(late, "/family/parents", "k")
            for _ in 0..<3 {
                let parents = try await fixture.family.invitationAcceptances.accept(
                    invitation, clientAddress: "192.0.2.9", by: change
                ).items
                #expect(Set(parents.map(\.name)) == ["Eve", "Late"])
            }
        }
    }
}
