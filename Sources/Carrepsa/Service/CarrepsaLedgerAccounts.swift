import Kernel
import Ledger

/// The keys of this module's ledger accounts.
enum CarrepsaLedgerAccounts {
    static let walletPurpose = "wallet"
    static let escrowPurpose = "escrow"

    static func wallet(_ person: PersonID) -> LedgerAccountKey {
        LedgerAccountKey(purpose: walletPurpose, holder: person.description)
    }

    static func escrow(_ package: ID<Package>) -> LedgerAccountKey {
        LedgerAccountKey(purpose: escrowPurpose, holder: package.description)
    }

    /// The account of the outside world. Top-ups debit it, so that all accounts add up to zero.
    static func outside(_ currency: Currency) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "outside", holder: currency.code)
    }
}
