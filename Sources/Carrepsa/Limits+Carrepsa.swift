package import Kernel

extension Limits {
    /// Seconds before the latest pickup of an accepted package at which its owner and carrier are reminded.
    package static let deadlineNearSeconds: Int64 = 2 * 60 * 60
    /// Packages whose reminders are sent in one transaction.
    package static let deadlineReminders = 100

    /// Characters of a package's pickup or destination text.
    package static let placeCharacters = 100
    /// UTF-8 bytes of a package's pickup or destination text.
    package static let placeBytes = 4_000
    /// Grams of a package: one tonne.
    package static let packageWeightGrams: Int64 = 1_000_000
    /// Minor units of a reward, a deposit, or a payment in or out. A million of them still fit into a balance.
    package static let packageMoneyMinor: Int64 = 1_000_000_000_000
    /// Characters and UTF-8 bytes of an administrator's note on a payment.
    package static let paymentNoteCharacters = 200
    package static let paymentNoteBytes = 4_000
    /// The latest payments that an administrator sees of a wallet.
    package static let paymentsShown = 20
    /// Seconds after a carrier's delivery report until an operator is asked.
    package static let deliveryReportSeconds: Int64 = 72 * 60 * 60
    /// Digits of a handover code.
    package static let handoverCodeDigits = 6
    /// Packages whose automatic refund failed and that are skipped until the next housekeeping run.
    package static let failedExpiries = 100
    /// Seconds until a package whose deadline transition failed is tried again.
    static let failedExpirySeconds: Int64 = 15
    /// Seconds that a handover code is valid.
    package static let handoverCodeSeconds: Int64 = 60 * 60
    /// Wrong handover codes of one person for one package in ``handoverThrottleSeconds``.
    package static let handoverFailures = 5
    /// The window in which wrong handover codes count.
    package static let handoverThrottleSeconds: Int64 = 30 * 60
    /// Packages that one person accepts in a day. With an acceptance, a carrier learns the exact points and the
    /// contacts.
    package static let acceptancesPerDay = 40
    /// Packages that a person with a new account accepts in a day.
    package static let acceptancesOfNewAccounts = 5
    /// Seconds for which an account is new. It stays new until its person has carried a package to the end.
    package static let newAccountSeconds: Int64 = 7 * daySeconds
    /// Acceptances that a carrier cancels before the day's acceptances are over.
    package static let cancelledAcceptancesPerDay = 3
    /// Statements and offers that the owner and the carrier can each add to a dispute.
    package static let disputeStatements: Int64 = 10
    /// Seconds after the opening of a dispute, or an appeal, in which owner and carrier can add statements. An
    /// administrator decides earlier only if both have written.
    package static let disputeAnswerSeconds: Int64 = 72 * 60 * 60
    /// Seconds before the end of the time for statements at which the one who hasn't written is reminded.
    package static let statementReminderSeconds: Int64 = 24 * 60 * 60
    /// Seconds after a decision until it takes effect, in which owner and carrier can each appeal.
    package static let appealSeconds: Int64 = 72 * 60 * 60
    /// Seconds after the end of a decided dispute in which administrators can open the case.
    package static let decidedCaseSeconds: Int64 = 14 * 24 * 60 * 60
    /// The longest time in seconds from a decision to the end of its delivery: the time for an appeal, and a week in
    /// which an end that failed is repeated.
    package static let decisionDelaySeconds: Int64 = appealSeconds + 7 * 24 * 60 * 60
    /// Operators who are notified of one dispute.
    package static let operatorsNotified = 100
    /// The number of newest entries of a package's history that its page shows.
    package static let packageHistoryEntries = 200
    /// Photos of the handovers of one package.
    package static let packageProofs: Int64 = 20
    /// Bytes of a sealed row or text in which the verification searches for a changed byte.
    static let evidenceLocatedBytes = 4_096
}
