import Accounts
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Chores with steps and photos")
struct ChoreProofTests {
    /// A household with a chore that has two steps and needs a photo.
    private struct Home: Sendable {
        let fixture: FamilyFixture
        let ada: Actor
        let kim: PersonID
        let lee: PersonID
        let chore: ID<Chore>

        init(_ fixture: FamilyFixture) async throws {
            self.fixture = fixture
            ada = try await fixture.parent()
            kim = try await fixture.child("Kim", of: ada)
            lee = try await fixture.child("Lee", of: ada)
            let input = ChoreInput(
                name: "Dishes", pictureID: try await fixture.picture(of: ada.person), steps: [" Wash ", "", "Dry"],
                needsPhoto: true)
            chore = try await fixture.family.chores.create(input, by: Change(actor: ada)).chore.id
        }

        func ask(_ steps: [String], _ photo: ID<Picture>?) async throws -> ChoreRequest {
            try await fixture.family.requests.create(
                chore, proof: ChoreProof(steps: steps, photoID: photo), for: kim,
                by: Change(actor: fixture.asking(kim)))
        }

        func isVisible(_ photo: ID<Picture>, to person: PersonID) async throws -> Bool {
            try await fixture.database.read { tx in try FamilyPictures().isVisible(photo, to: person, in: tx) }
        }

        func isStored(_ photo: ID<Picture>) async throws -> Bool {
            try await fixture.database.read { tx in
                try tx.row("SELECT 1 AS found FROM picture WHERE id = \(photo)") != nil
            }
        }
    }

    @Test("A request needs every step and an own photo", arguments: Engine.allCases)
    func proof(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            let photo = try await fixture.picture(of: home.kim)
            let foreign = try await fixture.picture(of: home.lee)
            func refused(_ steps: [String], _ photo: ID<Picture>?) async -> [String] {
                await refusal { _ = try await home.ask(steps, photo) }?.fields.keys.sorted() ?? []
            }
            #expect(await refused([], nil) == ["pictureId", "steps"])
            #expect(await refused(["Wash"], photo) == ["steps"])
            #expect(await refused(["Wash", "Dry"], foreign) == ["pictureId"])
            #expect(await refused(["Wash", "Dry"], BuiltinAvatars.all[0].id) == ["pictureId"])
            #expect(try await fixture.count("family_request") == 0)
            #expect(try await home.ask(["Dry", "Wash", "Sing"], photo).photoID == photo)
            #expect(try await fixture.family.today.today(for: fixture.asking(home.kim)).needingProof == [home.chore])
        }
    }

    @Test("Parents see the photo, siblings don't, and it is deleted when the request ends", arguments: Engine.allCases)
    func photo(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let family = fixture.family
            let home = try await Home(fixture)
            let eve = try await fixture.parent("Eve")
            for end in ["approve", "decline", "withdraw"] {
                let photo = try await fixture.picture(of: home.kim)
                let asked = try await home.ask(["Wash", "Dry"], photo).id
                #expect(try await home.isVisible(photo, to: home.ada.person))
                #expect(try await !home.isVisible(photo, to: home.lee))
                #expect(try await !home.isVisible(photo, to: eve.person))
                let change = Change(actor: home.ada)
                switch end {
                case "approve":
                    _ = try await family.requestDecisions.approve(asked, of: home.kim, points: 1, by: change)
                case "decline": try await family.requestDecisions.decline(asked, of: home.kim, by: change)
                default:
                    try await family.requests.withdraw(
                        asked, of: home.kim, by: Change(actor: fixture.asking(home.kim)))
                }
                #expect(try await !home.isStored(photo), "\(end)")
            }
            // A picture that the child uses elsewhere stays.
            let avatar = try await fixture.picture(of: home.kim)
            _ = try await family.children.update(
                home.kim, ProfileChanges(avatarPictureID: .set(avatar)), by: Change(actor: fixture.asking(home.kim)))
            let asked = try await home.ask(["Wash", "Dry"], avatar).id
            try await family.requestDecisions.decline(asked, of: home.kim, by: Change(actor: home.ada))
            #expect(try await home.isStored(avatar))
        }
    }

    @Test("The photo is deleted with the chore and with the child", arguments: Engine.allCases)
    func deleted(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let family = fixture.family
            let home = try await Home(fixture)
            let photo = try await fixture.picture(of: home.kim)
            _ = try await home.ask(["Wash", "Dry"], photo)
            try await family.chores.delete(home.chore, by: Change(actor: home.ada))
            fixture.clock.advance(seconds: Limits.familyUndoSeconds + 1)
            try await family.housekeeping.run()
            #expect(try await !home.isStored(photo))
            let second = try await Home(fixture)
            let other = try await fixture.picture(of: second.kim)
            _ = try await second.ask(["Wash", "Dry"], other)
            try await family.childDeletions.delete(second.kim, by: Change(actor: second.ada))
            fixture.clock.advance(seconds: Limits.childRestorationSeconds)
            try await family.housekeeping.run()
            #expect(try await fixture.count("family_request") == 0)
        }
    }

    @Test("A chore has at most ten different steps of 60 characters", arguments: Engine.allCases)
    func rules(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await Home(fixture)
            func steps(_ steps: [String]) async -> [String]? {
                let error = await refusal {
                    _ = try await fixture.family.chores.update(
                        home.chore, ChoreChanges(steps: .set(steps)), by: Change(actor: home.ada))
                }
                guard error == nil else { return nil }
                return try? await fixture.family.chores.chore(home.chore, for: home.ada).steps
            }
            let ten = (0..<10).map { "Step \($0)" }
            #expect(await steps(ten) == ten)
            #expect(await steps(ten + ["Another"]) == nil)
            #expect(await steps([String(repeating: "x", count: 60)])?.count == 1)
            #expect(await steps([String(repeating: "x", count: 61)]) == nil)
            #expect(await steps(["Wash", " Wash"]) == nil)
            #expect(await steps(["a\nb"]) == nil)
            #expect(await steps([]) == [])
            let chore = try await fixture.family.chores.chore(home.chore, for: home.ada)
            #expect(chore.needsPhoto)
        }
    }
}
