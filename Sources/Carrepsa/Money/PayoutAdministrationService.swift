package import Accounts
package import Kernel
import Storage

/// The open payout requests, for administrators. Recording the payment ends a request
/// (``WalletAdministrationService/record(_:of:by:)``).
package struct PayoutAdministrationService: Sendable {
    let database: Database
    let walletAccounts: WalletAccounts
    let acts: AdministratorActs
    let clock: any WallClock

    /// Returns a page of the open requests, the oldest first.
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator; `invalid` for a malformed cursor.
    package func list(for actor: Actor, after: String?, limit: Int) async throws -> ListPage<WaitingPayout> {
        let request = try PageRequest<ID<PayoutRequest>>(after: after, limit: limit)
        let waiting = try await database.read { tx in
            try acts.require(actor, in: tx)
            return try PayoutRequestStore.waiting(after: request.after, limit: request.rows, in: tx).map { entry in
                WaitingPayout(
                    request: entry.request, name: entry.name,
                    balance: try walletAccounts.balance(of: entry.request.person, in: tx),
                    payable: try walletAccounts.payable(of: entry.request.person, in: tx))
            }
        }
        return request.page(waiting, \.request.id)
    }

    /// Returns the person of a request.
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator; `notFound`.
    package func person(of id: ID<PayoutRequest>, for actor: Actor) async throws -> PersonID {
        try await database.read { tx in
            try acts.require(actor, in: tx)
            guard let request = try PayoutRequestStore.one(id, in: tx) else { throw AppError.notFound }
            return request.person
        }
    }

    /// Declines a request with a reason, and notifies the person.
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator, and for their own request while there is
    ///   another one; `invalid` without a proof, and at `reason`; `notFound`; `conflict` when the request has ended.
    package func decline(
        _ id: ID<PayoutRequest>, reason typed: String?, by change: Change
    ) async throws -> PayoutRequest {
        let now = clock.now
        return try await database.write { tx in
            try acts.require(change.actor, in: tx)
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                try acts.requireProof(of: change.actor, now: now, in: tx)
                var problems = FieldErrors<CarrepsaMessage>()
                let text = PaymentText.read(typed, "reason", &problems)
                if text == nil { problems.refuse("reason", .reasonMissing) }
                try problems.finish()
                guard let reason = text else { throw AppError(.invalid, .reasonMissing, field: "reason") }
                guard let request = try PayoutRequestStore.lock(id, in: tx) else { throw AppError.notFound }
                try WalletAdministrationService.requireOther(than: change.actor, for: request.person, in: tx)
                guard request.state == .open else { throw AppError(.conflict, .payoutEnded) }
                try PayoutRequestStore.end(id, as: .declined, reason: reason, now: now, in: tx)
                try acts.record(
                    .declinePayout, subject: request.person.description,
                    detail: "\(walletAccounts.currency.decimal(request.amount)) \(walletAccounts.currency.code)",
                    by: change.actor, now: now, in: tx)
                try PayoutNotifier(currency: walletAccounts.currency).notifyPerson(
                    of: request, reason: reason, now: now, in: tx)
                try tx.publish(CarrepsaEvents.wallet(of: request.person, now: now))
            }
            guard let request = try PayoutRequestStore.one(id, in: tx) else { throw AppError.notFound }
            return request
        }
    }
}
