import Accounts
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Moving into another household")
struct JoinPhotoTests {
    /// Deletes the person's data, as the deletion of an account does.
    private func erase(_ person: PersonID, _ fixture: FamilyFixture) async throws {
        try await fixture.database.write { tx in
            try tx.execute("UPDATE account SET avatar_picture_id = NULL WHERE id = \(person)")
            try fixture.dataHandler.erase(person, in: tx)
            try PictureLibrary.removeAll(of: person, in: tx)
            try tx.execute("DELETE FROM account WHERE id = \(person)")
        }
    }

    @Test(
        "Photos of deleted resources stay with the household, so that the account can be deleted",
        arguments: Engine.allCases)
    func photosStay(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(2, of: ada)
            _ = try await fixture.family.assignments.assign(.each(chores, 2), to: kim, by: Change(actor: ada))
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            for chore in chores { try await fixture.family.chores.delete(chore, by: Change(actor: ada)) }
            try await fixture.remove(ada.person, by: ada)
            try await erase(ada.person, fixture)
            // The remaining parent can restore everything, with its photos.
            _ = try await fixture.family.childDeletions.restore(kim, by: Change(actor: ben))
            let restored = try await fixture.family.chores.restore(chores[0], by: Change(actor: ben))
            let cards = try await fixture.family.assignments.list(of: kim, for: ben, after: nil, limit: 9).items
            #expect(cards.count == 2)
            #expect(cards.contains { $0.pictureID == restored.pictureID })
            let owners = try await fixture.database.read { tx -> [PersonID] in
                try tx.rows("SELECT owner_id FROM picture WHERE digest IS NOT NULL").map { try $0.get("owner_id") }
            }
            #expect(!owners.contains(ada.person))
            try await fixture.checkPoints()
        }
    }

    @Test("A parent who moves out of their own household keeps their photos", arguments: Engine.allCases)
    func alone(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let chore = try await fixture.chore(of: ada)
            try await fixture.family.chores.delete(chore, by: Change(actor: ada))
            let cleo = try await fixture.parent("Cleo")
            let code = try await fixture.invite(by: cleo).code
            _ = try await fixture.family.invitationAcceptances.accept(
                code, clientAddress: "192.0.2.9", by: Change(actor: ada))
            #expect(try await fixture.count("picture WHERE digest IS NOT NULL AND owner_id = \(ada.person)") == 1)
            try await erase(ada.person, fixture)
            #expect(try await fixture.count("picture WHERE digest IS NOT NULL AND owner_id = \(ada.person)") == 0)
        }
    }
}
