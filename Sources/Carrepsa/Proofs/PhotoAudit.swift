import Kernel
import Ledger
import Storage

/// Compares the photos of handovers and statements with the hashes in the histories of their packages.
struct PhotoAudit: Sendable {
    private static let table = "carrepsa_proof"

    let database: Database
    let read: PhotoReader
    /// The entries of histories that were changed: their text may be what doesn't fit the digest.
    let changed: Set<String>

    /// Returns the photos that are missing or changed, at most ``Limits/ledgerFindings``.
    func findings() async throws -> [LedgerFinding] {
        var findings = try await database.read { tx in
            try ProofStore.withoutPhoto(limit: Limits.ledgerFindings, in: tx).map { entry in
                Self.finding("\(entry.package)/\(entry.number)", "the row is missing; the history has its entry")
            }
        }
        findings += try await statements()
        var last: ProofStore.Stored?
        let limit = Limits.pageSizeMaximum
        while findings.count < Limits.ledgerFindings {
            try Task.checkCancellation()
            let page = try await database.read { [last] tx in
                try ProofStore.page(after: last, limit: limit, in: tx)
            }
            for photo in page {
                if let finding = try await check(photo) { findings.append(finding) }
            }
            guard page.count == limit else { break }
            last = page.last
        }
        return findings
    }

    /// Returns the statements whose photo's row is missing: their digest isn't that of their text.
    private func statements() async throws -> [LedgerFinding] {
        var findings: [LedgerFinding] = []
        var last: ProofStore.Statement?
        let limit = Limits.pageSizeMaximum
        while findings.count < Limits.ledgerFindings {
            try Task.checkCancellation()
            let page = try await database.read { [last] tx in
                try ProofStore.statementsWithoutPhoto(after: last, limit: limit, in: tx)
            }
            findings += page.compactMap { entry in
                let row = "\(entry.package)/\(entry.number)"
                guard !changed.contains(row), SHA256Text.digest(of: entry.note ?? "") != entry.digest else {
                    return nil
                }
                return Self.finding(row, "the row is missing; the history has its entry")
            }
            guard page.count == limit else { break }
            last = page.last
        }
        return findings
    }

    private func check(_ photo: ProofStore.Stored) async throws -> LedgerFinding? {
        let row = "\(photo.package)/\(photo.number)"
        guard let digest = photo.digest else { return Self.finding(row, "the history has no entry with its hash") }
        guard let picture = photo.picture else {
            // The deletion of an account deletes its pictures.
            return photo.isOwned ? Self.finding(row, "its photo is missing", column: "picture_id") : nil
        }
        guard let bytes = try await read(picture) else {
            return Self.finding(row, "the file of its photo is missing", column: "picture_id")
        }
        guard SHA256Text.digest(of: bytes) != digest else { return nil }
        return Self.finding(row, "the photo isn't the one that was sealed", column: "picture_id")
    }

    private static func finding(_ row: String, _ reason: String, column: String? = nil) -> LedgerFinding {
        LedgerFinding(table: table, row: row, column: column, reason: reason, firstByte: nil)
    }
}
