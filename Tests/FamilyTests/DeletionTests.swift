import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Family

/// Collects sent mails.
private actor MailCollector: Mailer {
    private(set) var mails: [Email] = []

    func send(_ mail: OutgoingMail) async throws -> MailReply? {
        mails.append(mail.email)
        return nil
    }
}

@Suite("Deleted children")
struct DeletionTests {
    @Test("All parents see a deleted child for 7 days, and no child or stranger does", arguments: Engine.allCases)
    func list(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let stranger = try await fixture.parent("Eve")
            let kim = try await fixture.child("Kim", of: ada)
            let lee = try await fixture.child("Lee", of: ada)
            #expect(try await fixture.family.childDeletions.list(for: ada).isEmpty)
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            let deletedAt = fixture.now
            let expected = DeletedChild(
                member: try await fixture.family.childDeletions.deletedChild(kim, for: ben).member,
                deletedAt: deletedAt,
                restorableUntil: deletedAt.adding(seconds: Limits.childRestorationSeconds))
            #expect(expected.member.name == "Kim")
            for parent in [ada, ben] {
                #expect(try await fixture.family.childDeletions.list(for: parent) == [expected])
            }
            #expect(try await fixture.family.childDeletions.list(for: stranger).isEmpty)
            let denied = await refusal { _ = try await fixture.family.childDeletions.deletedChild(kim, for: stranger) }
            #expect(denied?.code == .notFound)
            let sibling = await refusal { _ = try await fixture.family.childDeletions.list(for: fixture.asking(lee)) }
            #expect(sibling?.code == .forbidden)
            fixture.clock.advance(seconds: Limits.childRestorationSeconds)
            #expect(try await fixture.family.childDeletions.list(for: ada).isEmpty)
        }
    }

    @Test("An erased child loses its points, and only a deleted child can be erased", arguments: Engine.allCases)
    func erasure(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let stranger = try await fixture.parent("Eve")
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(1, of: ada)
            _ = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
            func erase(_ actor: Actor) async throws {
                if actor.role == .adult { try await fixture.prove(.eraseChild, actor) }
                try await fixture.family.childDeletions.erase(kim, by: Change(actor: actor))
            }
            let present = await refusal { try await erase(ada) }
            #expect(present?.code == .notFound)
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            let denied = await refusal { try await erase(stranger) }
            #expect(denied?.code == .notFound)
            try await erase(ada)
            #expect(try await fixture.count("account WHERE role = 'child'") == 0)
            #expect(try await fixture.count("family_assignment") == 0)
            #expect(try await fixture.family.childDeletions.list(for: ada).isEmpty)
            let late = await refusal {
                _ = try await fixture.family.childDeletions.restore(kim, by: Change(actor: ada))
            }
            #expect(late?.code == .notFound)
            let again = await refusal { try await erase(ada) }
            #expect(again?.code == .notFound)
            try await fixture.checkPoints()
        }
    }

    @Test("A household has at most 60 deleted children", arguments: Engine.allCases)
    func full(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            for _ in 0..<Limits.deletedChildrenPerHousehold {
                let child = try await fixture.child(of: ada)
                fixture.clock.advance(milliseconds: 1)
                try await fixture.family.childDeletions.delete(child, by: Change(actor: ada))
            }
            let last = try await fixture.child(of: ada)
            let error = await refusal { try await fixture.family.childDeletions.delete(last, by: Change(actor: ada)) }
            #expect(error == AppError(.conflict, .tooManyDeleted))
            let deleted = try await fixture.family.childDeletions.list(for: ada)
            #expect(deleted.count == Limits.deletedChildrenPerHousehold)
            #expect(deleted.map(\.deletedAt) == deleted.map(\.deletedAt).sorted(by: >))
            #expect(try await fixture.family.children.list(for: ada, after: nil, limit: 9).items.map(\.id) == [last])
        }
    }

    @Test("The feeds no longer offer to restore a child that is restored or erased", arguments: Engine.allCases)
    func withdrawn(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            _ = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child(of: ada)
            func steps() async throws -> [String?] {
                try await fixture.notices(.childDeletion).map { $0.details["step"] }.sorted { ($0 ?? "") < ($1 ?? "") }
            }
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            #expect(try await steps() == ["deleted", "deleted"])
            _ = try await fixture.family.childDeletions.restore(kim, by: Change(actor: ada))
            #expect(try await steps() == ["restored"])
            // A deletion in the same minute notifies again, because the earlier notification was removed.
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            #expect(try await steps() == ["deleted", "deleted", "restored"])
            fixture.clock.advance(seconds: Limits.childRestorationSeconds)
            try await fixture.family.housekeeping.run()
            #expect(try await steps().isEmpty)
        }
    }

    @Test("Each parent gets a mail about a deletion, and at most 3 in an hour", arguments: Engine.allCases)
    func mail(engine: Engine) async throws {
        let collector = MailCollector()
        let mail = MailSettings(mailer: collector, secrets: try SecretBox(key: [UInt8](repeating: 9, count: 32)))
        try await withFixture(engine, mail: mail) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            for parent in [ada, ben] {
                try await fixture.database.write { tx in
                    try tx.execute("UPDATE account SET email_verified_at = 1 WHERE id = \(parent.person)")
                }
            }
            let kim = try await fixture.child(of: ada)
            for round in 1...5 {
                fixture.clock.advance(seconds: 1)
                try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
                _ = try await fixture.family.childDeletions.restore(kim, by: Change(actor: ada))
                await fixture.accounts.mailSender.sendDueMails()
                for parent in [ada, ben] {
                    let mails = await collector.mails.filter { $0.to == "\(parent.person)@example.org" }
                    #expect(mails.count == min(round, Limits.mailsPerRecipient))
                    #expect(mails.allSatisfy { $0.body.contains("\(FamilyFixture.url)/family/deleted-children") })
                }
            }
        }
    }
}
