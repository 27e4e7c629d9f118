import Kernel

/// A row of the ledger that doesn't fit.
package struct LedgerFinding: Sendable, Hashable {
    /// The table, or `ledger.head` for the file beside the key.
    package let table: String
    /// The row's key: an account, a transfer's id, `account/sequence` of a posting, a batch's number.
    package let row: String
    /// The column, where it can be told.
    package let column: String?
    /// What doesn't fit, for people.
    package let reason: String
    /// Which byte of the column (from 0) is the first that doesn't fit, where it can be told: of a text's UTF-8, of a
    /// number's 8 bytes with the highest first, or of the blob.
    package let firstByte: Int?
}

/// What a verification found.
package struct LedgerReport: Sendable, Hashable {
    /// A report of nothing.
    package init() {}

    /// Accounts read.
    package internal(set) var accounts = 0
    /// Transfers read.
    package internal(set) var transfers = 0
    /// Postings read.
    package internal(set) var movements = 0
    /// Batches read.
    package internal(set) var batches = 0
    /// Transfers that no batch holds yet.
    package internal(set) var unsealed = 0
    /// The sum of all balances of each unit; 0 each when sound.
    package internal(set) var sums: [String: Int128] = [:]
    /// What doesn't fit, in the order in which it was found; ``Limits/ledgerFindings`` at the most.
    package internal(set) var findings: [LedgerFinding] = []

    /// Whether everything fits.
    package var isSound: Bool { findings.isEmpty }
}
