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

    /// The part of a wallet that is welcome money.
    static func welcome(_ person: PersonID) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "welcome", holder: person.description)
    }

    /// The part of an amount in escrow that is welcome money.
    static func welcome(_ money: PackageMoney, of package: ID<Package>) -> LedgerAccountKey {
        LedgerAccountKey(
            purpose: money == .reward ? "welcome-reward" : "welcome-deposit", holder: package.description)
    }

    /// The account that the parts of welcome money come from, so that they add up to zero.
    static func welcomeSource(_ currency: Currency) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "welcome-source", holder: currency.code)
    }

    /// The account of the outside world. Top-ups debit it, so that all accounts add up to zero.
    static func outside(_ currency: Currency) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "outside", holder: currency.code)
    }
}
