import Accounts
import Kernel
import Ledger
import Pictures
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Photos of the handovers")
struct ProofTests {
    private static let photo = Array("a photo".utf8)

    private func add(
        _ fixture: CarrepsaFixture, to id: ID<Package>, by actor: Actor, note: String? = "A dent on the left"
    ) async throws {
        let picture = try await fixture.picture(of: actor)
        _ = try await fixture.carrepsa.proofs.add(
            picture, note: note, to: id, reading: { _ in Self.photo }, by: Change(actor: actor))
    }

    private func findings(_ fixture: CarrepsaFixture, file: [UInt8]? = photo) async throws -> [String] {
        try await fixture.carrepsa.evidenceAudit.findings { _ in file }.map { "\($0.table) \($0.column ?? "")" }
    }

    @Test(
        "Owner and carrier see the photos of a handover; a stranger and a later carrier don't",
        arguments: Engine.allCases)
    func seen(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let cleo = try await fixture.person("Cleo")
            let id = try await fixture.accepted(by: ben, of: ada)
            try await add(fixture, to: id, by: ben)
            for actor in [ada, ben] {
                let proofs = try await fixture.carrepsa.packages.details(of: id, for: actor).proofs
                #expect(proofs.map(\.note) == ["A dent on the left"] && proofs.map(\.step) == [.pickup])
                #expect(proofs.map(\.digest) == [SHA256Text.digest(of: Self.photo)])
                let picture = try #require(proofs.first?.pictureID)
                let isShown = try await fixture.database.read { tx in
                    try CarrepsaServices.pictureVisibility.isVisible(picture, to: actor.person, in: tx)
                }
                #expect(isShown)
            }
            let error = await refusal { try await add(fixture, to: id, by: cleo) }
            #expect(error?.code == .notFound)
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ben))
            fixture.clock.advance(seconds: 1)
            for actor in [cleo, ben] {
                let details = try await fixture.carrepsa.packages.details(of: id, for: actor)
                #expect(details.proofs.isEmpty && details.history.allSatisfy { $0.note == nil })
            }
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: cleo))
            try await add(fixture, to: id, by: cleo, note: "None")
            let later = try await fixture.carrepsa.packages.details(of: id, for: cleo)
            #expect(later.proofs.map(\.note) == ["None"])
            #expect(later.history.compactMap(\.note) == ["None"])
        }
    }

    @Test(
        "A required photo blocks the pickup and the carrier's confirmation until there is one",
        arguments: Engine.allCases)
    func required(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            var input = CarrepsaFixture.parcel()
            input.requiresPhotos = true
            let id = try await fixture.carrepsa.packages.create(input, by: Change(actor: ada)).package.id
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
            let handovers = fixture.carrepsa.handovers
            let details = try await fixture.carrepsa.packages.details(of: id, for: ada)
            #expect(details.blocked[.confirmPickup] == .photosNeeded)
            let early = await refusal { _ = try await handovers.confirmPickup(id, code: nil, by: Change(actor: ada)) }
            #expect(early?.code == .conflict)
            try await add(fixture, to: id, by: ada)
            _ = try await handovers.confirmPickup(id, code: nil, by: Change(actor: ada))
            let code = try await handovers.createCode(id, step: .delivery, by: ada).code
            for work in [
                { _ = try await handovers.confirmDelivery(id, code: code, by: Change(actor: ben)) },
                { _ = try await handovers.reportDelivery(id, by: Change(actor: ben)) },
            ] as [@Sendable () async throws -> Void] {
                #expect(await refusal(work)?.code == .conflict, "the pickup's photo isn't one of the delivery")
            }
            try await add(fixture, to: id, by: ben)
            _ = try await handovers.confirmDelivery(id, code: code, by: Change(actor: ben))
            #expect(try await fixture.balances(ada, ben) == [95_00, 105_00])
            try await fixture.checkMoney()
        }
    }

    @Test(
        "The owner confirms a delivery without a required photo; a cancelled acceptance needs another",
        arguments: Engine.allCases)
    func withoutPhoto(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            var input = CarrepsaFixture.parcel()
            input.requiresPhotos = true
            let id = try await fixture.carrepsa.packages.create(input, by: Change(actor: ada)).package.id
            for isSecond in [false, true] {
                _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
                let blocked = try await fixture.carrepsa.packages.details(of: id, for: ada).blocked
                #expect(blocked[.confirmPickup] == .photosNeeded)
                try await add(fixture, to: id, by: ada)
                if !isSecond { _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ada)) }
            }
            let owner = Change(actor: ada)
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: owner)
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: owner)
            #expect(try await fixture.state(id) == .delivered)
        }
    }

    @Test("A package has at most twenty photos, each from the own library", arguments: Engine.allCases)
    func bounded(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.travelling(by: ben, of: ada)
            let others = try await fixture.picture(of: ben)
            let error = await refusal {
                _ = try await fixture.carrepsa.proofs.add(
                    others, note: nil, to: id, reading: { _ in Self.photo }, by: Change(actor: ada))
            }
            #expect(error?.fields["pictureId"] != nil)
            let missing = await refusal {
                _ = try await fixture.carrepsa.proofs.add(
                    nil, note: nil, to: id, reading: { _ in Self.photo }, by: Change(actor: ada))
            }
            #expect(missing?.fields["pictureId"] != nil)
            for _ in 0..<Limits.packageProofs { try await add(fixture, to: id, by: ada, note: nil) }
            #expect(await refusal { try await add(fixture, to: id, by: ben) }?.code == .conflict)
        }
    }

    @Test("The audit names a changed photo, note and hash, and a deleted photo", arguments: Engine.allCases)
    func changed(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.travelling(by: ben, of: ada)
            try await add(fixture, to: id, by: ben)
            #expect(try await findings(fixture) == [])
            #expect(try await findings(fixture, file: Array("a phota".utf8)) == ["carrepsa_proof picture_id"])
            #expect(try await findings(fixture, file: nil) == ["carrepsa_proof picture_id"])
            try await fixture.database.write { tx in
                try tx.execute("UPDATE carrepsa_story SET note = 'A dent on the lefT' WHERE event = 'addProof'")
            }
            #expect(try await findings(fixture) == ["carrepsa_story note"])
            let forged = SHA256Text.digest(of: "another photo")
            try await fixture.database.write { tx in
                try tx.execute(
                    """
                    UPDATE carrepsa_story SET note = 'A dent on the left', digest = \(forged) WHERE event = 'addProof'
                    """
                )
            }
            #expect(try await findings(fixture) == ["carrepsa_story ", "carrepsa_proof picture_id"])
            let right = SHA256Text.digest(of: Self.photo)
            try await fixture.database.write { tx in
                try tx.execute("UPDATE carrepsa_story SET digest = \(right) WHERE event = 'addProof'")
                try tx.execute("UPDATE carrepsa_proof SET picture_id = NULL")
            }
            #expect(try await findings(fixture) == ["carrepsa_proof picture_id"])
            try await fixture.database.write { tx in try tx.execute("DELETE FROM carrepsa_proof") }
            #expect(try await findings(fixture) == ["carrepsa_proof "])
        }
    }

    @Test("The deletion of an account deletes its photos, and their hashes stay valid", arguments: Engine.allCases)
    func erased(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.travelling(by: ben, of: ada)
            try await add(fixture, to: id, by: ben)
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: ada))
            try await fixture.database.write { tx in
                try PackageStore.forget(ben.person, in: tx)
                try tx.execute("UPDATE carrepsa_story SET person_id = NULL WHERE person_id = \(ben.person)")
                try PictureLibrary.removeAll(of: ben.person, in: tx)
            }
            #expect(try await findings(fixture, file: nil) == [])
            #expect(try await fixture.carrepsa.packages.details(of: id, for: ada).proofs.map(\.pictureID) == [nil])
        }
    }
}
