import Kernel
import Ledger
import Storage

extension Ledger {
    /// Checks the accounts of a purpose, a page in each transaction, until there are ``Limits/ledgerFindings``.
    /// - Parameter check: returns what is wrong about the account with this balance.
    func findings(
        purpose: String, in database: Database,
        check: @escaping @Sendable (LedgerAccountKey, Int64, Transaction) throws -> LedgerFinding?
    ) async throws -> [LedgerFinding] {
        var findings: [LedgerFinding] = []
        var last: LedgerAccountKey?
        let limit = Limits.pageSizeMaximum
        while findings.count < Limits.ledgerFindings {
            try Task.checkCancellation()
            let (count, end, found) = try await database.read { [last] tx in
                let page = try accounts(purpose: purpose, after: last, limit: limit, in: tx)
                return (page.count, page.last?.account, try page.compactMap { try check($0.account, $0.balance, tx) })
            }
            findings += found
            guard count == limit else { break }
            last = end
        }
        return findings
    }
}
