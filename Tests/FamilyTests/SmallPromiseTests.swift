import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Limits and repeated requests in Family")
struct SmallPromiseTests {
    @Test("A child has one open code and a limited number of closed ones", arguments: Engine.allCases)
    func codes(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let kim = try await house.child(of: ada)
            let leo = try await house.child("Leo", of: ada)
            let other = try await house.service.makeCode(of: leo, by: Change(actor: ada))
            var codes: [SignInCode] = []
            for _ in 0..<Limits.signInCodesKept + 5 {
                house.clock.advance(milliseconds: 1)
                codes.append(try await house.service.makeCode(of: kim, by: Change(actor: ada)))
            }
            #expect(try await house.count("family_code") == Limits.signInCodesKept + 1)
            #expect(try await house.count("family_code WHERE closed_at IS NULL") == 2)
            let before = try #require(codes.dropLast().last)
            #expect(try await house.service.codeState(before.id, of: kim, for: ada) == .replaced)
            let first = try #require(codes.first)
            let forgotten = await refusal { _ = try await house.service.codeState(first.id, of: kim, for: ada) }
            #expect(forgotten?.code == .notFound)
            for code in codes.dropLast() {
                let error = await refusal {
                    _ = try await house.service.signIn(code: code.code, device: FamilyHouse.device())
                }
                #expect(error?.code == .notFound)
            }
            let last = try #require(codes.last)
            #expect(try await house.service.signIn(code: last.code, device: FamilyHouse.device()).child.id == kim)
            #expect(try await house.service.signIn(code: other.code, device: FamilyHouse.device()).child.id == leo)
        }
    }

    @Test(
        "A repeated deletion returns the name as long as it is stored", arguments: Engine.allCases)
    func deletedNames(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let kim = try await house.child(of: ada)
            let dishes = try await house.chore(of: ada)
            let child = Change.keyed(ada, "/family/children/\(kim)", "one")
            let chore = Change.keyed(ada, "/family/chores/\(dishes)", "two")
            for _ in 0..<2 {
                #expect(try await house.service.deleteChild(kim, by: child) == "Kim")
                #expect(try await house.service.deleteChore(dishes, by: chore) == "Dishes")
            }
            house.clock.advance(seconds: Limits.childRestorationSeconds)
            try await house.service.housekeeping()
            #expect(try await house.service.deleteChild(kim, by: child) == nil)
            #expect(try await house.service.deleteChore(dishes, by: chore) == nil)
        }
    }

    @Test("Parents and the child may edit it, but not siblings and strangers", arguments: Engine.allCases)
    func editing(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let kim = try await house.child(of: ada)
            let leo = try await house.child("Leo", of: ada)
            let eve = try await house.parent("Eve")
            try await house.service.requireEditing(kim, by: ada)
            try await house.service.requireEditing(kim, by: house.asking(kim))
            let sibling = await refusal { try await house.service.requireEditing(kim, by: house.asking(leo)) }
            #expect(sibling?.code == .forbidden)
            let stranger = await refusal { try await house.service.requireEditing(kim, by: eve) }
            #expect(stranger?.code == .notFound)
        }
    }
}
