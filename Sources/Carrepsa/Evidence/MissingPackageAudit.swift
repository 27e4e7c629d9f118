import Kernel
import Ledger
import Storage

/// Finds packages whose row is gone although the ledger knows them. The deletion of an account deletes a package only
/// with the last of its parties.
struct MissingPackageAudit: Sendable {
    private static let table = "carrepsa_package"

    let database: Database
    let ledger: Ledger

    /// Returns the missing packages, at most ``Limits/ledgerFindings``.
    func findings() async throws -> [LedgerFinding] {
        try await ledger.findings(purpose: CarrepsaLedgerAccounts.escrowPurpose, in: database) {
            try finding(on: $0, held: $1, in: $2)
        }
    }

    private func finding(
        on escrow: LedgerAccountKey, held: Int64, in tx: Transaction
    ) throws -> LedgerFinding? {
        guard let id = ID<Package>(escrow.holder), try PackageStore.find(id, in: tx) == nil else { return nil }
        let parties = try parties(of: id, in: tx).filter { try PeopleStore.contact($0.person, in: tx) != nil }
        guard held != 0 || !parties.isEmpty else { return nil }
        let people = parties.map { "\($0.role.rawValue) \($0.person)" }
        let sealed = try sealedRows(of: id, in: tx)
        let facts = people + ["\(held) minor units in escrow", "\(sealed) sealed rows"]
        return LedgerFinding(
            table: Self.table, row: id.description, column: nil,
            reason: "the row is missing; the ledger has \(facts.joined(separator: ", "))", firstByte: nil)
    }

    /// Returns the owner, whose wallet paid the first transfer, and the last carrier, from whom the package wasn't
    /// taken back.
    private func parties(
        of package: ID<Package>, in tx: Transaction
    ) throws -> [(role: PackageRole, person: PersonID)] {
        let transfers: [Transfer]
        do {
            transfers = try ledger.transfers(about: package.description, in: tx)
        } catch LedgerError.damagedTransfer {
            // The verification of the ledger reports the transfer.
            return []
        }
        func wallets(_ transfer: Transfer) -> [PersonID] {
            transfer.legs.filter { $0.account.purpose == CarrepsaLedgerAccounts.walletPurpose }
                .compactMap { PersonID($0.account.holder) }
        }
        guard let owner = transfers.first(where: { $0.kind == TransferKind(.create).rawValue }).map(wallets)?.first
        else { return [] }
        let returning = [TransferKind(.cancelAcceptance), TransferKind(.expire)].map(\.rawValue)
        let last = transfers.last { wallets($0).contains { $0 != owner } }
        let carrier = last.flatMap { last in
            returning.contains(last.kind) ? nil : wallets(last).first { $0 != owner }
        }
        return [(.owner, owner)] + (carrier.map { [(.carrier, $0)] } ?? [])
    }

    private func sealedRows(of package: ID<Package>, in tx: Transaction) throws -> Int64 {
        do {
            return try ledger.balance(of: EvidenceLedger.account(of: package), in: tx)
        } catch LedgerError.unknownAccount {
            return 0
        }
    }
}
