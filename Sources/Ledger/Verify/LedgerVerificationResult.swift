import Kernel

/// A damaged row of the ledger.
package struct LedgerFinding: Sendable, Hashable {
    /// The table, or `ledger.head` for the head file beside the key.
    package let table: String
    /// The row's key: an account key, a transfer's id, `account/sequence` of a posting or a batch's number.
    package let row: String
    /// The damaged column, if verification can locate it.
    package let column: String?
    /// The description for people.
    package let reason: String
    /// The offset of the first wrong byte in the column, if verification can locate it: in a text's UTF-8, in a
    /// number's 8 big-endian bytes, or in the blob.
    package let firstByte: Int?

    package init(table: String, row: String, column: String?, reason: String, firstByte: Int?) {
        self.table = table
        self.row = row
        self.column = column
        self.reason = reason
        self.firstByte = firstByte
    }
}

/// The result of a verification.
package struct LedgerVerificationResult: Sendable, Hashable {
    package init() {}

    package internal(set) var accounts = 0
    package internal(set) var transfers = 0
    package internal(set) var movements = 0
    package internal(set) var batches = 0
    /// Transfers that aren't in a batch yet.
    package internal(set) var unsealed = 0
    /// The sum of all balances by unit; each is 0 in a sound ledger.
    package internal(set) var sums: [String: Int128] = [:]
    /// The damaged rows in the order of their discovery, at most ``Limits/ledgerFindings``.
    package internal(set) var findings: [LedgerFinding] = []

    package var isSound: Bool { findings.isEmpty }
}
