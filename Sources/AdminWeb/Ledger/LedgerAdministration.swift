package import Accounts
package import Ledger

/// The state of the ledger and its verifications, for administrators.
package protocol LedgerAdministration: Sendable {
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator.
    func details(for actor: Actor) async throws -> LedgerDetails

    /// Enqueues a verification, unless one waits or runs.
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator.
    func requestVerification(by change: Change) async throws
}

/// The ledger, as administrators see it.
package struct LedgerDetails: Sendable {
    package let status: LedgerStatus
    /// Whether a verification waits or runs.
    package let isVerifying: Bool
    /// The latest verifications, the newest first.
    package let runs: [LedgerVerificationRun]

    package init(status: LedgerStatus, isVerifying: Bool, runs: [LedgerVerificationRun]) {
        self.status = status
        self.isVerifying = isVerifying
        self.runs = runs
    }
}
