package import Kernel

extension Limits {
    /// Characters and UTF-8 bytes of the administrator's texts about payments, and of the destination of a payout.
    package static let paymentTextCharacters = 1_000
    package static let paymentTextBytes = 8_000
    /// Characters of an account holder's name in an EPC code (EPC069-12).
    package static let accountHolderCharacters = 70
    package static let accountHolderBytes = 280
    /// Payout requests that a person's page shows.
    package static let payoutRequestsShown = 10
    /// Characters of a payment reference, without the hyphen.
    static let paymentReferenceCharacters = 8
    /// Attempts to find a reference that no other person has.
    static let paymentReferenceAttempts = 10
    /// Minor units of an EPC code: 999,999,999.99 euros (EPC069-12).
    static let epcAmountMinor: Int64 = 99_999_999_999
}
