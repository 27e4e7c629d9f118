import Kernel
import Notifications
import Storage

/// Notifications about payout requests, in the transaction of the change.
struct PayoutNotifier: Sendable {
    enum Event: String {
        case requested
        case withdrawn
        case declined
    }

    let currency: Currency

    func notifyAdministrators(
        _ event: Event, _ request: PayoutRequest, of name: String, now: Instant, in tx: Transaction
    ) throws {
        for administrator in try PeopleStore.operators(in: tx) where administrator != request.person {
            try post(
                event, request, to: administrator, resource: "/admin/wallets/\(request.person)", subject: name,
                people: ["subject": NamedPerson(request.person, name)], now: now, in: tx)
        }
    }

    /// Notifies the person that the request was declined.
    func notifyPerson(of request: PayoutRequest, reason: String, now: Instant, in tx: Transaction) throws {
        try post(
            .declined, request, to: request.person, resource: "/carrepsa/money", subject: reason, now: now, in: tx)
    }

    private func post(
        _ event: Event, _ request: PayoutRequest, to person: PersonID, resource: String, subject: String,
        people: [String: NamedPerson?] = [:], now: Instant, in tx: Transaction
    ) throws {
        try Notice(
            id: ID(about: [request.id.description, event.rawValue, person.description], at: now), person: person,
            kind: .payoutRequest, resource: resource, subject: subject,
            details: [
                "event": event.rawValue, "amount": String(request.amount), "currency": currency.code,
            ], people: people, at: now
        ).post(in: tx)
    }
}
