import Kernel
package import Ledger
import Storage

/// A table whose rows the ledger seals.
protocol SealedRecords: Sendable {
    /// Returns a page of the sealed rows, in the order of their packages.
    /// - Parameter last: the last row of the page before.
    func page(after last: SealedRecord?, limit: Int, in tx: Transaction) throws -> [SealedRecord]

    /// Returns the number of a package's sealed rows.
    func count(of package: ID<Package>, in tx: Transaction) throws -> Int
}

/// Compares what was recorded about packages with the digests in the ledger.
package struct EvidenceAudit: Sendable {
    let database: Database
    let ledger: Ledger
    let tables: [any SealedRecords]

    /// Returns the rows and the photos that differ from what was sealed, at most ``Limits/ledgerFindings``.
    /// - Parameter photos: reads the files of photos; `nil` checks only the database.
    package func findings(photos: PhotoReader? = nil) async throws -> [LedgerFinding] {
        var findings: [LedgerFinding] = []
        for table in tables { findings += try await differing(in: table) }
        findings += try await missingRows()
        findings += try await MissingPackageAudit(database: database, ledger: ledger).findings()
        if let photos {
            let changed = Set(findings.filter { $0.table == "carrepsa_story" }.map(\.row))
            findings += try await PhotoAudit(database: database, read: photos, changed: changed).findings()
        }
        return Array(findings.prefix(Limits.ledgerFindings))
    }

    private func differing(in table: any SealedRecords) async throws -> [LedgerFinding] {
        var findings: [LedgerFinding] = []
        var last: SealedRecord?
        let limit = Limits.pageSizeMaximum
        while findings.count < Limits.ledgerFindings {
            try Task.checkCancellation()
            let page = try await database.read { [last] tx in
                try table.page(after: last, limit: limit, in: tx).map { (record: $0, seal: try seal(of: $0, in: tx)) }
            }
            // Outside the transaction: long texts, and the search for a changed byte, take time.
            findings += page.flatMap { Self.check($0.record, $0.seal) }
            guard page.count == limit else { break }
            last = page.last?.record
        }
        return findings
    }

    /// What the ledger has about a row.
    private enum Seal: Sendable {
        case digest(String)
        case missing
        /// The verification of the ledger reports the transfer.
        case damaged
    }

    private func seal(of record: SealedRecord, in tx: Transaction) throws -> Seal {
        do {
            return try ledger.transfer(record.transferID, in: tx)?.subject.map(Seal.digest) ?? .missing
        } catch LedgerError.damagedTransfer {
            return .damaged
        }
    }

    private static func check(_ record: SealedRecord, _ seal: Seal) -> [LedgerFinding] {
        var findings = record.contents.filter { SHA256Text.digest(of: $0.bytes) != $0.digest }.map { content in
            LedgerFinding(
                table: record.table, row: record.name, column: content.column,
                reason: "the text doesn't fit its digest",
                firstByte: ChangedByte.locate(in: content.bytes, digest: content.digest))
        }
        switch seal {
        case .missing: return findings + [record.finding("the ledger has no digest of it")]
        case .digest(let sealed) where sealed != record.digest:
            let place = ChangedByte.locate(in: record, digest: sealed)
            // A text that doesn't fit a changed digest is unchanged.
            if place?.column == "digest" { findings = [] }
            findings.append(
                record.finding("the row isn't what was sealed", column: place?.column, firstByte: place?.firstByte))
        case .digest, .damaged: break
        }
        return findings
    }

    /// Counts the rows of each package that has sealed ones. A package that was deleted with its last party has none.
    private func missingRows() async throws -> [LedgerFinding] {
        try await ledger.findings(purpose: EvidenceLedger.purpose, in: database) {
            try missingRows(of: $0, sealed: $1, in: $2)
        }
    }

    private func missingRows(
        of account: LedgerAccountKey, sealed: Int64, in tx: Transaction
    ) throws -> LedgerFinding? {
        guard let id = ID<Package>(account.holder), try PackageStore.find(id, in: tx) != nil else { return nil }
        let present = try tables.reduce(0) { sum, table in sum + (try table.count(of: id, in: tx)) }
        guard present != sealed else { return nil }
        return LedgerFinding(
            table: "carrepsa_package", row: id.description, column: nil,
            reason: "the ledger sealed \(sealed) rows about it, and \(present) are there", firstByte: nil)
    }
}

extension SealedRecord {
    fileprivate func finding(_ reason: String, column: String? = nil, firstByte: Int? = nil) -> LedgerFinding {
        LedgerFinding(table: table, row: name, column: column, reason: reason, firstByte: firstByte)
    }
}

/// Finds a single changed byte by trying all values of all bytes.
enum ChangedByte {
    /// Returns the offset of the byte; `nil` if more changed, or if the content is too long to try.
    static func locate(in bytes: [UInt8], digest: String) -> Int? {
        locate(in: bytes, at: bytes.indices, digest: digest)
    }

    /// Returns the column and the offset in it.
    static func locate(in record: SealedRecord, digest: String) -> (column: String, firstByte: Int)? {
        let image = record.image
        var end = image.count
        for field in record.fields.reversed() {
            let start = end - (field.value?.utf8.count ?? 0)
            if let byte = locate(in: image, at: start..<end, digest: digest) { return (field.column, byte - start) }
            end = start - MemoryLayout<UInt64>.size
        }
        return nil
    }

    private static func locate(in bytes: [UInt8], at places: Range<Int>, digest: String) -> Int? {
        guard bytes.count <= Limits.evidenceLocatedBytes, let right = Hexadecimal.decoded(digest, count: 32) else {
            return nil
        }
        var candidate = bytes
        for index in places {
            for value in UInt8.min...UInt8.max where value != bytes[index] {
                candidate[index] = value
                if SHA256Text.isDigest(right, of: candidate) { return index }
            }
            candidate[index] = bytes[index]
        }
        return nil
    }
}
