import Accounts
package import Kernel
package import Ledger
import Storage

/// Payments that an administrator records: money that came in or went out outside the app.
package struct PaymentService: Sendable {
    let database: Database
    let walletAccounts: WalletAccounts
    let clock: any WallClock

    /// Credits money that the administrator received outside the app, once per `transferID`.
    /// - Parameter email: the account's email, which must be confirmed if mail is set up, or the account's id.
    /// - Returns: the new balance in minor units.
    /// - Throws: `AppError`: `notFound` for an unknown account; `forbidden` for a child; `invalid` at `amount`;
    ///   `conflict` if the id belongs to another payment or the email isn't confirmed.
    package func topUp(email: String, amountMinor: Int64, transferID: ID<Transfer>) async throws -> Int64 {
        try await record(.topUp, amountMinor, email: email, transferID: transferID)
    }

    /// Debits money that the administrator paid out outside the app, once per `transferID`.
    /// - Parameter request: the open request that it pays; `nil` for none.
    /// - Returns: the new balance in minor units.
    /// - Throws: the errors of ``topUp(email:amountMinor:transferID:)``; `insufficientFunds`; `invalid` at `request` if
    ///   it names none while one is open, or another person's; `conflict` if the request has ended.
    package func payOut(
        email: String, amountMinor: Int64, transferID: ID<Transfer>, request: ID<PayoutRequest>? = nil
    ) async throws -> Int64 {
        try await record(.payOut, amountMinor, email: email, transferID: transferID, request: request)
    }

    private func record(
        _ kind: PaymentKind, _ amount: Int64, email: String, transferID: ID<Transfer>,
        request: ID<PayoutRequest>? = nil
    ) async throws -> Int64 {
        guard PackageDraft.isAmount(amount) else { throw AppError(.invalid, .amountOutOfRange, field: "amount") }
        let now = clock.now
        return try await database.write { [self] tx in
            let contact = try lockedAccount(email, in: tx)
            guard !contact.isChild else { throw AppError(.forbidden, .grownUpsOnly) }
            try walletAccounts.open(for: contact, now: now, in: tx)
            let isRepeated = try walletAccounts.post(kind, amount, id: transferID, of: contact.id, now: now, in: tx)
            if !isRepeated {
                try walletAccounts.end(request, by: kind, of: contact.id, transfer: transferID, now: now, in: tx)
            }
            try tx.publish(CarrepsaEvents.wallet(of: contact.id, now: now))
            return try walletAccounts.balance(of: contact.id, in: tx)
        }
    }

    /// Returns the account with this email or id, locked.
    private func lockedAccount(_ text: String, in tx: Transaction) throws -> PeopleStore.Contact {
        if let id = PersonID(text) {
            guard let contact = try PeopleStore.locked(id, in: tx) else { throw AppError.notFound }
            return contact
        }
        guard let key = EmailAddress(text)?.key, let contact = try PeopleStore.locked(emailKey: key, in: tx) else {
            throw AppError.notFound
        }
        guard contact.isEmailConfirmed || !walletAccounts.demandsConfirmedEmail else {
            throw AppError(.conflict, AccountMessage.emailNotConfirmed.text)
        }
        return contact
    }
}
