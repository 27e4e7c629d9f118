package import Kernel

/// One account's part in a transfer.
package struct Leg: Sendable, Hashable {
    /// The account.
    package let account: LedgerAccountKey
    /// What its balance grows by, in the unit's smallest parts; below 0 it shrinks. Neither 0 nor `Int64.min`.
    package let amount: Int64

    /// Makes a leg.
    package init(account: LedgerAccountKey, amount: Int64) {
        self.account = account
        self.amount = amount
    }
}

/// Money or points that move between accounts, all at once. Never changed once posted; corrected by its reversal.
package struct Transfer: Sendable, Hashable {
    /// Made by whoever posts it: the same id moves only once.
    package let id: ID<Transfer>
    /// What it is: 1 to ``Limits/ledgerKindCharacters`` of `a`–`z` and `-`.
    package let kind: String
    /// What it is about, a parcel's id for example; 1 to ``Limits/ledgerSubjectCharacters`` characters.
    package let subject: String?
    /// When it happened.
    package let at: Instant
    /// The transfer that it takes back, all of it.
    package let reverses: ID<Transfer>?
    /// 2 to ``Limits/ledgerLegs``, one an account, in accounts of one unit; their sum is 0.
    package let legs: [Leg]

    /// Makes a transfer; it is checked when it is posted.
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

    /// The simplest one: `amount` (above 0) goes from one account to another.
    package init(
        id: ID<Transfer>, kind: String, subject: String? = nil, at: Instant, amount: Int64,
        from: LedgerAccountKey, to: LedgerAccountKey
    ) {
        // 0 - Int64.min can't be told apart here; posting refuses the amount.
        let legs = [Leg(account: from, amount: 0 &- amount), Leg(account: to, amount: amount)]
        self.init(id: id, kind: kind, subject: subject, at: at, legs: legs)
    }
}

/// A leg as it was posted.
package struct PostedLeg: Sendable, Hashable {
    /// The account.
    package let account: LedgerAccountKey
    /// Which movement of the account it is: 1, 2, 3 …
    package let sequence: Int64
    /// What the balance grew by.
    package let amount: Int64
    /// The balance that it led to.
    package let balanceAfter: Int64
}

/// What posting a transfer came to.
package struct PostedTransfer: Sendable, Hashable {
    /// The transfer's id.
    package let id: ID<Transfer>
    /// Whether it had been posted before: nothing was moved now.
    package let isReplay: Bool
    /// Its legs by the order of their accounts' keys.
    package let legs: [PostedLeg]
}

/// One movement of an account.
package struct Movement: Sendable, Hashable {
    /// Its place among the account's movements: 1, 2, 3 …, without gaps.
    package let sequence: Int64
    /// The transfer that it belongs to.
    package let transferID: ID<Transfer>
    /// When it happened.
    package let at: Instant
    /// What the balance grew by; below 0 it shrank.
    package let amount: Int64
    /// The transfer's kind.
    package let kind: String
    /// What the transfer is about.
    package let subject: String?
    /// The balance that it led to.
    package let balanceAfter: Int64
}

/// Why the ledger refuses.
package enum LedgerError: Error, Hashable, Sendable {
    /// The account would go below zero, which it may not.
    case insufficientFunds(LedgerAccountKey)
    /// The legs' sum isn't 0.
    case unbalanced
    /// A balance would be beyond 64 bits, or an amount is `Int64.min`, which couldn't be taken back.
    case overflow
    /// A leg moves nothing.
    case emptyLeg
    /// Fewer than 2 legs.
    case tooFewLegs
    /// More than ``Limits/ledgerLegs`` legs.
    case tooManyLegs
    /// An account has two legs.
    case accountTwice(LedgerAccountKey)
    /// The account was never opened.
    case unknownAccount(LedgerAccountKey)
    /// The accounts are of different units, or the account is of another unit than asked for.
    case unitMismatch
    /// The account was opened with another permission to overdraw.
    case accountConflict(LedgerAccountKey)
    /// The id belongs to a transfer of other contents.
    case transferConflict(ID<Transfer>)
    /// The transfer has been taken back already.
    case alreadyReversed(ID<Transfer>)
    /// There is no such transfer.
    case unknownTransfer(ID<Transfer>)
    /// Its legs aren't the opposite of the transfer that it takes back.
    case notMirrored(ID<Transfer>)
    /// An account's key, a kind, a subject or a unit isn't of the form that it must have; names which.
    case malformed(String)
    /// The account's row was altered by somebody without the ledger's key, or this isn't the key that it was made with.
    case damagedAccount(LedgerAccountKey)
    /// The transfer's row was altered by somebody without the ledger's key, or this isn't the key it was made with.
    case damagedTransfer(ID<Transfer>)
    /// The ledger in the database was made with another key than this one.
    case wrongKey
}
