import Accounts
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Parents who leave and are removed")
struct ParentTests {
    private func names(_ actor: Actor, _ fixture: FamilyFixture) async throws -> Set<String> {
        Set(try await fixture.family.parents.list(for: actor, after: nil, limit: 9).items.map(\.name))
    }

    private func maker(_ actor: Actor, _ fixture: FamilyFixture) async throws -> [String] {
        try await fixture.family.parents.all(for: actor).filter(\.isMaker).map(\.member.name)
    }

    /// Deletes the person's data, as the deletion of an account does.
    private func erase(_ person: PersonID, _ fixture: FamilyFixture) async throws {
        try await fixture.database.write { tx in
            try fixture.dataHandler.erase(person, in: tx)
            try PictureLibrary.removeAll(of: person, in: tx)
            try tx.execute("DELETE FROM account WHERE id = \(person)")
        }
    }

    @Test("A parent leaves; children, chores and points stay with the others", arguments: Engine.allCases)
    func leaving(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            _ = try await fixture.family.assignments.assign(.each([chore], 2), to: kim, by: Change(actor: ada))
            let invitation = try await fixture.invite(by: ada)
            let code = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada)).code
            #expect(try await maker(ben, fixture) == ["Ada"])
            try await fixture.remove(ada.person, by: Change.keyed(ada, "/family/parents/x", "k"))
            #expect(try await names(ben, fixture) == ["Ben"])
            #expect(try await maker(ben, fixture) == ["Ben"])
            #expect(try await fixture.points(kim, ben) == [0, 2, 0])
            // Ada's invitations and codes are revoked, and she starts a new household.
            let late = await refusal {
                _ = try await fixture.family.invitationAcceptances.inviter(
                    ofCode: invitation.code, clientAddress: "192.0.2.9")
            }
            #expect(late?.code == .notFound)
            let device = await refusal {
                _ = try await fixture.family.childSignIns.signIn(code: code, device: FamilyFixture.device())
            }
            #expect(device?.code == .notFound)
            #expect(try await fixture.family.children.list(for: ada, after: nil, limit: 9).items.isEmpty)
            #expect(try await names(ada, fixture) == ["Ada"])
            let gone = await refusal { _ = try await fixture.family.children.child(kim, for: ada) }
            #expect(gone?.code == .notFound)
            // A repeated request changes nothing.
            try await fixture.remove(ada.person, by: Change.keyed(ada, "/family/parents/x", "k"))
            let alone = await refusal {
                try await fixture.remove(ben.person, by: ben)
            }
            #expect(alone == AppError(.conflict, FamilyMessage.onlyParent.text))
            try await fixture.checkPoints()
        }
    }

    @Test("Only the parent who created the household removes another at once", arguments: Engine.allCases)
    func removing(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            fixture.clock.advance(milliseconds: 1)
            let ben = try await fixture.parent("Ben", with: ada)
            fixture.clock.advance(milliseconds: 1)
            let cleo = try await fixture.parent("Cleo", with: ada)
            let kim = try await fixture.child(of: ada)
            let stranger = try await fixture.parent("Dora")
            for target in [ada, cleo] {
                let error = await refusal {
                    try await fixture.remove(target.person, by: ben)
                }
                #expect(error == AppError(.forbidden, FamilyMessage.makerOnly.text))
            }
            let child = await refusal {
                try await fixture.remove(ben.person, by: fixture.asking(kim))
            }
            #expect(child?.code == .forbidden)
            for (actor, target) in [(ada, stranger.person), (stranger, ben.person), (ada, kim)] {
                let error = await refusal { try await fixture.remove(target, by: actor) }
                #expect(error?.code == .notFound)
            }
            try await fixture.remove(ben.person, by: ada)
            #expect(try await names(ada, fixture) == ["Ada", "Cleo"])
            #expect(try await fixture.family.children.list(for: ben, after: nil, limit: 9).items.isEmpty)
            let again = await refusal { try await fixture.remove(ben.person, by: ada) }
            #expect(again?.code == .notFound)
        }
    }

    @Test("An announced removal takes effect once, after seven days", arguments: Engine.allCases)
    func announced(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            fixture.clock.advance(milliseconds: 1)
            let ben = try await fixture.parent("Ben", with: ada)
            _ = try await fixture.child(of: ada)
            fixture.passMembershipTime()
            let parent = try await fixture.announceRemoval(of: ada.person, by: ben)
            #expect(parent.removal?.by == "Ben")
            #expect(parent.removal?.effectiveAt == fixture.now.adding(seconds: Limits.removalNoticeSeconds))
            let twice = await refusal {
                try await fixture.announceRemoval(of: ada.person, by: ben)
            }
            #expect(twice == AppError(.conflict, FamilyMessage.removalAnnounced.text))
            let own = await refusal {
                try await fixture.announceRemoval(of: ben.person, by: ben)
            }
            #expect(own?.code == .forbidden)
            fixture.clock.advance(seconds: Limits.removalNoticeSeconds - 1)
            try await fixture.family.housekeeping.run()
            #expect(try await names(ben, fixture) == ["Ada", "Ben"])
            fixture.clock.advance(seconds: 1)
            let before = try await fixture.notices().count
            _ = await together((0..<4).map { _ in { try await fixture.family.housekeeping.run() } })
            #expect(try await names(ben, fixture) == ["Ben"])
            #expect(try await maker(ben, fixture) == ["Ben"])
            let told = try await fixture.notices().dropFirst(before)
            #expect(told.map(\.person).sorted() == [ada.person, ben.person].sorted())
            #expect(told.allSatisfy { $0.details["step"] == "removed" })
            #expect(told.first { $0.person == ada.person }?.details["isYou"] == "true")
            #expect(try await fixture.count("family_removal") == 0)
        }
    }

    @Test("A withdrawn or refused removal never takes effect", arguments: Engine.allCases)
    func ended(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            fixture.clock.advance(milliseconds: 1)
            let ben = try await fixture.parent("Ben", with: ada)
            let cleo = try await fixture.parent("Cleo", with: ada)
            let family = fixture.family
            fixture.passMembershipTime()
            let nothing = await refusal { try await family.removals.end(of: cleo.person, by: Change(actor: ada)) }
            #expect(nothing?.code == .notFound)
            try await fixture.announceRemoval(of: cleo.person, by: ben)
            try await family.removals.end(of: cleo.person, by: Change(actor: ada))
            #expect(try await fixture.count("family_removal") == 0)
            fixture.clock.advance(seconds: Limits.removalRepeatSeconds)
            try await fixture.announceRemoval(of: cleo.person, by: ben)
            try await family.removals.end(of: cleo.person, by: Change(actor: cleo))
            let again = await refusal { try await fixture.announceRemoval(of: cleo.person, by: ben) }
            #expect(again == AppError(.conflict, FamilyMessage.removalRefused.text))
            let refused = try await family.parents.parent(cleo.person, for: ben)
            #expect(refused.removal?.refusedAt == fixture.now)
            // The parent who created the household doesn't have to wait.
            fixture.clock.advance(seconds: Limits.removalNoticeSeconds)
            try await family.housekeeping.run()
            #expect(try await names(ben, fixture) == ["Ada", "Ben", "Cleo"])
            #expect(try await fixture.count("family_removal") == 0)
            try await fixture.announceRemoval(of: cleo.person, by: ben)
            // The announcement is deleted with the parent who announced it.
            try await fixture.remove(ben.person, by: ben)
            #expect(try await fixture.count("family_removal") == 0)
        }
    }

    @Test("A deleted account leaves the children with the others, who are notified", arguments: Engine.allCases)
    func deleted(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            _ = try await fixture.child(of: ada)
            func note(_ actor: Actor) async throws -> String? {
                try await fixture.database.read { tx in try fixture.dataHandler.erasureNote(of: actor.person, in: tx) }
            }
            #expect(try await note(ada) == FamilyMessage.deletionTakesChildren.text)
            fixture.clock.advance(milliseconds: 1)
            let ben = try await fixture.parent("Ben", with: ada)
            fixture.clock.advance(milliseconds: 1)
            let cleo = try await fixture.parent("Cleo", with: ada)
            #expect(try await note(ada) == FamilyMessage.deletionLeavesChildren.text)
            fixture.passMembershipTime()
            try await fixture.announceRemoval(of: cleo.person, by: ada)
            let before = try await fixture.notices().count
            try await erase(ada.person, fixture)
            let told = try await fixture.notices().filter { $0.kind == "parentLeft" }
            #expect(Set(told.map(\.person)) == [ben.person, cleo.person])
            #expect(told.allSatisfy { $0.subject == "Ada" })
            #expect(before > 0)
            #expect(try await maker(cleo, fixture) == ["Ben"])
            let stranger = try await fixture.parent("Dora")
            #expect(try await note(stranger) == nil)
        }
    }

    @Test("Open invitations are listed, and a revoked one can't be used", arguments: Engine.allCases)
    func invitations(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child(of: ada)
            let first = try await fixture.invite(by: ada)
            fixture.clock.advance(milliseconds: 1)
            let second = try await fixture.invite(by: ben)
            let open = try await fixture.family.invitations.list(for: ada)
            #expect(open.map(\.id) == [second.id, first.id])
            #expect(open.map(\.byName) == ["Ben", "Ada"])
            #expect(open.map(\.expiresAt) == [second.expiresAt, first.expiresAt])
            let child = await refusal { _ = try await fixture.family.invitations.list(for: fixture.asking(kim)) }
            #expect(child?.code == .forbidden)
            let stranger = try await fixture.parent("Dora")
            let denied = await refusal {
                try await fixture.family.invitations.revoke(first.id, by: Change(actor: stranger))
            }
            #expect(denied?.code == .notFound)
            try await fixture.family.invitations.revoke(first.id, by: Change(actor: ben))
            let again = await refusal { try await fixture.family.invitations.revoke(first.id, by: Change(actor: ben)) }
            #expect(again?.code == .notFound)
            let join = await refusal {
                _ = try await fixture.family.invitationAcceptances.accept(
                    first.code, clientAddress: "192.0.2.9", by: Change(actor: stranger))
            }
            #expect(join?.code == .notFound)
            fixture.clock.advance(seconds: Limits.invitationSeconds)
            #expect(try await fixture.family.invitations.list(for: ada).isEmpty)
        }
    }

    @Test("A new password revokes invitations and the children's open codes", arguments: Engine.allCases)
    func passwords(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            _ = try await fixture.invite(by: ada)
            let kept = try await fixture.invite(by: ben)
            let kim = try await fixture.child(of: ada)
            let open = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada))
            let now = fixture.now
            try await fixture.database.write { tx in
                try fixture.dataHandler.revokeGrants(
                    of: ada.person, endsChildSessions: false, now: now, in: tx)
            }
            #expect(try await fixture.family.invitations.list(for: ada).map(\.id) == [kept.id])
            #expect(try await fixture.family.signInCodes.state(open.id, of: kim, for: ada) == .revoked)
            // A reset does the same.
            let link = try await fixture.accounts.administrators.resetLink(email: "\(ben.person)@example.org")
            let code = try #require(link.split(separator: "/").last)
            try await fixture.accounts.passwordResets.reset(code: String(code), password: "another battery")
            #expect(try await fixture.family.invitations.list(for: ada).isEmpty)
        }
    }

    @Test("A password reset signs out the children's devices only if the form says so", arguments: Engine.allCases)
    func childSessions(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let stranger = try await fixture.parent("Cleo")
            #expect(try await !fixture.hasChildDevices(ada))
            let kim = try await fixture.child(of: ada)
            let device = try await fixture.signedIn(kim, of: ada)
            for parent in [ada, ben] { #expect(try await fixture.hasChildDevices(parent)) }
            #expect(try await !fixture.hasChildDevices(stranger))
            func code() async throws -> String {
                let link = try await fixture.accounts.administrators.resetLink(email: "\(ben.person)@example.org")
                return String(try #require(link.split(separator: "/").last))
            }
            func isSignedIn() async throws -> Bool {
                try await fixture.accounts.authenticator.authenticate(token: device.token, kind: .bearer) != nil
            }
            let first = try await code()
            #expect(try await fixture.accounts.passwordResets.details(ofCode: first)?.hasChildDevices == true)
            #expect(try await fixture.accounts.passwordResets.details(ofCode: "unknown") == nil)
            try await fixture.accounts.passwordResets.reset(code: first, password: "another battery")
            #expect(try await isSignedIn())
            let told = try await fixture.told {
                try await fixture.accounts.passwordResets.reset(
                    code: try await code(), password: "another staple", endsChildSessions: true)
            }
            #expect(try await !isSignedIn())
            #expect(told[kim]?.contains("session /account/sessions/\(device.session.id)") == true)
            #expect(told[ada.person]?.contains("session /family/children/\(kim)") == true)
            #expect(try await !fixture.hasChildDevices(ada))
        }
    }

    @Test("Every transaction requires the date of birth, without a cache", arguments: Engine.allCases)
    func dateOfBirth(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            _ = try await fixture.family.children.list(for: ada, after: nil, limit: 1)
            let change = ProfileChanges(dateOfBirth: .clear)
            let cleared = await refusal {
                _ = try await fixture.accounts.profiles.update(change, by: Change(actor: ada))
            }
            #expect(cleared?.code == .invalid)
            #expect(cleared?.fields["dateOfBirth"] != nil)
            #expect(try await fixture.family.households.me(for: ada).dateOfBirth == "1985-05-01")
            // An account without a date of birth gets the error at once.
            try await fixture.database.write { tx in
                try tx.execute("UPDATE account SET date_of_birth = NULL WHERE id = \(ada.person)")
            }
            let error = await refusal { _ = try await fixture.family.children.list(for: ada, after: nil, limit: 1) }
            #expect(error?.fields["dateOfBirth"] != nil)
        }
    }
}

extension FamilyFixture {
    fileprivate func hasChildDevices(_ parent: Actor) async throws -> Bool {
        try await accounts.passwords.signInMethodsWithChildDevices(of: parent).hasChildDevices
    }
}
