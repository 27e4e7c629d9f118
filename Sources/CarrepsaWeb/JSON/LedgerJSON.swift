import Kernel
import Ledger
import WebCore

/// What the ledger holds, as operators read it.
struct LedgerJSON: Encodable {
    /// All accounts of one unit together.
    struct UnitSum: Encodable {
        let unit: String
        /// 0, or something is wrong.
        let sum: Int64
    }

    let accounts: Int64
    let transfers: Int64
    let unsealed: Int64
    let lastBatch: Int64
    @Nullable var sealedAt: Instant?
    let sums: [UnitSum]

    init(_ status: LedgerStatus) {
        accounts = status.accounts
        transfers = status.transfers
        unsealed = status.unsealed
        lastBatch = status.lastBatch
        sealedAt = status.sealedAt
        sums = status.sums.sorted { $0.key < $1.key }.map { UnitSum(unit: $0.key, sum: Int64(clamping: $0.value)) }
    }
}
