import Kernel
import Ledger
import WebCore

/// The JSON of the ledger's status, for administrators.
struct LedgerJSON: Encodable {
    /// The sum of all balances of one unit.
    struct UnitSum: Encodable {
        let unit: String
        /// 0 in a sound ledger.
        let sum: Int64
    }

    let accounts: Int64
    let unsealed: Int64
    let lastBatch: Int64
    @Nullable var sealedAt: Instant?
    let sums: [UnitSum]

    init(_ status: LedgerStatus, _ totals: LedgerTotals) {
        accounts = totals.accounts
        unsealed = status.unsealed
        lastBatch = status.lastBatch
        sealedAt = status.sealedAt
        sums = totals.sums.sorted { $0.key < $1.key }.map { UnitSum(unit: $0.key, sum: Int64(clamping: $0.value)) }
    }
}
