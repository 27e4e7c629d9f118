import Accounts
import Kernel
import Ledger
import Storage

/// The ledger accounts of wallets: opens them with the welcome amount, and reads balances.
struct WalletAccounts: Sendable {
    let ledger: Ledger
    let currency: Currency
    let welcomeAmountMinor: Int64
    let demandsConfirmedEmail: Bool
    let welcomed: WelcomedAddresses

    var welcomeMoney: WelcomeMoney { WelcomeMoney(ledger: ledger, currency: currency) }

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

    /// Returns the part of the person's balance that can be paid out: all but welcome money.
    func payable(of person: PersonID, in tx: Transaction) throws -> Int64 {
        let (balance, welcome) = try welcomeMoney.amounts(of: person, in: tx)
        return balance - welcome
    }

    /// Whether ``open(for:now:in:)`` has nothing to do.
    func isComplete(_ person: PersonID, in tx: Transaction) throws -> Bool {
        try exists(person, in: tx) && !welcomeMoney.isUnrecorded(person, in: tx)
    }

    /// Opens a person's wallet unless it is open, and credits the welcome amount that is due.
    /// - Parameter contact: the account, read with its row locked.
    func open(for contact: PeopleStore.Contact, now: Instant, in tx: Transaction) throws {
        let wallet = CarrepsaLedgerAccounts.wallet(contact.id)
        guard try !ledger.exists(wallet, in: tx) else {
            return try welcomeMoney.record(of: contact.id, now: now, in: tx)
        }
        let outside = CarrepsaLedgerAccounts.outside(currency)
        if try !ledger.exists(outside, in: tx) {
            try ledger.open(outside, unit: currency.code, mayOverdraw: true, now: now, in: tx)
        }
        try ledger.open(wallet, unit: currency.code, now: now, in: tx)
        try creditWelcome(to: contact, now: now, in: tx)
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
        if kind == .payOut, try ledger.transfer(id, in: tx) == nil {
            try ledger.lock([wallet], in: tx)
            try checkPayable(amount, of: person, in: tx)
        }
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

    /// Ends the request that a payout pays.
    /// - Parameter request: the request that the payment names; `nil` for none.
    /// - Throws: `AppError`: `invalid` at `request` for a top-up, for another person's request, and for a payout that
    ///   names none while one is open; `conflict` if the request has ended.
    func end(
        _ request: ID<PayoutRequest>?, by kind: PaymentKind, of person: PersonID, transfer: ID<Transfer>, now: Instant,
        in tx: Transaction
    ) throws {
        guard let request else {
            guard kind == .payOut, try PayoutRequestStore.open(of: person, in: tx) != nil else { return }
            throw AppError(.invalid, .payoutUnnamed, field: "request")
        }
        guard kind == .payOut, let named = try PayoutRequestStore.lock(request, in: tx), named.person == person else {
            throw AppError(.invalid, .payoutUnknown, field: "request")
        }
        guard named.state == .open else { throw AppError(.conflict, .payoutEnded) }
        try PayoutRequestStore.end(request, as: .paid, transfer: transfer.description, now: now, in: tx)
    }

    /// Checks whether an amount can be paid out.
    /// - Throws: `AppError.insufficientFunds` at `amount`.
    func checkPayable(_ amount: Int64, of person: PersonID, in tx: Transaction) throws {
        let (balance, welcome) = try welcomeMoney.amounts(of: person, in: tx)
        guard amount > balance - welcome else { return }
        throw AppError(
            .insufficientFunds, amount > balance ? .balanceTooSmall : .welcomeMoneyStays, field: "amount")
    }

    /// Credits the welcome amount that is due once the account has an email, or a confirmed one where mail is set up.
    func emailChanged(of person: PersonID, now: Instant, in tx: Transaction) throws {
        guard welcomeAmountMinor > 0, try exists(person, in: tx),
            let contact = try PeopleStore.contact(person, in: tx)
        else { return }
        try creditWelcome(to: contact, now: now, in: tx)
    }

    /// Credits the welcome amount to an open wallet: once for a wallet, and once for a mailbox.
    private func creditWelcome(to contact: PeopleStore.Contact, now: Instant, in tx: Transaction) throws {
        let person = contact.id
        guard welcomeAmountMinor > 0, contact.isEmailConfirmed || !demandsConfirmedEmail,
            let address = contact.email.flatMap(EmailAddress.init),
            try welcomeMoney.credited(to: person, in: tx) == nil,
            try welcomed.insert(address, now: now, in: tx)
        else { return }
        // The person's own id makes the transfer idempotent: concurrent requests post the same transfer.
        let transfer = Transfer(
            id: person.cast(to: Transfer.self), kind: TransferKind.welcome.rawValue, at: now,
            legs: try welcomeMoney.credit(welcomeAmountMinor, to: person, now: now, in: tx))
        guard try !ledger.post(transfer, in: tx).isReplay else { return }
        try tx.publish(CarrepsaEvents.wallet(of: person, now: now))
    }

    /// Takes welcome money back before the account is deleted, and keeps its mailbox among those that had some.
    func close(for contact: PeopleStore.Contact, now: Instant, in tx: Transaction) throws {
        try welcomeMoney.takeBack(from: contact.id, now: now, in: tx)
        guard let address = contact.email.flatMap(EmailAddress.init),
            try welcomeMoney.credited(to: contact.id, in: tx) != nil
        else { return }
        _ = try welcomed.insert(address, now: now, in: tx)
    }
}
