import Accounts
import Foundation
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Leaving, profiles and exports")
struct LeavingTests {
    private func erase(_ person: PersonID, _ fixture: FamilyFixture) async throws {
        try await fixture.database.write { tx in
            try tx.execute("UPDATE account SET avatar_picture_id = NULL WHERE id = \(person)")
            try fixture.dataHandler.erase(person, in: tx)
            try PictureLibrary.removeAll(of: person, in: tx)
            try tx.execute("DELETE FROM account WHERE id = \(person)")
        }
    }

    @Test("A parent who leaves leaves children, chores and assignments to the others", arguments: Engine.allCases)
    func leaving(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(2, of: ada)
            let pictures = try await fixture.family.chores.list(for: ben, after: nil, limit: 9).items.map(\.pictureID)
            _ = try await fixture.family.assignments.assign(.each(chores, 2), to: kim, by: Change(actor: ada))
            _ = try await fixture.picture(of: ada.person)
            let code = try await fixture.invite(by: ada).code
            try await erase(ada.person, fixture)
            #expect(try await fixture.family.parents.list(for: ben, after: nil, limit: 9).items.map(\.name) == ["Ben"])
            #expect(
                try await fixture.family.chores.list(for: ben, after: nil, limit: 9).items.map(\.pictureID) == pictures)
            let cards = try await fixture.family.assignments.list(of: kim, for: ben, after: nil, limit: 9).items
            #expect(cards.map(\.byName) == [nil, nil])
            #expect(cards.map(\.byID) == [nil, nil])
            let owners = try await fixture.database.read { tx -> Set<PersonID> in
                Set(
                    try tx.rows("SELECT DISTINCT owner_id FROM picture WHERE digest IS NOT NULL").map {
                        try $0.get("owner_id")
                    })
            }
            #expect(!owners.contains(ada.person))
            #expect(owners.contains(ben.person))
            let cleo = try await fixture.parent("Cleo")
            let void = await refusal {
                _ = try await fixture.family.invitationAcceptances.accept(
                    code, clientAddress: "192.0.2.9", by: Change(actor: cleo))
            }
            #expect(void?.code == .notFound)
            #expect(try await fixture.points(kim, ben) == [0, 4, 0])
            try await fixture.checkPoints()
        }
    }

    @Test("With the last parent everything is deleted except the ledger", arguments: Engine.allCases)
    func lastOne(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let gone = try await fixture.child("Leo", of: ada)
            try await fixture.family.childDeletions.delete(gone, by: Change(actor: ada))
            let chores = try await fixture.chores(2, of: ada)
            _ = try await fixture.family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            _ = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
            _ = try await fixture.family.requests.create(chores[0], for: kim, by: Change(actor: fixture.asking(kim)))
            let avatar = try await fixture.picture(of: ada.person)
            _ = try await fixture.family.children.update(
                kim, ProfileChanges(avatarPictureID: .set(avatar)), by: Change(actor: ada))
            let device = try await fixture.signedIn(kim, of: ada)
            try await erase(ada.person, fixture)
            for table: SQL in [
                "family_household", "family_member", "family_chore", "family_contract", "family_level",
                "family_assignment", "family_request", "family_code", "family_invitation", "account",
            ] {
                #expect(try await fixture.count(table) == 0, "\(table)")
            }
            #expect(try await fixture.accounts.authenticator.authenticate(token: device.token, kind: .bearer) == nil)
            #expect(try await fixture.count("ledger_transfer") == 2)
            try await fixture.checkPoints()
        }
    }

    @Test("A changed profile publishes an event to the whole household", arguments: Engine.allCases)
    func profiles(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let own = try await fixture.told {
                let changes = ProfileChanges(name: .set("Kimmy"))
                _ = try await fixture.accounts.profiles.update(changes, by: Change(actor: fixture.asking(kim)))
            }
            for person in [ada.person, leo] { #expect(own[person] == ["child /family/children/\(kim)"]) }
            #expect(try await fixture.family.children.child(kim, for: ada).name == "Kimmy")
            let parent = try await fixture.told {
                let changes = ProfileChanges(theme: .set("forest"))
                _ = try await fixture.accounts.profiles.update(changes, by: Change(actor: ada))
            }
            for person in [kim, leo] { #expect(parent[person] == ["parent /family/parents"]) }
            #expect(try await fixture.family.households.me(for: ada).theme == "forest")
        }
    }

    @Test("The export has the household for a parent and only its own data for a child", arguments: Engine.allCases)
    func export(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let chores = try await fixture.chores(2, of: ada)
            for child in [kim, leo] {
                _ = try await fixture.family.requests.create(
                    chores[0], for: child, by: Change(actor: fixture.asking(child)))
            }
            _ = try await fixture.family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            for _ in 0..<2 {
                _ = try await fixture.family.assignments.assign(.each(chores, 2), to: kim, by: Change(actor: ada))
            }
            try await fixture.schedule(chores[1], for: [kim, leo], rule: "FREQ=DAILY", by: ada)
            func counts(_ person: PersonID) async throws -> [String: Int] {
                let files = try await fixture.database.read { tx in
                    try fixture.dataHandler.export(person, in: tx)
                }
                var counts: [String: Int] = [:]
                for file in files {
                    let json = try JSONSerialization.jsonObject(with: Data(file.contents))
                    counts[file.path] = (json as? [Any])?.count ?? 1
                }
                for attachment in try await fixture.dataHandler.attachments(of: person) {
                    var bytes: [UInt8] = []
                    if let pieces = try await attachment.open() { for try await piece in pieces { bytes += piece } }
                    counts[attachment.path] = (try JSONSerialization.jsonObject(with: Data(bytes)) as? [Any])?.count
                }
                return counts
            }
            #expect(
                try await counts(ada.person) == [
                    "family/household.json": 1, "family/children.json": 2, "family/chores.json": 2,
                    "family/contracts.json": 1, "family/assignments.json": 4, "family/requests.json": 2,
                    "family/removals.json": 0, "family/schedules.json": 1, "family/rewards.json": 0,
                    "family/purchases.json": 0, "family/wishes.json": 0, "family/declined-requests.json": 0,
                    "family/pauses.json": 0, "family/streaks.json": 0, "family/turns.json": 0,
                ])
            #expect(
                try await counts(kim) == [
                    "family/child.json": 1, "family/contracts.json": 1, "family/assignments.json": 4,
                    "family/requests.json": 1, "family/purchases.json": 0, "family/wishes.json": 0,
                    "family/declined-requests.json": 0, "family/pauses.json": 0, "family/streaks.json": 0,
                    "family/turns.json": 0,
                ])
            // A deleted child is still stored until it is erased.
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            let afterDeletion = try await counts(ada.person)
            #expect(afterDeletion["family/children.json"] == 2 && afterDeletion["family/assignments.json"] == 4)
            let stranger = try await fixture.grownUp("Eve")
            #expect(try await counts(stranger.person).isEmpty)
        }
    }

    @Test(
        "A photo of a deleted account stays as long as a chore uses it",
        arguments: Engine.allCases)
    func sharedPhoto(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let registration = Registration(
                app: "family", email: "ada@example.org", password: "correct horse", name: "Ada",
                dateOfBirth: "1985-05-01", phone: nil
            )
            let joined = try await fixture.accounts.registrations.register(registration, device: FamilyFixture.device())
            let ada = Actor(person: joined.account.id, session: joined.session.id, role: .adult)
            try await fixture.family.households.createIfMissing(for: ada)
            let ben = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child(of: ada)
            let photo = try await fixture.picture(of: ada.person)
            let chore = try await fixture.family.chores.create(
                ChoreInput(name: "Dishes", pictureID: photo), by: Change(actor: ada)
            ).chore.id
            _ = try await fixture.family.children.update(
                kim, ProfileChanges(avatarPictureID: .set(photo)), by: Change(actor: ada))
            try await fixture.accounts.deletions.delete(ada, password: "correct horse")
            #expect(try await fixture.family.children.child(kim, for: ben).avatarPictureID == photo)
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ben))
            fixture.clock.advance(seconds: Limits.childRestorationSeconds)
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.count("account WHERE role = 'child'") == 0)
            #expect(try await fixture.family.chores.chore(chore, for: ben).pictureID == photo)
            let owner: PersonID? = try await fixture.database.read { tx in
                try tx.row("SELECT owner_id FROM picture WHERE id = \(photo)")?.get("owner_id")
            }
            #expect(owner == ben.person)
            let cleo = try await fixture.parent("Cleo", with: ben)
            #expect(try await fixture.family.parents.list(for: cleo, after: nil, limit: 9).items.count == 2)
        }
    }
}
