import Kernel
import Storage

/// A client that gets the response "taken", which reveals that an email address has an account.
struct TakenEmailRequester: Sendable {
    /// The client's network; see ``ClientNetwork``.
    let network: String
    /// The client's own account; `nil` before registration.
    var person: PersonID?
}

/// Counts the response "taken" by email address, by network and by person, whichever use case sends it.
extension AccountService {
    /// Rejects a request before the costly part when the response "taken" was sent too often to this client, or about
    /// this email address.
    /// - Throws: ``AppError`` `throttled`.
    func checkTaken(_ emailKey: String, by asker: TakenEmailRequester, now: Instant, in tx: Transaction) throws {
        if let person = asker.person { try takenPersonThrottle.check(person.description, now: now, in: tx) }
        try takenAddressThrottle.check(asker.network, now: now, in: tx)
        try takenEmailThrottle.check(emailKey, now: now, in: tx)
    }

    /// Counts a response "taken".
    /// - Throws: ``AppError`` `throttled` when it was sent too often.
    func countTaken(_ emailKey: String, by asker: TakenEmailRequester, now: Instant, in tx: Transaction) throws {
        if let person = asker.person { try takenPersonThrottle.fail(person.description, now: now, in: tx) }
        try takenAddressThrottle.fail(asker.network, now: now, in: tx)
        try takenEmailThrottle.fail(emailKey, now: now, in: tx)
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
