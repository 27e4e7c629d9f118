import Accounts
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Evidence in the ledger")
struct EvidenceTests {
    /// A change of a sealed row, and what the audit says about it.
    struct Tampering: Sendable, CustomTestStringConvertible {
        let column: String
        let change: SQL
        let firstByte: Int?
        var testDescription: String { column }
    }

    private static let tamperings = [
        Tampering(column: "note", change: "note = 'It is Late'", firstByte: 6),
        Tampering(column: "role", change: "role = 'ownes'", firstByte: 4),
        Tampering(column: "event", change: "event = 'dispuse'", firstByte: 5),
        Tampering(column: "digest", change: "digest = '!' || substr(digest, 2)", firstByte: 0),
    ]

    private func disputed(_ fixture: CarrepsaFixture) async throws -> ID<Package> {
        let ada = try await fixture.person("Ada")
        let ben = try await fixture.person("Ben")
        let id = try await fixture.travelling(by: ben, of: ada)
        _ = try await fixture.carrepsa.disputes.open(id, reason: "It is late", by: Change(actor: ada))
        return id
    }

    @Test(
        "The audit names the changed byte of a sealed entry of the history", arguments: Engine.allCases, tamperings)
    func changed(engine: Engine, tampering: Tampering) async throws {
        try await withFixture(engine) { fixture in
            let id = try await disputed(fixture)
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
            try await fixture.database.write { tx in
                try tx.execute("UPDATE carrepsa_story SET \(sql: tampering.change) WHERE event = 'dispute'")
            }
            #expect(try await fixture.verify().isSound, "the ledger itself is as it was written")
            let findings = try await fixture.carrepsa.evidenceAudit.findings()
            #expect(findings.map(\.row) == ["\(id)/4"])
            #expect(findings.map(\.table) == ["carrepsa_story"])
            #expect(findings.map(\.column) == [tampering.column])
            #expect(findings.map(\.firstByte) == [tampering.firstByte])
        }
    }

    @Test("The audit names a package whose sealed entry was deleted or added", arguments: Engine.allCases)
    func deleted(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let id = try await disputed(fixture)
            try await fixture.database.write { tx in
                try tx.execute("UPDATE carrepsa_story SET digest = NULL WHERE event = 'dispute'")
            }
            let missing = try await fixture.carrepsa.evidenceAudit.findings()
            #expect(missing.map(\.row) == [id.description])
            let digest = SHA256Text.digest(of: "x")
            try await fixture.database.write { tx in
                try tx.execute("UPDATE carrepsa_story SET digest = \(digest) WHERE number = 1")
            }
            let forged = try await fixture.carrepsa.evidenceAudit.findings()
            #expect(forged.map(\.row) == ["\(id)/1"])
            try await fixture.checkMoney()
        }
    }

    @Test("A decided package stays sound when its parties' accounts are deleted", arguments: Engine.allCases)
    func erased(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let olga = try await fixture.person("Olga", isOperator: true)
            let id = try await fixture.travelling(by: ben, of: ada)
            _ = try await fixture.carrepsa.disputes.open(id, reason: "It is late", by: Change(actor: ada))
            try await fixture.settle(id, .refunded, by: olga, between: ada, and: ben)
            for actor in [ada, ben] {
                try await fixture.database.write { tx in
                    try PackageStore.forget(actor.person, in: tx)
                    try tx.execute("DELETE FROM account WHERE id = \(actor.person)")
                }
                #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
            }
            #expect(try await fixture.count("carrepsa_story") == 0)
            #expect(try await fixture.verify().isSound)
        }
    }
}
