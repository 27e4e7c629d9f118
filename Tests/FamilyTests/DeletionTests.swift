import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Family

/// Collects sent mails.
private actor LetterCollector: Mailer {
    private(set) var mails: [(to: String, body: String)] = []

    func send(to: String, subject: String, body: String) async throws { mails.append((to, body)) }
}

@Suite("Deleted children")
struct DeletionTests {
    @Test("All parents see a deleted child for 7 days, and no child or stranger does", arguments: Engine.allCases)
    func list(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let ben = try await house.parent("Ben", with: ada)
            let stranger = try await house.parent("Eve")
            let kim = try await house.child("Kim", of: ada)
            let lee = try await house.child("Lee", of: ada)
            #expect(try await house.service.deletedChildren(for: ada).isEmpty)
            try await house.service.deleteChild(kim, by: Change(actor: ada))
            let deletedAt = house.now
            let expected = DeletedChild(
                member: try await house.service.deletedChild(kim, for: ben).member, deletedAt: deletedAt,
                restorableUntil: deletedAt.adding(seconds: 7 * 24 * 60 * 60))
            #expect(expected.member.name == "Kim")
            for parent in [ada, ben] {
                #expect(try await house.service.deletedChildren(for: parent) == [expected])
            }
            #expect(try await house.service.deletedChildren(for: stranger).isEmpty)
            let foreign = await refusal { _ = try await house.service.deletedChild(kim, for: stranger) }
            #expect(foreign?.code == .notFound)
            let sibling = await refusal { _ = try await house.service.deletedChildren(for: house.asking(lee)) }
            #expect(sibling?.code == .forbidden)
            house.clock.advance(seconds: Limits.childRestorationSeconds)
            #expect(try await house.service.deletedChildren(for: ada).isEmpty)
        }
    }

    @Test("An erased child loses its points, and only a deleted child can be erased", arguments: Engine.allCases)
    func erasure(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            let stranger = try await house.parent("Eve")
            let kim = try await house.child(of: ada)
            let chores = try await house.chores(1, of: ada)
            _ = try await house.service.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
            func erase(_ actor: Actor) async throws {
                if actor.role == .adult { try await house.prove(.eraseChild, actor) }
                try await house.service.eraseChild(kim, by: Change(actor: actor))
            }
            let present = await refusal { try await erase(ada) }
            #expect(present?.code == .notFound)
            try await house.service.deleteChild(kim, by: Change(actor: ada))
            let foreign = await refusal { try await erase(stranger) }
            #expect(foreign?.code == .notFound)
            try await erase(ada)
            #expect(try await house.count("account WHERE role = 'child'") == 0)
            #expect(try await house.count("family_assignment") == 0)
            #expect(try await house.service.deletedChildren(for: ada).isEmpty)
            let late = await refusal { _ = try await house.service.restoreChild(kim, by: Change(actor: ada)) }
            #expect(late?.code == .notFound)
            let again = await refusal { try await erase(ada) }
            #expect(again?.code == .notFound)
            try await house.checkPoints()
        }
    }

    @Test("A household has at most 60 deleted children", arguments: Engine.allCases)
    func full(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            for _ in 0..<Limits.deletedChildrenPerHousehold {
                let child = try await house.child(of: ada)
                house.clock.advance(milliseconds: 1)
                try await house.service.deleteChild(child, by: Change(actor: ada))
            }
            let last = try await house.child(of: ada)
            let error = await refusal { try await house.service.deleteChild(last, by: Change(actor: ada)) }
            #expect(error == AppError(.conflict, .tooManyDeleted))
            let deleted = try await house.service.deletedChildren(for: ada)
            #expect(deleted.count == Limits.deletedChildrenPerHousehold)
            #expect(deleted.map(\.deletedAt) == deleted.map(\.deletedAt).sorted(by: >))
            #expect(try await house.service.children(for: ada, after: nil, limit: 9).items.map(\.id) == [last])
        }
    }

    @Test("The feeds no longer offer to restore a child that is restored or erased", arguments: Engine.allCases)
    func withdrawn(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.parent()
            _ = try await house.parent("Ben", with: ada)
            let kim = try await house.child(of: ada)
            func steps() async throws -> [String?] {
                try await house.notices(.childDeletion).map { $0.details["step"] }.sorted { ($0 ?? "") < ($1 ?? "") }
            }
            try await house.service.deleteChild(kim, by: Change(actor: ada))
            #expect(try await steps() == ["deleted", "deleted"])
            _ = try await house.service.restoreChild(kim, by: Change(actor: ada))
            #expect(try await steps() == ["restored"])
            // A deletion in the same minute notifies again, because the earlier notification was removed.
            try await house.service.deleteChild(kim, by: Change(actor: ada))
            #expect(try await steps() == ["deleted", "deleted", "restored"])
            house.clock.advance(seconds: Limits.childRestorationSeconds)
            try await house.service.housekeeping()
            #expect(try await steps().isEmpty)
        }
    }

    @Test("Each parent gets a mail about a deletion, and at most 3 in an hour", arguments: Engine.allCases)
    func mail(engine: Engine) async throws {
        let letters = LetterCollector()
        let mail = MailSettings(mailer: letters, secrets: try SecretBox(key: [UInt8](repeating: 9, count: 32)))
        try await withHouse(engine, mail: mail) { house in
            let ada = try await house.parent()
            let ben = try await house.parent("Ben", with: ada)
            for parent in [ada, ben] {
                try await house.database.write { tx in
                    try tx.execute("UPDATE account SET email_verified_at = 1 WHERE id = \(parent.person)")
                }
            }
            let kim = try await house.child(of: ada)
            for round in 1...5 {
                house.clock.advance(seconds: 1)
                try await house.service.deleteChild(kim, by: Change(actor: ada))
                _ = try await house.service.restoreChild(kim, by: Change(actor: ada))
                await house.accounts.sendDueMails()
                for parent in [ada, ben] {
                    let mails = await letters.mails.filter { $0.to == "\(parent.person)@example.org" }
                    #expect(mails.count == min(round, Limits.mailsPerRecipient))
                    #expect(mails.allSatisfy { $0.body.contains("\(FamilyHouse.url)/family/deleted-children") })
                }
            }
        }
    }
}
