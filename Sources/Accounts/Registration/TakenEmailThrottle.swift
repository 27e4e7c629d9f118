import Kernel
import Storage

/// A client that gets the response "taken", which reveals that an email address has an account.
struct TakenEmailRequester: Sendable {
    /// The client's network; see ``ClientNetwork``.
    let network: String
    /// The client's own account; `nil` before registration.
    var person: PersonID?
}

/// Limits the response "taken" by email address, by network and by person, for all use cases together. The response
/// reveals who has an account here.
struct TakenEmailThrottle: Sendable {
    private let emails = Throttle(
        scope: "taken-email", limit: Limits.signInFailuresPerEmail, windowSeconds: Limits.throttleSeconds
    )
    private let addresses = Throttle(
        scope: "taken-address", limit: Limits.signInFailuresPerAddress, windowSeconds: Limits.throttleSeconds
    )
    private let people = Throttle(
        scope: "taken-person", limit: Limits.signInFailuresPerEmail, windowSeconds: Limits.throttleSeconds
    )

    /// Rejects a request before the costly part when the response "taken" was sent too often to this client, or about
    /// this email address.
    /// - Throws: ``AppError`` `throttled`.
    func check(_ emailKey: String, by requester: TakenEmailRequester, now: Instant, in tx: Transaction) throws {
        if let person = requester.person { try people.check(person.description, now: now, in: tx) }
        try addresses.check(requester.network, now: now, in: tx)
        try emails.check(emailKey, now: now, in: tx)
    }

    /// Counts a response "taken".
    /// - Throws: ``AppError`` `throttled` when it was sent too often.
    func count(_ emailKey: String, by requester: TakenEmailRequester, now: Instant, in tx: Transaction) throws {
        if let person = requester.person { try people.fail(person.description, now: now, in: tx) }
        try addresses.fail(requester.network, now: now, in: tx)
        try emails.fail(emailKey, now: now, in: tx)
    }
}

extension AppError {
    /// Whether the error is the response "taken".
    var isEmailTaken: Bool { code == .conflict && fields["email"] != nil }
}

extension Actor {
    /// The client's network, or the person's id where no address is known.
    var network: String { clientAddress.map(ClientNetwork.key) ?? "person \(person)" }
}

extension DeviceInfo {
    var network: String { ClientNetwork.key(clientAddress) }
}
