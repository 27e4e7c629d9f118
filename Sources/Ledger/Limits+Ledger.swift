package import Kernel

extension Limits {
    /// Postings of one transfer.
    package static let ledgerPostings = 16
    /// Characters of a transfer's kind.
    package static let ledgerKindCharacters = 40
    /// Characters of a transfer's subject.
    package static let ledgerSubjectCharacters = 100
    /// Transfers of one subject that are read at once.
    package static let ledgerSubjectTransfers = 1_000
    /// Transfers sealed in one batch, so that writers never wait long.
    package static let ledgerBatch = 500
    /// Waiting transfers that are counted for administrators.
    package static let ledgerUnsealedCounted = 10_000
    /// Ledger rows read at once during verification.
    package static let ledgerVerifyPage = 500
    /// Findings reported by one verification; there may be more.
    package static let ledgerFindings = 100
    /// Damaged rows whose changed byte one verification searches for.
    package static let ledgerLocatedRows = 5
    /// The latest verifications that administrators see.
    package static let ledgerVerificationRuns = 20
    /// Characters of a verification's first finding that are stored.
    package static let ledgerReasonCharacters = 300
    /// Seconds to wait for another process that seals the ledger or restores the database.
    package static let ledgerAnchorSeconds = 60
}
