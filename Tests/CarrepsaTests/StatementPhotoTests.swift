import Accounts
import Kernel
import Ledger
import Pictures
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Photos of statements")
struct StatementPhotoTests {
    private static let photo = Array("a photo".utf8)

    /// A package in dispute whose carrier has added a statement with a photo.
    private struct Dispute {
        let fixture: CarrepsaFixture
        let ada, ben, olga: Actor
        let id: ID<Package>
        let picture: ID<Picture>

        init(_ fixture: CarrepsaFixture) async throws {
            self.fixture = fixture
            (ada, ben) = (try await fixture.person("Ada"), try await fixture.person("Ben"))
            olga = try await fixture.person("Olga", isOperator: true)
            id = try await fixture.travelling(by: ben, of: ada)
            _ = try await fixture.carrepsa.disputes.open(id, reason: "It is wet", by: Change(actor: ada))
            picture = try await fixture.picture(of: ben)
            try await add(picture, by: ben)
        }

        func add(_ picture: ID<Picture>, by actor: Actor) async throws {
            _ = try await fixture.carrepsa.disputes.addStatement(
                id, text: "It was dry", picture: picture, reading: { _ in StatementPhotoTests.photo },
                by: Change(actor: actor))
        }

        func isShown(to actor: Actor) async throws -> Bool {
            try await fixture.database.read { tx in
                try CarrepsaServices.pictureVisibility.isVisible(picture, to: actor.person, in: tx)
            }
        }
    }

    @Test("Owner, carrier and administrator see the photo; other people don't", arguments: Engine.allCases)
    func seen(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let dispute = try await Dispute(fixture)
            for actor in [dispute.ada, dispute.ben, dispute.olga] {
                let details = try await fixture.carrepsa.packages.details(of: dispute.id, for: actor)
                #expect(details.history.compactMap(\.pictureID) == [dispute.picture])
                #expect(details.proofs.isEmpty, "it isn't a photo of a handover")
                #expect(try await dispute.isShown(to: actor))
            }
            let cleo = try await fixture.person("Cleo")
            #expect(try await !dispute.isShown(to: cleo))
            // An administrator who carried the package before has a part in it.
            let fay = try await fixture.person("Fay", isOperator: true)
            try await fixture.database.write { tx in
                try tx.execute(
                    """
                    INSERT INTO carrepsa_story (package_id, number, at, event, role, person_id)
                    VALUES (\(dispute.id), 0, \(fixture.now), 'accept', 'stranger', \(fay.person))
                    """)
            }
            #expect(try await !dispute.isShown(to: fay))
            let shown = try await fixture.carrepsa.packages.details(of: dispute.id, for: fay)
            #expect(shown.history.compactMap(\.pictureID).isEmpty && shown.history.contains { $0.note == "It was dry" })
            try await fixture.settle(
                dispute.id, .refunded, by: dispute.olga, between: dispute.ada, and: dispute.ben)
            #expect(try await !dispute.isShown(to: dispute.olga), "the dispute is over")
        }
    }

    @Test("A person who can't add a statement gets 404 before errors of the photo", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let dispute = try await Dispute(fixture)
            let disputes = fixture.carrepsa.disputes
            let cleo = try await fixture.person("Cleo")
            let absent = await refusal {
                _ = try await disputes.addStatement(
                    dispute.id, text: "Me too", picture: dispute.picture, by: Change(actor: cleo))
            }
            #expect(absent?.code == .notFound)
            let missing = await refusal {
                _ = try await disputes.addStatement(
                    dispute.id, text: "See", picture: dispute.picture, by: Change(actor: dispute.ada))
            }
            #expect(missing?.fields.keys.sorted() == ["pictureId"])
            let foreign = await refusal { try await dispute.add(dispute.picture, by: dispute.ada) }
            #expect(foreign != nil, "the picture is Ben's")
            #expect(try await fixture.count("carrepsa_proof") == 1)
        }
    }

    @Test("The audit names a changed photo, a missing row and a changed text", arguments: Engine.allCases)
    func audit(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let dispute = try await Dispute(fixture)
            _ = try await fixture.carrepsa.disputes.addStatement(
                dispute.id, text: "Without a photo", by: Change(actor: dispute.ada))
            func findings(_ file: [UInt8] = Self.photo) async throws -> [String] {
                try await fixture.carrepsa.evidenceAudit.findings { _ in file }.map { "\($0.table) \($0.column ?? "")" }
            }
            #expect(try await findings().isEmpty)
            #expect(try await findings(Self.photo + [0]) == ["carrepsa_proof picture_id"])
            try await fixture.database.write { tx in
                try tx.execute("UPDATE carrepsa_story SET note = 'It was dra' WHERE note = 'It was dry'")
            }
            #expect(try await findings() == ["carrepsa_story note"])
            try await fixture.database.write { tx in
                try tx.execute("UPDATE carrepsa_story SET note = 'It was dry' WHERE note = 'It was dra'")
                try tx.execute("DELETE FROM carrepsa_proof")
            }
            #expect(try await findings() == ["carrepsa_proof "])
        }
    }

    @Test("The deletion of the author's account deletes the photo; its hash stays", arguments: Engine.allCases)
    func erased(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let dispute = try await Dispute(fixture)
            let exported = try await fixture.database.read { tx in
                try StatementStore.page(of: dispute.ben.person, after: nil, limit: 10, in: tx)
            }
            #expect(exported.compactMap(\.picture) == [dispute.picture])
            try await fixture.settle(
                dispute.id, .refunded, by: dispute.olga, between: dispute.ada, and: dispute.ben)
            try await fixture.database.write { tx in try ProofStore.forget(dispute.ben.person, in: tx) }
            let details = try await fixture.carrepsa.packages.details(of: dispute.id, for: dispute.ada)
            #expect(details.history.compactMap(\.pictureID).isEmpty)
            #expect(details.history.contains { $0.note == "It was dry" })
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
        }
    }
}
