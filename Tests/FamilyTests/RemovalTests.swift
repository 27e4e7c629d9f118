import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

/// Collects sent mails.
private actor SentMails: Mailer {
    private(set) var mails: [String] = []

    func send(_ mail: OutgoingMail) async throws -> MailReply? {
        mails.append("\(mail.email.to): \(mail.email.subject)")
        return nil
    }
}

/// A parent must not be able to flood the feeds with announcements, or to remove another parent soon after joining.
@Suite("Rules of announced removals")
struct RemovalTests {
    /// Ada created the household, Ben and Cleo joined it, and Dora joined it a day before the present.
    private struct Parents: Sendable {
        let fixture: FamilyFixture
        let ada: Actor
        let ben: Actor
        let cleo: Actor
        let dora: Actor

        init(_ fixture: FamilyFixture) async throws {
            self.fixture = fixture
            ada = try await fixture.parent()
            ben = try await fixture.parent("Ben", with: ada)
            cleo = try await fixture.parent("Cleo", with: ada)
            fixture.passMembershipTime()
            dora = try await fixture.parent("Dora", with: ada)
            fixture.clock.advance(seconds: 24 * 60 * 60)
        }

        func announce(_ target: Actor, by actor: Actor) async -> AppError? {
            await refusal { try await fixture.announceRemoval(of: target.person, by: actor) }
        }

        func withdraw(_ target: Actor, by actor: Actor) async -> AppError? {
            await refusal { try await fixture.family.removals.end(of: target.person, by: Change(actor: actor)) }
        }
    }

    @Test("The earliest announcement is 7 days after joining, and 7 days after a withdrawal", arguments: [-1, 0, 6, 8])
    func earliest(withdrawnDay: Int64) {
        let day: Int64 = 24 * 60 * 60
        let joined = Instant(millisecondsSince1970: 1_000)
        let withdrawn = withdrawnDay < 0 ? nil : joined.adding(seconds: withdrawnDay * day)
        let waits = [
            joined.adding(seconds: Limits.removalMembershipSeconds),
            withdrawn?.adding(seconds: Limits.removalRepeatSeconds),
        ]
        #expect(
            RemovalRule.earliestAnnouncement(joinedAt: joined, withdrawnAt: withdrawn) == waits.compactMap(\.self).max()
        )
    }

    @Test("A parent announces a removal only after 7 days in the household", arguments: Engine.allCases)
    func membership(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let parents = try await Parents(fixture)
            let before = try await fixture.notices().count
            let early = await parents.announce(parents.ben, by: parents.dora)
            #expect(early == AppError(.forbidden, FamilyMessage.tooNewToAnnounce.text))
            #expect(try await fixture.notices().count == before)
            let shown = try await fixture.family.parents.parent(parents.ben.person, for: parents.dora)
            let at = try #require(shown.announceableAt)
            #expect(at > fixture.now)
            fixture.clock.set(at)
            fixture.clock.advance(milliseconds: -1)
            #expect(await parents.announce(parents.ben, by: parents.dora)?.code == .forbidden)
            fixture.clock.set(at)
            #expect(await parents.announce(parents.ben, by: parents.dora) == nil)
        }
    }

    @Test("In a new household no removal is announced, and its creator removes at once", arguments: Engine.allCases)
    func newHousehold(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            for (actor, target) in [(ada, ben), (ben, ada)] {
                let early = await refusal { try await fixture.announceRemoval(of: target.person, by: actor) }
                #expect(early == AppError(.forbidden, FamilyMessage.tooNewToAnnounce.text))
            }
            try await fixture.remove(ben.person, by: ada)
            #expect(try await fixture.family.parents.all(for: ada).count == 1)
        }
    }

    @Test("Only the announcer and the parent who created the household withdraw a removal", arguments: Engine.allCases)
    func withdrawing(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let parents = try await Parents(fixture)
            for withdrawer in [parents.ben, parents.ada] {
                #expect(await parents.announce(parents.cleo, by: parents.ben) == nil)
                let before = try await fixture.notices().count
                let accomplice = await parents.withdraw(parents.cleo, by: parents.dora)
                #expect(accomplice == AppError(.forbidden, FamilyMessage.announcerOnly.text))
                #expect(try await fixture.notices().count == before)
                let shown = try await fixture.family.parents.all(for: parents.dora)
                #expect(shown.allSatisfy { $0.removal?.canWithdraw != true })
                #expect(
                    try await fixture.family.parents.parent(parents.cleo.person, for: withdrawer).removal?.canWithdraw
                        == true)
                #expect(await parents.withdraw(parents.cleo, by: withdrawer) == nil)
                fixture.clock.advance(seconds: Limits.removalRepeatSeconds)
            }
        }
    }

    @Test("A withdrawn removal isn't announced again by the same parent for 7 days", arguments: Engine.allCases)
    func loop(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let parents = try await Parents(fixture)
            #expect(await parents.announce(parents.cleo, by: parents.ben) == nil)
            #expect(await parents.withdraw(parents.cleo, by: parents.ben) == nil)
            let before = try await fixture.notices().count
            for _ in 0..<5 {
                let again = await parents.announce(parents.cleo, by: parents.ben)
                #expect(again == AppError(.conflict, FamilyMessage.announcedBefore.text))
            }
            #expect(try await fixture.notices().count == before)
            let shown = try await fixture.family.parents.parent(parents.cleo.person, for: parents.ben)
            #expect(shown.announceableAt == fixture.now.adding(seconds: Limits.removalRepeatSeconds))
            // This doesn't bind another parent, or the same parent about another one.
            #expect(await parents.announce(parents.ada, by: parents.ben) == nil)
            #expect(await parents.announce(parents.cleo, by: parents.ada) == nil)
            #expect(await parents.withdraw(parents.cleo, by: parents.ada) == nil)
            fixture.clock.advance(seconds: Limits.removalRepeatSeconds - 1)
            try await fixture.family.housekeeping.run()
            #expect(await parents.announce(parents.cleo, by: parents.ben)?.code == .conflict)
            fixture.clock.advance(seconds: 1)
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.count("family_withdrawn_removal") == 0)
            #expect(await parents.announce(parents.cleo, by: parents.ben) == nil)
        }
    }

    @Test("Withdrawn removals are deleted with their parents and their household", arguments: Engine.allCases)
    func cleaning(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let parents = try await Parents(fixture)
            for (announcer, target) in [(parents.ben, parents.cleo), (parents.ada, parents.ben)] {
                #expect(await parents.announce(target, by: announcer) == nil)
                #expect(await parents.withdraw(target, by: announcer) == nil)
            }
            #expect(try await fixture.count("family_withdrawn_removal") == 2)
            try await fixture.remove(parents.cleo.person, by: parents.cleo)
            #expect(try await fixture.count("family_withdrawn_removal") == 1)
            for person in [parents.ben, parents.dora, parents.ada].map(\.person) {
                try await fixture.database.write { tx in try fixture.dataHandler.erase(person, in: tx) }
            }
            #expect(try await fixture.count("family_withdrawn_removal") == 0)
        }
    }

    @Test("The export of a parent contains the removals of the household", arguments: Engine.allCases)
    func export(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let parents = try await Parents(fixture)
            #expect(await parents.announce(parents.cleo, by: parents.ben) == nil)
            #expect(await parents.withdraw(parents.cleo, by: parents.ben) == nil)
            #expect(await parents.announce(parents.ben, by: parents.ada) == nil)
            for reader in [parents.ada, parents.ben, parents.dora] {
                let files = try await fixture.database.read { tx in
                    try fixture.dataHandler.export(reader.person, in: tx)
                }
                let file = try #require(files.first { $0.path == "family/removals.json" })
                let text = String(decoding: file.contents, as: UTF8.self)
                #expect(text.contains(#""parent":"Cleo""#) && text.contains(#""parent":"Ben""#), "\(text)")
                #expect(text.contains(#""announcedBy":"Ben""#) && text.contains(#""announcedBy":"Ada""#))
                #expect(text.contains(fixture.now.adding(seconds: Limits.removalNoticeSeconds).rfc3339))
                #expect(text.contains("withdrawnAt"))
            }
        }
    }

    @Test("A parent who leaves or is removed gets a mail, and one who leaves also a notification")
    func mail() async throws {
        let sent = SentMails()
        let mail = MailSettings(mailer: sent, secrets: try SecretBox(key: [UInt8](repeating: 9, count: 32)))
        try await withFixture(.sqlite, mail: mail) { fixture in
            let parents = try await Parents(fixture)
            try await fixture.remove(parents.cleo.person, by: parents.cleo)
            try await fixture.remove(parents.ben.person, by: parents.ada)
            try await fixture.announceRemoval(of: parents.dora.person, by: parents.ada)
            await fixture.accounts.mailSender.sendDueMails()
            fixture.clock.advance(seconds: Limits.removalNoticeSeconds)
            try await fixture.family.housekeeping.run()
            await fixture.accounts.mailSender.sendDueMails()
            let removed = "You were removed from your family"
            let expected = [
                "\(parents.cleo.person)@example.org: You left your family",
                "\(parents.ben.person)@example.org: \(removed)", "\(parents.dora.person)@example.org: \(removed)",
            ]
            #expect(await sent.mails.sorted() == expected.sorted())
            let own = try await fixture.notices().filter { $0.person == parents.cleo.person && $0.kind == "parentLeft" }
            #expect(own.map { $0.details["isYou"] } == ["true"])
        }
    }

    @Test(
        "Erasing, leaving, removing, announcing and inviting require a proof, and change nothing without one",
        arguments: Engine.allCases)
    func proofs(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let parents = try await Parents(fixture)
            let (ada, ben, cleo) = (parents.ada, parents.ben, parents.cleo)
            let family = fixture.family
            let kim = try await fixture.child(of: ada)
            try await family.childDeletions.delete(kim, by: Change(actor: ada))
            let acts: [(SensitiveAct, Actor, @Sendable () async throws -> Void)] = [
                (.eraseChild, ben, { try await family.childDeletions.erase(kim, by: Change(actor: ben)) }),
                (.inviteParent, ada, { _ = try await family.invitations.create(by: Change(actor: ada)) }),
                (
                    .removeParent, ben,
                    {
                        _ = try await family.removals.announce(of: cleo.person, by: Change(actor: ben))
                    }
                ),
                (.removeParent, ada, { try await family.parents.remove(cleo.person, by: Change(actor: ada)) }),
                (.leaveFamily, ben, { try await family.parents.remove(ben.person, by: Change(actor: ben)) }),
            ]
            for (act, actor, perform) in acts {
                try await fixture.database.write { tx in try tx.execute("DELETE FROM proof") }
                let before = try await fixture.notices().count
                for other in SensitiveAct.allCases where other != act { try await fixture.prove(other, actor) }
                let error = await refusal { try await perform() }
                #expect(error?.code == .invalid, "\(act)")
                #expect(error?.fields.keys.sorted() == ["password"], "\(act)")
                #expect(try await fixture.notices().count == before, "\(act)")
                try await fixture.prove(act, actor)
                #expect(await refusal { try await perform() } == nil, "\(act)")
                // The action has used the proof up.
                #expect(
                    try await fixture.count("proof WHERE act = \(act.rawValue) AND session_id = \(actor.session)") == 0)
            }
        }
    }
}
