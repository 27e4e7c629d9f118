package import Accounts
package import Kernel
import Storage

/// `/carrepsa/payout-requests`: a person asks to be paid out.
package struct PayoutRequestService: Sendable {
    let database: Database
    let memberships: MembershipService
    let walletAccounts: WalletAccounts
    let clock: any WallClock
    let random: any RandomSource

    private var notifier: PayoutNotifier { PayoutNotifier(currency: walletAccounts.currency) }

    /// Creates a request, and notifies the administrators.
    /// - Throws: `AppError`: `invalid` at `amount` and `destination`; `insufficientFunds` at `amount`; `conflict` while
    ///   another request is open.
    package func create(_ input: PayoutRequestInput, by change: Change) async throws -> PayoutRequest {
        let now = clock.now
        let person = change.actor.person
        let id = ID<PayoutRequest>(at: now, random: random)
        return try await memberships.withWallet(change.actor) {
            try await database.write { tx in
                let once = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                    let (amount, destination) = try input.validated()
                    // Locked, so that two requests at once find each other.
                    guard let contact = try PeopleStore.locked(person, in: tx) else { throw AppError.notFound }
                    guard try PayoutRequestStore.open(of: person, in: tx) == nil else {
                        throw AppError(.conflict, .payoutRequested)
                    }
                    try walletAccounts.checkPayable(amount, of: person, in: tx)
                    let request = PayoutRequest(
                        id: id, person: person, amount: amount, destination: destination, state: .open, reason: nil,
                        createdAt: now, endedAt: nil, version: 1)
                    try PayoutRequestStore.insert(request, in: tx)
                    try notifier.notifyAdministrators(.requested, request, of: contact.name, now: now, in: tx)
                    try tx.publish(CarrepsaEvents.wallet(of: person, now: now))
                }
                guard let id = ID<PayoutRequest>(once.resource), let request = try PayoutRequestStore.one(id, in: tx)
                else { throw AppError.notFound }
                return request
            }
        }
    }

    /// Withdraws a request.
    /// - Throws: `AppError.notFound`, also for another person's request, and for one that has ended.
    package func withdraw(_ id: ID<PayoutRequest>, by change: Change) async throws {
        let now = clock.now
        let person = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                guard let contact = try PeopleStore.contact(person, in: tx),
                    let request = try PayoutRequestStore.lock(id, in: tx), request.person == person
                else { throw AppError.notFound }
                guard request.state == .open else { throw AppError.notFound }
                try withdraw(request, of: contact.name, now: now, in: tx)
            }
        }
    }

    /// Withdraws the open request of a person who is signed out everywhere: another person may have made it.
    func withdraw(openOf person: PersonID, now: Instant, in tx: Transaction) throws {
        guard let contact = try PeopleStore.contact(person, in: tx),
            let open = try PayoutRequestStore.open(of: person, in: tx),
            let request = try PayoutRequestStore.lock(open.id, in: tx), request.state == .open
        else { return }
        try withdraw(request, of: contact.name, now: now, in: tx)
    }

    private func withdraw(_ request: PayoutRequest, of name: String, now: Instant, in tx: Transaction) throws {
        try PayoutRequestStore.end(request.id, as: .withdrawn, now: now, in: tx)
        try notifier.notifyAdministrators(.withdrawn, request, of: name, now: now, in: tx)
        try tx.publish(CarrepsaEvents.wallet(of: request.person, now: now))
    }
}
