import Accounts
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@testable import Carrepsa

/// What `homeward verify` says about changed and deleted rows, for every table of ``EvidenceAudit``.
@Suite("Sealed tables")
struct SealedTablesTests {
    /// The columns that identify a row of each table. A new sealed table must be added here.
    private static let keys: [String: String] = [
        "carrepsa_story": "number", "carrepsa_message": "id", "carrepsa_review": "id",
        "carrepsa_review_reply": "review_id",
    ]

    /// The columns of which the database itself refuses some values: a reference, and a number that is at least 1.
    private static let protected: Set<String> = ["conversation_id", "number"]

    private static let photo = Array("a photo".utf8)

    /// Creates rows of every sealed table: a dispute with a statement, an offer, a decision and an appeal; and a
    /// delivery with a photo, messages, reviews and a reply.
    private static func fill(_ fixture: CarrepsaFixture) async throws -> (disputed: ID<Package>, delivered: ID<Package>)
    {
        let (ada, ben) = (try await fixture.person("Ada"), try await fixture.person("Ben"))
        let olga = try await fixture.person("Olga", isOperator: true)
        let (disputes, messages) = (fixture.carrepsa.disputes, fixture.carrepsa.messages)
        let disputed = try await fixture.travelling(by: ben, of: ada)
        _ = try await disputes.open(disputed, kind: .damaged, reason: "It is wet", by: Change(actor: ada))
        let split = MoneySplit(rewardToCarrier: 2_00, depositToOwner: 5_00)
        _ = try await disputes.offerSplit(disputed, split, statement: "Half", by: Change(actor: ben))
        _ = try await disputes.addStatement(disputed, text: "Look at it", by: Change(actor: ada))
        try await fixture.decide(disputed, .split, split: split, by: olga, between: ada, and: ben)
        _ = try await disputes.appeal(disputed, reason: "It was dry", by: Change(actor: ben))

        let delivered = try await fixture.travelling(by: ben, of: ada)
        let picture = try await fixture.picture(of: ben)
        _ = try await fixture.carrepsa.proofs.add(
            picture, note: "A dent", to: delivered, reading: { _ in Self.photo }, by: Change(actor: ben))
        for (actor, text) in [(ada, "When?"), (ben, "At five")] {
            _ = try await messages.send(
                PackageMessageInput(text: text, pictureID: nil, place: nil), about: delivered, by: Change(actor: actor))
        }
        _ = try await fixture.carrepsa.handovers.confirmDelivery(delivered, code: nil, by: Change(actor: ada))
        for actor in [ada, ben] {
            fixture.clock.advance(milliseconds: 1)
            _ = try await fixture.carrepsa.reviews.write(
                PackageReviewInput(words: [.onTime], text: "Good"), about: delivered, by: Change(actor: actor))
        }
        _ = try await fixture.carrepsa.reviews.reply("Thanks", about: delivered, by: Change(actor: ben))
        return (disputed, delivered)
    }

    private static func records(_ fixture: CarrepsaFixture) async throws -> [SealedRecord] {
        try await fixture.database.read { tx in
            try fixture.carrepsa.evidenceAudit.tables.reversed().flatMap { table in
                try table.page(after: nil, limit: Limits.pageSizeMaximum, in: tx)
            }
        }
    }

    private static func place(_ record: SealedRecord) throws -> SQL {
        let key = try #require(keys[record.table], "\(record.table) isn't in the list of this test")
        let value: SQL = key == "number" ? "\(Int64(record.key) ?? 0)" : "\(record.key)"
        return "package_id = \(record.package) AND \(sql: SQL(stringLiteral: key)) = \(sql: value)"
    }

    /// Returns the text with another last byte; a digit stays one.
    private static func changed(_ text: String) -> String {
        guard let last = text.utf8.last else { return text }
        let other: Character = last == UInt8(ascii: "0") ? "1" : last == UInt8(ascii: "1") ? "0" : "2"
        return text.dropLast() + String(other == text.last ? "3" : other)
    }

    @Test("Each table of sealed rows has rows here, and a sound audit finds nothing", arguments: Engine.allCases)
    func complete(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            _ = try await Self.fill(fixture)
            let records = try await Self.records(fixture)
            #expect(Set(records.map(\.table)) == Set(Self.keys.keys))
            #expect(fixture.carrepsa.evidenceAudit.tables.count == Self.keys.count)
            let events: [String] = try await fixture.database.read { tx in
                try tx.rows("SELECT DISTINCT event FROM carrepsa_story WHERE digest IS NOT NULL").map {
                    try $0.get("event")
                }
            }
            #expect(
                Set(events).isSuperset(of: [
                    "dispute", "addStatement", "offerSplit", "decideSplit", "appeal", "addProof",
                ]))
            #expect(try await fixture.carrepsa.evidenceAudit.findings { _ in Self.photo }.isEmpty)
        }
    }

    @Test("The audit names the table, row, column and byte of each changed value", arguments: Engine.allCases)
    func changes(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            _ = try await Self.fill(fixture)
            var unchangeable: Set<String> = []
            var tried = 0
            for record in try await Self.records(fixture) {
                let (place, table) = (try Self.place(record), SQL(stringLiteral: record.table))
                for field in record.fields {
                    guard let value = field.value, !value.isEmpty else { continue }
                    let (other, column) = (Self.changed(value), SQL(stringLiteral: field.column))
                    // SQLite and PostgreSQL have numbers in some columns.
                    let isNumber = Int64(value) != nil && field.column != "note"
                    func set(_ text: String) async throws {
                        let new: SQL = isNumber ? "\(Int64(text) ?? 0)" : "\(text)"
                        try await fixture.database.write { tx in
                            try tx.execute(
                                """
                                UPDATE \(sql: table) SET \(sql: column) = \(sql: new)
                                WHERE \(sql: place)
                                """)
                        }
                    }
                    do {
                        try await set(other)
                    } catch {
                        unchangeable.insert(field.column)
                        continue
                    }
                    let findings = try await fixture.carrepsa.evidenceAudit.findings { _ in Self.photo }
                    let found = findings.filter { $0.table == record.table && $0.column == field.column }
                    #expect(found.count == 1, "\(record.name) \(field.column): \(findings)")
                    if field.column != "number" { #expect(found.first?.row == record.name) }
                    #expect(found.first?.firstByte == value.utf8.count - 1, "\(record.name) \(field.column)")
                    tried += 1
                    try await set(value)
                }
                for content in record.contents {
                    let body = SQL(stringLiteral: content.column == "content" ? "body" : content.column)
                    try await fixture.database.write { tx in
                        try tx.execute(
                            "UPDATE \(sql: table) SET \(sql: body) = \(sql: body) || '!' WHERE \(sql: place)"
                        )
                    }
                    let findings = try await fixture.carrepsa.evidenceAudit.findings()
                    #expect(findings.map(\.row) == [record.name] && findings.first?.column == content.column)
                    try await fixture.database.write { tx in
                        try tx.execute(
                            """
                            UPDATE \(sql: table) SET \(sql: body) = SUBSTR(\(sql: body), 1, LENGTH(\(sql: body)) - 1)
                            WHERE \(sql: place)
                            """)
                    }
                    tried += 1
                }
            }
            #expect(unchangeable == Self.protected)
            #expect(tried > 50)
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
        }
    }

    @Test("The audit counts each deleted row of a sealed table", arguments: Engine.allCases)
    func deletions(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            _ = try await Self.fill(fixture)
            // The tables in reverse: a review is deleted after the reply that refers to it.
            var left: [ID<Package>: Int] = [:]
            let records = try await Self.records(fixture)
            for record in records { left[record.package, default: 0] += 1 }
            for record in records {
                let place = try Self.place(record)
                let all = left
                left[record.package, default: 0] -= 1
                try await fixture.database.write { tx in
                    try tx.execute("DELETE FROM \(sql: SQL(stringLiteral: record.table)) WHERE \(sql: place)")
                }
                let findings = try await fixture.carrepsa.evidenceAudit.findings()
                let reason = findings.first { $0.row == record.package.description }?.reason ?? ""
                let present = left[record.package] ?? 0
                #expect(
                    reason.hasSuffix("and \(present) are there"),
                    "\(record.table) \(record.name) of \(all): \(findings)")
            }
        }
    }

    @Test("The audit names a photo of another content, and one whose row is gone", arguments: Engine.allCases)
    func photos(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            _ = try await Self.fill(fixture)
            let changed = try await fixture.carrepsa.evidenceAudit.findings { _ in Self.photo + [0] }
            #expect(changed.map(\.table) == ["carrepsa_proof"])
            try await fixture.database.write { tx in try tx.execute("DELETE FROM carrepsa_proof") }
            let missing = try await fixture.carrepsa.evidenceAudit.findings { _ in Self.photo }
            #expect(missing.map(\.table) == ["carrepsa_proof"])
        }
    }

    @Test("The audit names a package whose row is gone, with its parties and its money", arguments: Engine.allCases)
    func packages(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let (disputed, delivered) = try await Self.fill(fixture)
            let stored = try #require(try await fixture.stored(delivered))
            let (ada, ben) = (try #require(stored.owner), try #require(stored.carrier))
            for id in [disputed, delivered] {
                try await fixture.database.write { tx in
                    try tx.execute("DELETE FROM carrepsa_package WHERE id = \(id)")
                }
            }
            let findings = try await fixture.carrepsa.evidenceAudit.findings()
            #expect(findings.map(\.row).sorted() == [disputed, delivered].map(\.description).sorted())
            let money = findings.first { $0.row == disputed.description }?.reason ?? ""
            #expect(money.contains("owner \(ada), carrier \(ben), 2500 minor units in escrow"), "\(money)")
            let ended = findings.first { $0.row == delivered.description }?.reason ?? ""
            #expect(ended.contains("carrier \(ben), 0 minor units in escrow, 6 sealed rows"), "\(ended)")
        }
    }

    @Test("A package that was deleted with its last party isn't missing", arguments: Engine.allCases)
    func erased(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let (ada, ben) = (try await fixture.person("Ada"), try await fixture.person("Ben"))
            let id = try await fixture.accepted(by: ben, of: ada)
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ben))
            try await fixture.carrepsa.packages.withdraw(id, by: Change(actor: ada))
            try await fixture.database.write { tx in
                try PackageStore.forget(ada.person, in: tx)
                try tx.execute("DELETE FROM account WHERE id = \(ada.person)")
            }
            #expect(try await fixture.stored(id) == nil)
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
        }
    }
}
