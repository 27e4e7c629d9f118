package import Accounts
package import Kernel
package import Ledger
import Storage

extension CarrepsaService {
    /// Opens the actor's wallet with the welcome amount unless it is open. All use cases call it; it is cheap for
    /// known members.
    /// - Throws: `AppError`: `invalid` at `phone` if the account has no phone number; `forbidden` for a child.
    package func enter(_ actor: Actor) async throws {
        let person = actor.person
        guard !entered.contains(person) else { return }
        let isOpen = try await database.read { [self] tx in
            guard let contact = try PeopleStore.contact(person, in: tx) else { throw AppError.notFound }
            guard !contact.isChild else { throw AppError(.forbidden, .grownUpsOnly) }
            guard contact.phone != nil else { throw AppError(.invalid, .phoneMissing, field: "phone") }
            return try ledger.exists(CarrepsaLedgerAccounts.wallet(person), in: tx)
        }
        if !isOpen {
            let now = clock.now
            try await database.write { [self] tx in
                // Locked, so that a concurrent email confirmation credits the welcome amount once in total.
                guard let contact = try PeopleStore.locked(person, in: tx) else { throw AppError.notFound }
                try openWallet(of: contact, now: now, in: tx)
            }
        }
        entered.insert(person)
    }

    /// Runs `work` after ensuring that the actor has a wallet.
    func withWallet<T: Sendable>(_ actor: Actor, _ work: () async throws -> T) async throws -> T {
        try await enter(actor)
        do {
            return try await work()
        } catch LedgerError.unknownAccount {
            // The wallet was lost because an administrator restored an older backup.
            entered.remove(actor.person)
            try await enter(actor)
            return try await work()
        }
    }

    /// Returns the actor's balance and amount in escrow.
    package func wallet(for actor: Actor) async throws -> Wallet {
        try await withWallet(actor) {
            try await reading { [self] tx, _ in
                Wallet(
                    balance: try ledger.balance(of: CarrepsaLedgerAccounts.wallet(actor.person), in: tx),
                    held: try PackageStore.held(of: actor.person, in: tx), currency: currency
                )
            }
        }
    }

    /// Returns a page of the actor's wallet entries, newest first.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func entries(
        for actor: Actor, after: String?, limit: Int
    ) async throws -> CarrepsaPage<WalletEntry> {
        try await enter(actor)
        let start = try Cursor.sequence(after)
        let limit = Cursor.limit(limit)
        return try await reading { [self] tx, _ in
            try walletPage(of: actor.person, before: start, limit: limit, in: tx)
        }
    }

    func walletPage(
        of person: PersonID, before start: Int64?, limit: Int, in tx: Transaction
    ) throws -> CarrepsaPage<WalletEntry> {
        let movements = try ledger.movements(
            of: CarrepsaLedgerAccounts.wallet(person), before: start, limit: limit, in: tx)
        let subjects = Set(movements.compactMap { $0.subject.flatMap { ID<Package>($0) } })
        let packages = try PackageList.subjects(subjects, seenBy: person, in: tx)
        let entries = movements.map { movement in
            let id = movement.subject.flatMap { ID<Package>($0) }
            let subject = id.flatMap { packages[$0] }
            let kind = TransferKind(rawValue: movement.kind).entryKind(isOwner: subject?.isOwner ?? false)
            return WalletEntry(
                id: movement.transferID.description, at: movement.at, amount: movement.amount, kind: kind,
                fate: subject?.fate(of: kind, putAsideAt: movement.at), packageID: id, packageTitle: subject?.title,
                isPackageShown: subject?.isShown ?? false,
                balanceAfter: movement.balanceAfter
            )
        }
        // Entries are numbered from 1 without gaps, so the last number says whether another page follows.
        let next = movements.last.flatMap { $0.sequence > 1 && movements.count == limit ? "\($0.sequence)" : nil }
        return CarrepsaPage(items: entries, next: next)
    }

    /// Returns the person's balance; 0 without a wallet.
    func balance(of person: PersonID, in tx: Transaction) throws -> Int64 {
        do {
            return try ledger.balance(of: CarrepsaLedgerAccounts.wallet(person), in: tx)
        } catch LedgerError.unknownAccount {
            return 0
        }
    }

    // MARK: Payments by administrators

    /// Credits money that the administrator received outside the app, once per `transferID`.
    /// - Parameter email: the account's email, which must be confirmed if mail is set up, or the account's id.
    /// - Returns: the new balance in minor units.
    /// - Throws: `AppError`: `notFound` for an unknown account; `forbidden` for a child; `invalid` at `amount`;
    ///   `conflict` if the id belongs to another payment or the email isn't confirmed.
    package func topUp(email: String, amountMinor: Int64, transferID: ID<Transfer>) async throws -> Int64 {
        try await pay(amountMinor, email: email, transferID: transferID, kind: .topUp)
    }

    /// Debits money that the administrator paid out outside the app, once per `transferID`.
    /// - Returns: the new balance in minor units.
    /// - Throws: the errors of ``topUp(email:amountMinor:transferID:)``; `insufficientFunds`.
    package func payOut(email: String, amountMinor: Int64, transferID: ID<Transfer>) async throws -> Int64 {
        try await pay(amountMinor, email: email, transferID: transferID, kind: .payOut)
    }

    private func pay(
        _ amount: Int64, email: String, transferID: ID<Transfer>, kind: TransferKind
    ) async throws -> Int64 {
        guard PackageDraft.isAmount(amount) else { throw AppError(.invalid, .amountOutOfRange, field: "amount") }
        let now = clock.now
        return try await database.write { [self] tx in
            let contact = try named(email, in: tx)
            guard !contact.isChild else { throw AppError(.forbidden, .grownUpsOnly) }
            let wallet = CarrepsaLedgerAccounts.wallet(contact.id)
            try openWallet(of: contact, now: now, in: tx)
            let outside = CarrepsaLedgerAccounts.outside(currency)
            let (from, to) = kind == .payOut ? (wallet, outside) : (outside, wallet)
            let transfer = Transfer(id: transferID, kind: kind.rawValue, at: now, amount: amount, from: from, to: to)
            do {
                try ledger.post(transfer, in: tx)
            } catch LedgerError.insufficientFunds {
                throw AppError(.insufficientFunds, .balanceTooSmall, field: "amount")
            } catch LedgerError.transferConflict {
                throw AppError(.conflict, .paymentKnown)
            } catch LedgerError.overflow {
                throw AppError(.invalid, .amountOutOfRange, field: "amount")
            }
            try tx.publish(CarrepsaEvents.wallet(of: contact.id, now: now))
            return try ledger.balance(of: wallet, in: tx)
        }
    }

    /// Returns the account with this email or id, locked.
    private func named(_ text: String, in tx: Transaction) throws -> PeopleStore.Contact {
        if let id = PersonID(text) {
            guard let contact = try PeopleStore.locked(id, in: tx) else { throw AppError.notFound }
            return contact
        }
        guard let key = EmailAddress(text)?.key, let contact = try PeopleStore.locked(emailKey: key, in: tx) else {
            throw AppError.notFound
        }
        guard contact.isEmailConfirmed || !demandsConfirmedEmail else {
            throw AppError(.conflict, AccountMessage.emailNotConfirmed.rawValue)
        }
        return contact
    }

    /// Opens a person's wallet unless it is open. Credits the welcome amount if the email is confirmed or needn't be.
    /// - Parameter contact: the account, read with its row locked.
    private func openWallet(of contact: PeopleStore.Contact, now: Instant, in tx: Transaction) throws {
        let wallet = CarrepsaLedgerAccounts.wallet(contact.id)
        guard try !ledger.exists(wallet, in: tx) else { return }
        let outside = CarrepsaLedgerAccounts.outside(currency)
        if try !ledger.exists(outside, in: tx) {
            try ledger.open(outside, unit: currency.code, mayOverdraw: true, now: now, in: tx)
        }
        try ledger.open(wallet, unit: currency.code, now: now, in: tx)
        if contact.isEmailConfirmed || !demandsConfirmedEmail { try welcome(contact.id, now: now, in: tx) }
    }

    /// Credits the welcome amount after the email's confirmation, unless the wallet got it before.
    func emailConfirmed(of person: PersonID, now: Instant, in tx: Transaction) throws {
        guard demandsConfirmedEmail, try ledger.exists(CarrepsaLedgerAccounts.wallet(person), in: tx) else { return }
        do {
            try welcome(person, now: now, in: tx)
        } catch LedgerError.transferConflict {
            // The wallet got another welcome amount when it was opened, because the setting was different.
        }
    }

    /// Credits the welcome amount to an open wallet, once.
    private func welcome(_ person: PersonID, now: Instant, in tx: Transaction) throws {
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
