import Kernel
import Ledger
import Storage

/// The ledger accounts of wallets: opens them with the welcome amount, and reads balances.
struct WalletAccounts: Sendable {
    let ledger: Ledger
    let currency: Currency
    let welcomeAmountMinor: Int64
    let demandsConfirmedEmail: Bool

    func exists(_ person: PersonID, in tx: Transaction) throws -> Bool {
        try ledger.exists(CarrepsaLedgerAccounts.wallet(person), in: tx)
    }

    /// Returns the person's balance in minor units; 0 without a wallet.
    func balance(of person: PersonID, in tx: Transaction) throws -> Int64 {
        do {
            return try ledger.balance(of: CarrepsaLedgerAccounts.wallet(person), in: tx)
        } catch LedgerError.unknownAccount {
            return 0
        }
    }

    /// Opens a person's wallet unless it is open. Credits the welcome amount if the email is confirmed or needn't be.
    /// - Parameter contact: the account, read with its row locked.
    func open(for contact: PeopleStore.Contact, now: Instant, in tx: Transaction) throws {
        let wallet = CarrepsaLedgerAccounts.wallet(contact.id)
        guard try !ledger.exists(wallet, in: tx) else { return }
        let outside = CarrepsaLedgerAccounts.outside(currency)
        if try !ledger.exists(outside, in: tx) {
            try ledger.open(outside, unit: currency.code, mayOverdraw: true, now: now, in: tx)
        }
        try ledger.open(wallet, unit: currency.code, now: now, in: tx)
        if contact.isEmailConfirmed || !demandsConfirmedEmail { try creditWelcome(contact.id, now: now, in: tx) }
    }

    /// Posts a payment from or to the outside world to an open wallet.
    /// - Returns: whether the payment was posted before.
    /// - Throws: `AppError`: `insufficientFunds` and `invalid` at `amount`; `conflict` if the id belongs to another
    ///   payment.
    @discardableResult
    func post(
        _ kind: PaymentKind, _ amount: Int64, id: ID<Transfer>, of person: PersonID, now: Instant, in tx: Transaction
    ) throws -> Bool {
        let wallet = CarrepsaLedgerAccounts.wallet(person)
        let outside = CarrepsaLedgerAccounts.outside(currency)
        let (from, to) = kind == .payOut ? (wallet, outside) : (outside, wallet)
        let transfer = Transfer(
            id: id, kind: kind.transferKind.rawValue, at: now, amount: amount, from: from, to: to)
        do {
            return try ledger.post(transfer, in: tx).isReplay
        } catch LedgerError.insufficientFunds {
            throw AppError(.insufficientFunds, .balanceTooSmall, field: "amount")
        } catch LedgerError.transferConflict {
            throw AppError(.conflict, .paymentKnown)
        } catch LedgerError.overflow {
            throw AppError(.invalid, .amountOutOfRange, field: "amount")
        }
    }

    /// Credits the welcome amount after the email's confirmation, unless the wallet got it before.
    func emailConfirmed(of person: PersonID, now: Instant, in tx: Transaction) throws {
        guard demandsConfirmedEmail, try exists(person, in: tx) else { return }
        do {
            try creditWelcome(person, now: now, in: tx)
        } catch LedgerError.transferConflict {
            // The wallet got another welcome amount when it was opened, because the setting was different.
        }
    }

    /// Credits the welcome amount to an open wallet, once.
    private func creditWelcome(_ person: PersonID, now: Instant, in tx: Transaction) throws {
        guard welcomeAmountMinor > 0 else { return }
        // The person's own id makes the transfer idempotent: concurrent requests post the same transfer.
        let transfer = Transfer(
            id: person.cast(to: Transfer.self), kind: TransferKind.welcome.rawValue, at: now,
            amount: welcomeAmountMinor, from: CarrepsaLedgerAccounts.outside(currency),
            to: CarrepsaLedgerAccounts.wallet(person)
        )
        guard try !ledger.post(transfer, in: tx).isReplay else { return }
        try tx.publish(CarrepsaEvents.wallet(of: person, now: now))
    }
}
