import Kernel
import Ledger
import Storage

/// Seals rows about packages into the ledger. Each one is a transfer of one entry between two accounts of the
/// package, so that the ledger's chain also says how many there are.
package struct EvidenceLedger: Sendable {
    static let purpose = "evidence"
    private static let sourcePurpose = "evidence-source"
    /// The unit of the accounts that count sealed rows.
    package static let unit = "entries"

    let ledger: Ledger

    /// Posts the digest of a row. Lock the package first. Sealing the same row again changes nothing.
    func seal(_ record: SealedRecord, now: Instant, in tx: Transaction) throws {
        let source = LedgerAccountKey(purpose: Self.sourcePurpose, holder: record.package.description)
        let target = Self.account(of: record.package)
        try ledger.open(source, unit: Self.unit, mayOverdraw: true, now: now, in: tx)
        try ledger.open(target, unit: Self.unit, now: now, in: tx)
        let transfer = Transfer(
            id: record.transferID, kind: TransferKind.evidence.rawValue, subject: record.digest, at: now, amount: 1,
            from: source, to: target)
        try ledger.post(transfer, in: tx)
    }

    /// The account whose balance is the number of the package's sealed rows.
    static func account(of package: ID<Package>) -> LedgerAccountKey {
        LedgerAccountKey(purpose: purpose, holder: package.description)
    }
}
