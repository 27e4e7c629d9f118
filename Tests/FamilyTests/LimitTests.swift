import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Limits and repeated requests in Family")
struct LimitTests {
    @Test("A child has one open code and a limited number of closed ones", arguments: Engine.allCases)
    func codes(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let other = try await fixture.family.signInCodes.create(for: leo, by: Change(actor: ada))
            var codes: [SignInCode] = []
            for _ in 0..<Limits.signInCodesKept + 5 {
                fixture.clock.advance(milliseconds: 1)
                codes.append(try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada)))
            }
            #expect(try await fixture.count("family_code") == Limits.signInCodesKept + 1)
            #expect(try await fixture.count("family_code WHERE closed_at IS NULL") == 2)
            let before = try #require(codes.dropLast().last)
            #expect(try await fixture.family.signInCodes.state(before.id, of: kim, for: ada) == .replaced)
            let first = try #require(codes.first)
            let forgotten = await refusal {
                _ = try await fixture.family.signInCodes.state(first.id, of: kim, for: ada)
            }
            #expect(forgotten?.code == .notFound)
            for code in codes.dropLast() {
                let error = await refusal {
                    _ = try await fixture.family.childSignIns.signIn(code: code.code, device: FamilyFixture.device())
                }
                #expect(error?.code == .notFound)
            }
            let last = try #require(codes.last)
            #expect(
                try await fixture.family.childSignIns.signIn(code: last.code, device: FamilyFixture.device()).child.id
                    == kim)
            #expect(
                try await fixture.family.childSignIns.signIn(code: other.code, device: FamilyFixture.device()).child.id
                    == leo)
        }
    }

    @Test(
        "A repeated deletion returns the name as long as it is stored", arguments: Engine.allCases)
    func deletedNames(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let dishes = try await fixture.chore(of: ada)
            let child = Change.keyed(ada, "/family/children/\(kim)", "one")
            let chore = Change.keyed(ada, "/family/chores/\(dishes)", "two")
            for _ in 0..<2 {
                #expect(try await fixture.family.childDeletions.delete(kim, by: child) == "Kim")
                #expect(try await fixture.family.chores.delete(dishes, by: chore) == "Dishes")
            }
            fixture.clock.advance(seconds: Limits.childRestorationSeconds)
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.family.childDeletions.delete(kim, by: child) == nil)
            #expect(try await fixture.family.chores.delete(dishes, by: chore) == nil)
        }
    }

    @Test("Parents and the child may edit it, but not siblings and strangers", arguments: Engine.allCases)
    func editing(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let eve = try await fixture.parent("Eve")
            try await fixture.family.children.requireEditing(kim, by: ada)
            try await fixture.family.children.requireEditing(kim, by: fixture.asking(kim))
            let sibling = await refusal {
                try await fixture.family.children.requireEditing(kim, by: fixture.asking(leo))
            }
            #expect(sibling?.code == .forbidden)
            let stranger = await refusal { try await fixture.family.children.requireEditing(kim, by: eve) }
            #expect(stranger?.code == .notFound)
        }
    }
}
