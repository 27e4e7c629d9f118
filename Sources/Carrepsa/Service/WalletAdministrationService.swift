package import Accounts
package import Kernel
import Ledger
import Notifications
import Storage

/// The wallets of all people, for administrators, who record money that came in or went out outside the app.
package struct WalletAdministrationService: Sendable {
    let database: Database
    let walletAccounts: WalletAccounts
    let people: AccountAdministrationService
    let acts: AdministratorActs
    let clock: any WallClock
    let random: any RandomSource

    /// A person with the balance of their wallet.
    package struct Summary: Sendable, Equatable {
        package let person: PersonID
        package let name: String
        package let email: String?
        /// Minor units; 0 without a wallet.
        package let balance: Int64
    }

    /// Whether an administrator may record payments of a wallet.
    package enum Permission: Sendable, Equatable {
        case granted
        /// A proof for sensitive acts is needed first.
        case unproven
        /// It is the administrator's own wallet, and there is another administrator.
        case ownWallet
    }

    /// One wallet, as an administrator sees it.
    package struct Details: Sendable, Equatable {
        package let summary: Summary
        /// The part of the balance that can be paid out, in minor units.
        package let payable: Int64
        /// Minor units in escrow.
        package let held: Int64
        /// The latest payments, the newest first.
        package let payments: [RecordedPayment]
        /// Whether the reader may record payments.
        package let permission: Permission
        /// The person's open payout request; `nil` for none.
        package let openRequest: PayoutRequest?
        /// The person's reference for transfers; `nil` before they asked for it.
        package let reference: String?
    }

    /// Returns a page of the adults, the newest first; or, for a search, the first that match: by the beginning of the
    /// email or of the name, by id, or by the reference of a transfer.
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator; `invalid` for a malformed cursor.
    package func list(
        for actor: Actor, search: String?, after cursor: String?, limit: Int
    ) async throws -> ListPage<Summary> {
        try await database.read { tx in
            let referred = try search.flatMap(PaymentReference.read).flatMap {
                try PaymentReferenceStore.person(of: $0, in: tx)
            }
            let page = try people.adults(
                for: actor, search: referred?.description ?? search, after: cursor, limit: limit, in: tx)
            let balances = try walletAccounts.ledger.balances(
                of: page.items.map { CarrepsaLedgerAccounts.wallet($0.id) }, in: tx)
            let items = page.items.map { account in
                Summary(
                    person: account.id, name: account.name, email: account.email,
                    balance: balances[CarrepsaLedgerAccounts.wallet(account.id)] ?? 0)
            }
            return ListPage(items: items, next: page.next)
        }
    }

    /// - Throws: `AppError` `forbidden` unless the actor is an administrator; `notFound`, also for a child.
    package func details(of person: PersonID, for actor: Actor) async throws -> Details {
        let now = clock.now
        return try await database.read { tx in
            try acts.require(actor, in: tx)
            guard let contact = try PeopleStore.contact(person, in: tx) else { throw AppError.notFound }
            return try details(of: contact, for: actor, now: now, in: tx)
        }
    }

    /// Records a payment once per idempotency key: moves the money, writes the audit log and notifies the person. A
    /// payout names the open request that it pays, and ends it.
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator, and for their own wallet while there is
    ///   another one; `invalid` without a proof, at `amount`, `note` or `request`; `insufficientFunds` at `amount`;
    ///   `conflict` if the request has ended; `notFound`, also for a child.
    package func record(_ input: PaymentInput, of person: PersonID, by change: Change) async throws -> Details {
        let now = clock.now
        let id = ID<Transfer>(at: now, random: random)
        return try await database.write { tx in
            try acts.require(change.actor, in: tx)
            guard let contact = try PeopleStore.locked(person, in: tx), !contact.isChild else {
                throw AppError.notFound
            }
            _ = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try acts.requireProof(of: change.actor, now: now, in: tx)
                try Self.requireOther(than: change.actor, for: person, in: tx)
                let (amount, note) = try input.validated()
                try walletAccounts.end(
                    input.request, by: input.kind, of: person, transfer: id, now: now, in: tx)
                try walletAccounts.open(for: contact, now: now, in: tx)
                try walletAccounts.post(input.kind, amount, id: id, of: person, now: now, in: tx)
                let payment = RecordedPayment(
                    id: id, at: now, kind: input.kind, amount: amount, note: note, recordedBy: change.actor.person,
                    recorderName: nil, request: input.request)
                try PaymentStore.insert(payment, of: person, in: tx)
                try notify(person, of: payment, by: change.actor, now: now, in: tx)
            }
            return try details(of: contact, for: change.actor, now: now, in: tx)
        }
    }

    /// Refuses acts on the actor's own wallet while there is another administrator.
    /// - Throws: `AppError.forbidden`.
    static func requireOther(than actor: Actor, for person: PersonID, in tx: Transaction) throws {
        guard try isOwnOfSeveral(actor, person, in: tx) else { return }
        throw AppError(.forbidden, .ownWallet)
    }

    private static func isOwnOfSeveral(_ actor: Actor, _ person: PersonID, in tx: Transaction) throws -> Bool {
        guard actor.person == person else { return false }
        return try PeopleStore.hasOtherOperator(than: person, in: tx)
    }

    private func permission(
        for actor: Actor, of person: PersonID, now: Instant, in tx: Transaction
    ) throws -> Permission {
        if try Self.isOwnOfSeveral(actor, person, in: tx) { return .ownWallet }
        return try acts.isProven(actor, now: now, in: tx) ? .granted : .unproven
    }

    private func notify(
        _ person: PersonID, of payment: RecordedPayment, by actor: Actor, now: Instant, in tx: Transaction
    ) throws {
        let currency = walletAccounts.currency
        try acts.record(
            payment.kind == .topUp ? .topUpWallet : .payOutWallet, subject: person.description,
            detail: "\(currency.decimal(payment.amount)) \(currency.code)", by: actor, now: now, in: tx)
        try acts.notify(person, of: payment.kind == .topUp ? .walletToppedUp : .walletPaidOut, now: now, in: tx)
        let notice = Notice(
            id: payment.id.cast(to: Notice.self), person: person, kind: .walletPayment,
            resource: "/carrepsa/wallet/entries", subject: payment.note,
            details: [
                "payment": payment.kind.rawValue, "amount": String(payment.amount), "currency": currency.code,
            ], at: now)
        try notice.post(in: tx)
        try tx.publish(CarrepsaEvents.wallet(of: person, now: now))
    }

    private func details(
        of contact: PeopleStore.Contact, for actor: Actor, now: Instant, in tx: Transaction
    ) throws -> Details {
        guard !contact.isChild else { throw AppError.notFound }
        return Details(
            summary: Summary(
                person: contact.id, name: contact.name, email: contact.email,
                balance: try walletAccounts.balance(of: contact.id, in: tx)),
            payable: try walletAccounts.payable(of: contact.id, in: tx),
            held: try PackageStore.held(of: contact.id, in: tx),
            payments: try PaymentStore.latest(of: contact.id, limit: Limits.paymentsShown, in: tx),
            permission: try permission(for: actor, of: contact.id, now: now, in: tx),
            openRequest: try PayoutRequestStore.open(of: contact.id, in: tx),
            reference: try PaymentReferenceStore.reference(of: contact.id, in: tx).map(PaymentReference.written))
    }
}
