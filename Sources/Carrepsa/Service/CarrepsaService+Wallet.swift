package import Accounts
package import Kernel
package import Ledger
import Storage

extension CarrepsaService {
    /// Lets somebody into the app: their wallet is opened, with the welcome amount the first time. Cheap when they are
    /// in already; every use case of theirs does it by itself.
    /// - Throws: `AppError`: `invalid` at `phone` when the account has none; `forbidden` for a child.
    package func enter(_ actor: Actor) async throws {
        let person = actor.person
        guard !entered.contains(person) else { return }
        let isOpen = try await database.read { [self] tx in
            guard let contact = try PeopleStore.contact(person, in: tx) else { throw AppError.notFound }
            guard !contact.isChild else { throw AppError(.forbidden, .grownUpsOnly) }
            guard contact.phone != nil else { throw AppError(.invalid, .phoneMissing, field: "phone") }
            return try ledger.exists(Purses.wallet(person), in: tx)
        }
        if !isOpen {
            let now = clock.now
            try await database.write { [self] tx in
                // Locked: an email that is confirmed at this moment brings the welcome amount once, here or there.
                guard let contact = try PeopleStore.locked(person, in: tx) else { throw AppError.notFound }
                try openWallet(of: contact, now: now, in: tx)
            }
        }
        entered.insert(person)
    }

    /// Works for somebody who has a wallet, or gets one now.
    func asMember<T: Sendable>(_ actor: Actor, _ work: () async throws -> T) async throws -> T {
        try await enter(actor)
        do {
            return try await work()
        } catch LedgerError.unknownAccount {
            // A backup from before they entered has been put back meanwhile.
            entered.remove(actor.person)
            try await enter(actor)
            return try await work()
        }
    }

    /// What the actor has, at hand and in escrow.
    package func wallet(for actor: Actor) async throws -> Wallet {
        try await asMember(actor) {
            try await reading { [self] tx, _ in
                Wallet(
                    balance: try ledger.balance(of: Purses.wallet(actor.person), in: tx),
                    held: try PackageStore.held(of: actor.person, in: tx), currency: currency
                )
            }
        }
    }

    /// A page of the actor's movements, newest first.
    /// - Throws: `AppError.invalid` at `after` for a cursor that no page gave out.
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
        let movements = try ledger.movements(of: Purses.wallet(person), before: start, limit: limit, in: tx)
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
        // Movements are numbered without gaps, so the last one's number says whether more follow.
        let next = movements.last.flatMap { $0.sequence > 1 && movements.count == limit ? "\($0.sequence)" : nil }
        return CarrepsaPage(items: entries, next: next)
    }

    /// What somebody has at hand; nothing without a wallet.
    func balance(of person: PersonID, in tx: Transaction) throws -> Int64 {
        do {
            return try ledger.balance(of: Purses.wallet(person), in: tx)
        } catch LedgerError.unknownAccount {
            return 0
        }
    }

    // MARK: The operator's payments

    /// Pays into somebody's wallet what came in outside, once for each `transferID`.
    /// - Parameter email: the account's email, which must be confirmed where mail is set up; or the account's id.
    /// - Returns: the balance afterwards, in minor units.
    /// - Throws: `AppError`: `notFound` when nobody has that email; `invalid` at `amount`; `conflict` when the id was
    ///   used for another payment, or the email isn't confirmed.
    package func topUp(email: String, amountMinor: Int64, transferID: ID<Transfer>) async throws -> Int64 {
        try await pay(amountMinor, email: email, transferID: transferID, kind: .topUp)
    }

    /// Pays out of somebody's wallet what was handed out outside, once for each `transferID`.
    /// - Returns: the balance afterwards, in minor units.
    /// - Throws: as ``topUp(email:amountMinor:transferID:)``; `insufficientFunds`.
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
            let wallet = Purses.wallet(contact.id)
            try openWallet(of: contact, now: now, in: tx)
            let outside = Purses.outside(currency)
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
            try tx.publish(Announcement.wallet(of: contact.id, now: now))
            return try ledger.balance(of: wallet, in: tx)
        }
    }

    /// The account that the administrator names, locked.
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

    /// Opens a person's wallet unless it is open. The welcome amount is credited then, or when the email is confirmed.
    /// - Parameter contact: read with the account's row locked.
    private func openWallet(of contact: PeopleStore.Contact, now: Instant, in tx: Transaction) throws {
        let wallet = Purses.wallet(contact.id)
        guard try !ledger.exists(wallet, in: tx) else { return }
        let outside = Purses.outside(currency)
        if try !ledger.exists(outside, in: tx) {
            try ledger.open(outside, unit: currency.code, mayOverdraw: true, now: now, in: tx)
        }
        try ledger.open(wallet, unit: currency.code, now: now, in: tx)
        if contact.isEmailConfirmed || !demandsConfirmedEmail { try welcome(contact.id, now: now, in: tx) }
    }

    /// The email was confirmed: the welcome amount comes now, where it has waited for that.
    func emailConfirmed(of person: PersonID, now: Instant, in tx: Transaction) throws {
        guard demandsConfirmedEmail, try ledger.exists(Purses.wallet(person), in: tx) else { return }
        do {
            try welcome(person, now: now, in: tx)
        } catch LedgerError.transferConflict {
            // It came with the wallet, when the setting named another amount.
        }
    }

    /// Pays the welcome amount into an open wallet, once.
    private func welcome(_ person: PersonID, now: Instant, in tx: Transaction) throws {
        guard welcomeAmountMinor > 0 else { return }
        // The person's own id: whoever opens the wallet at the same time posts the very same transfer.
        let transfer = Transfer(
            id: person.cast(to: Transfer.self), kind: TransferKind.welcome.rawValue, at: now,
            amount: welcomeAmountMinor, from: Purses.outside(currency), to: Purses.wallet(person)
        )
        guard try !ledger.post(transfer, in: tx).isReplay else { return }
        try tx.publish(Announcement.wallet(of: person, now: now))
    }
}
