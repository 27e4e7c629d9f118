import Kernel
import Ledger

/// The keys of this module's ledger accounts.
enum CarrepsaLedgerAccounts {
    static func wallet(_ person: PersonID) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "wallet", holder: person.description)
    }

    static func escrow(_ package: ID<Package>) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "escrow", holder: package.description)
    }

    /// The account of the outside world. Top-ups debit it, so that all accounts add up to zero.
    static func outside(_ currency: Currency) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "outside", holder: currency.code)
    }
}
