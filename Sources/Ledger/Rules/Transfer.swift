package import Kernel

/// A posting: the amount that a transfer adds to one ledger account.
package struct Leg: Sendable, Hashable {
    package let account: LedgerAccountKey
    /// The change of the balance in the unit's smallest parts; negative amounts reduce it. Neither 0 nor `Int64.min`.
    package let amount: Int64

    package init(account: LedgerAccountKey, amount: Int64) {
        self.account = account
        self.amount = amount
    }
}

/// An atomic movement of money or points between ledger accounts. A posted transfer never changes; a reversal
/// corrects it.
package struct Transfer: Sendable, Hashable {
    /// Chosen by the caller and idempotent: the ledger posts each id once.
    package let id: ID<Transfer>
    /// 1 to ``Limits/ledgerKindCharacters`` characters of `a`–`z` and `-`.
    package let kind: String
    /// The id of the object that the transfer is about, for example a package; 1 to
    /// ``Limits/ledgerSubjectCharacters`` characters.
    package let subject: String?
    package let at: Instant
    /// The transfer that this one reverses in full.
    package let reverses: ID<Transfer>?
    /// 2 to ``Limits/ledgerPostings`` postings, one per account. All accounts have the same unit and the sum is 0.
    package let legs: [Leg]

    /// Doesn't validate; ``Ledger/post(_:in:)`` does.
    package init(
        id: ID<Transfer>, kind: String, subject: String? = nil, at: Instant, reverses: ID<Transfer>? = nil, legs: [Leg]
    ) {
        self.id = id
        self.kind = kind
        self.subject = subject
        self.at = at
        self.reverses = reverses
        self.legs = legs
    }

    /// Transfers `amount` (above 0) from one account to another.
    package init(
        id: ID<Transfer>, kind: String, subject: String? = nil, at: Instant, amount: Int64,
        from: LedgerAccountKey, to: LedgerAccountKey
    ) {
        // The wrapping subtraction leaves Int64.min unchanged; posting rejects that amount.
        let legs = [Leg(account: from, amount: 0 &- amount), Leg(account: to, amount: amount)]
        self.init(id: id, kind: kind, subject: subject, at: at, legs: legs)
    }
}

/// A posting as stored.
package struct RecordedPosting: Sendable, Hashable {
    package let account: LedgerAccountKey
    /// The posting's number within the account: 1, 2, 3 …
    package let sequence: Int64
    /// The change of the balance.
    package let amount: Int64
    /// The account's balance after this posting.
    package let balanceAfter: Int64
}

/// The result of posting a transfer.
package struct PostedTransfer: Sendable, Hashable {
    package let id: ID<Transfer>
    /// Whether the same transfer was already posted; then nothing changed.
    package let isReplay: Bool
    /// The postings in the order of their account keys.
    package let legs: [RecordedPosting]
}

/// A posting together with its transfer, as account statements list it.
package struct AccountPosting: Sendable, Hashable {
    /// The posting's number within the account: 1, 2, 3 …, without gaps.
    package let sequence: Int64
    package let transferID: ID<Transfer>
    package let at: Instant
    /// The change of the balance; negative amounts reduced it.
    package let amount: Int64
    package let kind: String
    /// The subject of the transfer.
    package let subject: String?
    /// The account's balance after this posting.
    package let balanceAfter: Int64
}

/// Thrown when the ledger rejects a transfer or an account.
package enum LedgerError: Error, Hashable, Sendable {
    /// The account's balance would fall below zero and the account has no overdraft permission.
    case insufficientFunds(LedgerAccountKey)
    /// The sum of the postings isn't 0.
    case unbalanced
    /// A balance would exceed 64 bits, or an amount is `Int64.min`, which has no opposite.
    case overflow
    /// A posting's amount is 0.
    case emptyLeg
    /// The transfer has fewer than 2 postings.
    case tooFewLegs
    /// The transfer has more than ``Limits/ledgerPostings`` postings.
    case tooManyLegs
    /// Two postings name the same account.
    case accountTwice(LedgerAccountKey)
    /// The account was never opened.
    case unknownAccount(LedgerAccountKey)
    /// The accounts have different units, or the open account has another unit than requested.
    case unitMismatch
    /// The account is open with another overdraft permission.
    case accountConflict(LedgerAccountKey)
    /// A transfer with this id and other content exists.
    case transferConflict(ID<Transfer>)
    /// A transfer can be reversed once.
    case alreadyReversed(ID<Transfer>)
    case unknownTransfer(ID<Transfer>)
    /// The postings aren't the exact opposite of those of the reversed transfer.
    case notMirrored(ID<Transfer>)
    /// An account key, kind, subject or unit has an invalid format; the value names which.
    case malformed(String)
    /// The account's row doesn't match its digest: it was altered without the ledger's key, or this is another key.
    case damagedAccount(LedgerAccountKey)
    /// The transfer's row doesn't match its digest: it was altered without the ledger's key, or this is another key.
    case damagedTransfer(ID<Transfer>)
    /// Another key created the ledger in the database.
    case wrongKey
}
