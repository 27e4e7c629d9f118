import Accounts
import Kernel
import Ledger
import Notifications
import Pictures
import Storage
import TestSupport
import Testing

@testable import Carrepsa

extension CarrepsaFixture {
    /// Pays out what isn't welcome money, and deletes the account with everything that this module and the library of
    /// pictures have of it.
    func delete(_ actor: Actor) async throws {
        let amount = try await carrepsa.wallets.wallet(of: actor).payable
        if amount > 0 {
            _ = try await carrepsa.payments.payOut(
                email: actor.person.description, amountMinor: amount, transferID: ID<Transfer>(at: now, random: random))
        }
        try await database.write { tx in
            try carrepsa.dataHandler.erase(actor.person, in: tx)
            try PictureLibrary.removeAll(of: actor.person, in: tx)
            try tx.execute("DELETE FROM account WHERE id = \(actor.person)")
        }
    }

    /// Blocks new people until no more can be blocked.
    func fillBlocks(of actor: Actor) async throws {
        let now = now
        let blocked = try await database.read { tx in try BlockStore.count(of: actor.person, in: tx) }
        let people = (blocked..<Limits.blockedPeople).map { _ in PersonID(at: now, random: random) }
        try await database.write { tx in
            for person in people {
                let email = "\(person)@example.org"
                try tx.execute(
                    """
                    INSERT INTO account (id, role, email, email_key, name, theme, is_operator, created_at)
                    VALUES (\(person), 'adult', \(email), \(email), 'Dan', 'standard', \(false), \(now))
                    """
                )
                try BlockStore.insert(person, of: actor.person, now: now, in: tx)
            }
        }
    }
}

@Suite("Safety of messages")
struct MessageSafetyTests {
    @Test("A former carrier reads and reports after the owner withdraws and leaves", arguments: Engine.allCases)
    func withdrawn(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(3)
            let (ada, ben) = (people[0], people[1])
            let id = try await fixture.accepted(by: ben, of: ada)
            let rude = try await fixture.write("You fool", about: id, by: ada)
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ada))
            try await fixture.carrepsa.packages.withdraw(id, by: Change(actor: ada))
            #expect(try await fixture.texts(id, ben) == ["You fool"])
            #expect(try await fixture.texts(id, ada) == ["You fool"])
            #expect(try await fixture.texts(id, people[2]) == nil)
            for actor in [ada, ben] {
                let error = await refusal { try await fixture.write("Hello", about: id, by: actor) }
                #expect(error?.message == CarrepsaMessage.conversationEnded.text)
            }
            try await fixture.carrepsa.messageReports.report(
                rude.id, about: id, reason: "An insult", blocks: true, by: Change(actor: ben))
            let olga = try await fixture.person("Olga", isOperator: true)
            let reports = try await fixture.carrepsa.messageReports.list(for: olga, after: nil, limit: 10).items
            #expect(reports.map(\.message.text) == ["You fool"])
            try await fixture.delete(ada)
            #expect(try await fixture.texts(id, ben) == [nil])
            #expect(try await fixture.stored(id)?.from == "")
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
            // The last reader takes the package along.
            try await fixture.delete(ben)
            #expect(try await fixture.count("carrepsa_package") == 0)
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("A withdrawn package without messages has no conversation", arguments: Engine.allCases)
    func withdrawnWithoutMessages(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let id = try await fixture.accepted(by: people[1], of: people[0])
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: people[0]))
            try await fixture.carrepsa.packages.withdraw(id, by: Change(actor: people[0]))
            for actor in people { #expect(try await fixture.texts(id, actor) == nil) }
            try await fixture.delete(people[0])
            #expect(try await fixture.count("carrepsa_package") == 0)
        }
    }

    @Test("An administrator who carried the package before reads no later message", arguments: Engine.allCases)
    func formerCarrierAsAdministrator(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(3)
            let (ada, ben, cleo) = (people[0], people[1], people[2])
            let olga = try await fixture.person("Olga", isOperator: true)
            let id = try await fixture.accepted(by: ben, of: ada)
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ada))
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: cleo))
            let picture = try await fixture.picture(of: ada)
            _ = try await fixture.carrepsa.messages.send(
                PackageMessageInput(text: "To Cleo", pictureID: picture, place: nil), about: id,
                by: Change(actor: ada))
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: ada))
            _ = try await fixture.carrepsa.disputes.open(id, reason: "It is late", by: Change(actor: ada))
            try await fixture.database.write { tx in
                try tx.execute("UPDATE account SET is_operator = 1 WHERE id = \(ben.person)")
            }
            #expect(try await fixture.texts(id, ben) == nil)
            #expect(try await fixture.texts(id, olga) == ["To Cleo"])
            let shown = try await fixture.database.read { tx in
                try [ben, olga, cleo].map { try MessageStore.isPictureShown(picture, to: $0.person, in: tx) }
            }
            #expect(shown == [false, true, true])
        }
    }

    @Test("Texts of an account that an earlier release deleted are erased", arguments: Engine.allCases)
    func orphaned(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let (ada, ben) = (people[0], people[1])
            let id = try await fixture.travelling(by: ben, of: ada)
            try await fixture.write("My door code is 1234", about: id, by: ada)
            try await fixture.write("Thanks", about: id, by: ben)
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: ada))
            for actor in people {
                _ = try await fixture.carrepsa.reviews.write(
                    PackageReviewInput(words: [.onTime], text: "Good"), about: id, by: Change(actor: actor))
                _ = try? await fixture.carrepsa.reviews.reply("Thanks", about: id, by: Change(actor: ada))
            }
            let columns: [(table: SQL, column: SQL)] = [
                ("carrepsa_message", "author_id"), ("carrepsa_review", "author_id"), ("carrepsa_review", "subject_id"),
                ("carrepsa_review_reply", "author_id"),
            ]
            try await fixture.database.write { tx in
                for (table, column) in columns {
                    try tx.execute(
                        "UPDATE \(sql: table) SET \(sql: column) = NULL WHERE \(sql: column) = \(ada.person)")
                }
            }
            try await fixture.carrepsa.housekeeping.run()
            let left = try await fixture.database.read { tx in
                try ["carrepsa_message", "carrepsa_review", "carrepsa_review_reply"].map { (table: SQL) -> Int64 in
                    try tx.row(
                        "SELECT COUNT(*) AS n FROM \(sql: table) WHERE body IS NOT NULL OR salt IS NOT NULL"
                    )?.get("n") ?? 0
                }
            }
            #expect(left == [1, 0, 0])
            #expect(try await fixture.texts(id, ben) == [nil, "Thanks"])
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
        }
    }
}
