package import Kernel
import Ledger
import Storage

/// A package whose account doesn't hold what the package says.
package struct MisplacedMoney: Sendable, Hashable {
    /// The package.
    package let package: ID<Package>
    /// Minor units on its account.
    package let held: Int64
    /// Minor units that its state asks for.
    package let expected: Int64
}

extension CarrepsaService {
    /// Compares each package's state with its account in the ledger. The ledger proves that its own rows are as they were
    /// written; this, that the packages still fit them.
    /// - Returns: what doesn't fit, at most ``Limits/ledgerFindings``.
    package func misplacedMoney() async throws -> [MisplacedMoney] {
        var findings: [MisplacedMoney] = []
        var last: ID<Package>?
        let limit = Limits.pageSizeMaximum
        while findings.count < Limits.ledgerFindings {
            let page = try await database.read { [self, last] tx in
                try PackageStore.page(after: last, limit: limit, in: tx).map { package in
                    MisplacedMoney(
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
            return try ledger.balance(of: Purses.escrow(package), in: tx)
        } catch LedgerError.unknownAccount {
            return 0
        }
    }
}

extension StoredPackage {
    /// What its account holds, in minor units.
    fileprivate var moneyHeld: Int64 { (isRewardHeld ? reward : 0) + (state.isUnderWay ? moneyLock : 0) }
}
