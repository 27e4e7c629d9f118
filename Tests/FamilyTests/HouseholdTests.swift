import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Households and their parents")
struct HouseholdTests {
    private func join(
        _ code: String?, as actor: Actor, _ house: FamilyHouse, address: String = "192.0.2.9"
    ) async throws -> [String] {
        try await house.service.join(code, clientAddress: address, by: Change(actor: actor)).items.map(\.name)
    }

    @Test("Concurrent first requests of an adult create one household", arguments: Engine.allCases)
    func entering(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.grownUp()
            let codes = await together((0..<6).map { _ in { try await house.service.enter(ada) } })
            #expect(codes.allSatisfy { $0 == nil })
            #expect(try await house.count("family_household") == 1)
            #expect(try await house.count("family_member") == 1)
            let ben = try await house.grownUp("Ben", dateOfBirth: nil)
            let error = await refusal { _ = try await house.service.children(for: ben, after: nil, limit: 1) }
            #expect(error?.code == .invalid)
            #expect(error?.fields["dateOfBirth"] != nil)
            #expect(try await house.service.me(for: ada).name == "Ada")
            #expect(try await house.service.me(for: ada).role == .parent)
        }
    }

    @Test("A second parent joins by invitation and sees everything", arguments: Engine.allCases)
    func joining(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let kim = try await house.child(of: ada)
            let invitation = try await house.invite(by: ada)
            #expect(invitation.url == "https://home.example/family/invitations/\(invitation.code)")
            #expect(invitation.expiresAt == house.now.adding(seconds: 24 * 60 * 60))
            for _ in 0..<2 {
                let inviter = try await house.service.inviter(ofCode: invitation.code, clientAddress: "192.0.2.9")
                #expect(inviter.name == "Ada")
            }
            house.clock.advance(milliseconds: 1)
            let ben = try await house.grownUp("Ben")
            let told = try await house.told {
                let parents = try await join(invitation.code, as: ben, house)
                #expect(parents == ["Ada", "Ben"])
            }
            let event: Set = ["parent /family/parents"]
            #expect(told == [ada.person: event, ben.person: event, kim: event])
            #expect(try await house.count("family_household") == 1)
            #expect(try await house.service.children(for: ben, after: nil, limit: 9).items.map(\.id) == [kim])
            let names = try await house.service.parents(for: house.asking(kim), after: nil, limit: 9).items.map(\.name)
            #expect(names == ["Ada", "Ben"])
            let cleo = try await house.parent("Cleo")
            let again = await refusal { _ = try await join(invitation.code, as: cleo, house) }
            #expect(again == AppError(.notFound, FamilyMessage.invitationUnknown.rawValue))
            let preview = await refusal {
                _ = try await house.service.inviter(ofCode: invitation.code, clientAddress: "192.0.2.9")
            }
            #expect(preview == again)
        }
    }

    @Test("A parent with children or chores, or who is already a member, can't join", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let code = try await house.invite(by: ada).code
            let withChild = try await house.parent("Ben")
            let ownChild = try await house.child(of: withChild)
            let withChore = try await house.parent("Cleo")
            let chore = try await house.chore(of: withChore)
            for actor in [withChild, withChore, ada] {
                let error = await refusal { _ = try await join(code, as: actor, house) }
                #expect(error?.code == .conflict)
            }
            let child = try await house.child(of: ada)
            let asking = await refusal { _ = try await join(code, as: house.asking(child), house) }
            #expect(asking?.code == .forbidden)
            // The failed attempts didn't use the invitation up. A deleted chore doesn't prevent joining.
            try await house.service.deleteChore(chore, by: Change(actor: withChore))
            let parents = try await join(code, as: withChore, house)
            #expect(Set(parents) == ["Ada", "Cleo"])
            #expect(try await house.count("family_chore") == 0)
            // A deleted child does, as long as it can be restored.
            try await house.service.deleteChild(ownChild, by: Change(actor: withChild))
            let next = try await house.invite(by: ada).code
            let early = await refusal { _ = try await join(next, as: withChild, house) }
            #expect(early == AppError(.conflict, .restorableFirst))
            _ = try await house.service.restoreChild(ownChild, by: Change(actor: withChild))
            try await house.service.deleteChild(ownChild, by: Change(actor: withChild))
            try await house.prove(.eraseChild, withChild)
            try await house.service.eraseChild(ownChild, by: Change(actor: withChild))
            #expect(try await join(next, as: withChild, house).count == 3)
        }
    }

    @Test("A parent whose household has another parent can't join without leaving first", arguments: Engine.allCases)
    func leaveFirst(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let ben = try await house.parent("Ben", with: ada)
            let code = try await house.invite(by: try await house.parent("Cleo")).code
            for actor in [ada, ben] {
                let error = await refusal { _ = try await join(code, as: actor, house) }
                #expect(error == AppError(.conflict, .leaveFirst))
            }
            #expect(try await house.service.parentsWithStanding(for: ada).count == 2)
        }
    }

    @Test("An invitation is valid for a day, and wrong codes are counted", arguments: Engine.allCases)
    func expiry(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let ben = try await house.parent("Ben")
            let code = try await house.invite(by: ada).code
            house.clock.advance(seconds: 24 * 60 * 60)
            let late = await refusal { _ = try await join(code, as: ben, house) }
            #expect(late?.code == .notFound)
            for index in 1..<Limits.familyCodeFailures {
                let error = await refusal { _ = try await join("wrong\(index)", as: ben, house) }
                #expect(error?.code == .notFound)
            }
            let good = try await house.invite(by: ada).code
            let throttled = await refusal { _ = try await join(good, as: ben, house) }
            #expect(throttled?.code == .throttled)
            let parents = try await join(good, as: ben, house, address: "198.51.100.2")
            #expect(Set(parents) == ["Ada", "Ben"])
            try await house.service.housekeeping()
            #expect(try await house.count("family_invitation") == 0)
        }
    }

    @Test("If two parents use one invitation at once, one of them joins", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            for round in 0..<min(Counts.races, 8) {
                let code = try await house.invite(by: ada).code
                let ben = try await house.parent("Ben \(round)")
                let cleo = try await house.parent("Cleo \(round)")
                let codes = await together(
                    [ben, cleo].map { actor in { _ = try await join(code, as: actor, house) } }
                )
                #expect(codes.count { $0 == nil } == 1, "\(codes)")
                #expect(codes.count { $0 == .notFound } == 1, "\(codes)")
                let parents = try await house.service.parents(for: ada, after: nil, limit: 200).items
                #expect(parents.count == round + 2)
            }
        }
    }

    @Test("Two parents who join each other at once end up in the same household", arguments: Engine.allCases)
    func mutual(engine: Engine) async throws {
        try await withHouse(engine) { house in
            for round in 0..<Counts.races {
                let address = FamilyHouse.address(round)
                let ada = try await house.parent()
                let ben = try await house.parent("Ben")
                let mine = try await house.invite(by: ada).code
                let theirs = try await house.invite(by: ben).code
                let codes = await together([
                    { _ = try await join(theirs, as: ada, house, address: address) },
                    { _ = try await join(mine, as: ben, house, address: address) },
                ])
                #expect(codes.count { $0 == nil } == 1, "\(codes)")
                for actor in [ada, ben] {
                    let parents = try await house.service.parents(for: actor, after: nil, limit: 9).items
                    #expect(Set(parents.map(\.id)) == [ada.person, ben.person])
                }
            }
            #expect(try await house.count("family_household") == Counts.races)
        }
    }

    @Test("Joining while a first child is being added loses no data", arguments: Engine.allCases)
    func joiningAndAdding(engine: Engine) async throws {
        try await withHouse(engine) { house in
            for _ in 0..<Counts.races {
                let ada = try await house.parent()
                let ben = try await house.parent("Ben")
                let code = try await house.invite(by: ada).code
                let codes = await together([
                    { _ = try await join(code, as: ben, house) },
                    { _ = try await house.service.addChild(FamilyHouse.profile, by: Change(actor: ben)) },
                ])
                #expect(codes[1] == nil)
                #expect(codes[0] == nil || codes[0] == .conflict)
                #expect(try await house.service.children(for: ben, after: nil, limit: 9).items.count == 1)
                let seen = try await house.service.children(for: ada, after: nil, limit: 9).items.count
                #expect(seen == (codes[0] == nil ? 1 : 0))
            }
            try await house.checkPoints()
        }
    }

    @Test("A household has at most ten parents, and a repeated request succeeds again", arguments: Engine.allCases)
    func full(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            for index in 1..<Limits.parentsPerHousehold { _ = try await house.parent("Parent \(index)", with: ada) }
            let late = try await house.parent("Late")
            let code = try await house.invite(by: ada).code
            let error = await refusal { _ = try await join(code, as: late, house) }
            #expect(error?.code == .conflict)
            let eve = try await house.parent("Eve")
            let invitation = try await house.invite(by: eve).code
            let change = Change.keyed(late, "/family/parents", "k")
            for _ in 0..<3 {
                let parents = try await house.service.join(invitation, clientAddress: "192.0.2.9", by: change).items
                #expect(Set(parents.map(\.name)) == ["Eve", "Late"])
            }
        }
    }
}
