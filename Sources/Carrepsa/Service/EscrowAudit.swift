package import Kernel
import Ledger
import Storage

/// A package whose escrow balance contradicts its state.
package struct EscrowMismatch: Sendable, Hashable {
    package let package: ID<Package>
    /// The balance of its escrow account in minor units.
    package let held: Int64
    /// The amount in minor units that its state requires.
    package let expected: Int64
}

/// Compares packages with the ledger.
package struct EscrowAudit: Sendable {
    let database: Database
    let ledger: Ledger

    /// Compares the state of each package with its escrow account. Verifying the ledger proves that its rows are
    /// unaltered; this proves that the packages match them.
    /// - Returns: the contradictions, at most ``Limits/ledgerFindings``.
    package func mismatches() async throws -> [EscrowMismatch] {
        var findings: [EscrowMismatch] = []
        var last: ID<Package>?
        let limit = Limits.pageSizeMaximum
        while findings.count < Limits.ledgerFindings {
            try Task.checkCancellation()
            let page = try await database.read { [self, last] tx in
                try PackageStore.page(after: last, limit: limit, in: tx).map { package in
                    EscrowMismatch(
                        package: package.id, held: try held(for: package.id, in: tx), expected: package.moneyHeld)
                }
            }
            findings += page.filter { $0.held != $0.expected }
            guard page.count == limit else { break }
            last = page.last?.package
        }
        return Array(findings.prefix(Limits.ledgerFindings))
    }

    private func held(for package: ID<Package>, in tx: Transaction) throws -> Int64 {
        do {
            return try ledger.balance(of: CarrepsaLedgerAccounts.escrow(package), in: tx)
        } catch LedgerError.unknownAccount {
            return 0
        }
    }
}

extension StoredPackage {
    /// The amount that the escrow account should hold, in minor units.
    fileprivate var moneyHeld: Int64 { (isRewardHeld ? reward : 0) + (state.isUnderWay ? moneyLock : 0) }
}
