import Kernel
import Storage

/// Who is told that an email address is taken: they learn that it has an account here.
struct TakenEmailAsker: Sendable {
    /// The network they ask from; see ``ClientNetwork``.
    let network: String
    /// Their own account; `nil` for someone who has none yet.
    var person: PersonID?
}

/// The answer "taken" is counted alike on every path: by the email address, by the asker's network, and by the asker.
extension AccountService {
    /// Rejects early whoever was told too often that an email address is taken, or asks about one that was told too often.
    /// - Throws: ``AppError`` `throttled`.
    func checkTaken(_ emailKey: String, by asker: TakenEmailAsker, now: Instant, in tx: Transaction) throws {
        if let person = asker.person { try takenPersonThrottle.check(person.description, now: now, in: tx) }
        try takenAddressThrottle.check(asker.network, now: now, in: tx)
        try takenEmailThrottle.check(emailKey, now: now, in: tx)
    }

    /// Counts that someone was told that an email address is taken.
    /// - Throws: ``AppError`` `throttled` when they were told too often already.
    func countTaken(_ emailKey: String, by asker: TakenEmailAsker, now: Instant, in tx: Transaction) throws {
        if let person = asker.person { try takenPersonThrottle.fail(person.description, now: now, in: tx) }
        try takenAddressThrottle.fail(asker.network, now: now, in: tx)
        try takenEmailThrottle.fail(emailKey, now: now, in: tx)
    }
}

extension AppError {
    /// Whether it says that an email address is taken.
    var saysTaken: Bool { code == .conflict && fields["email"] != nil }
}

extension Actor {
    /// The network that the actor asks from; the person stands for it where no address is known.
    var network: String { clientAddress.map(ClientNetwork.key) ?? "person \(person)" }
}

extension DeviceInfo {
    /// The network that the device is in.
    var network: String { ClientNetwork.key(clientAddress) }
}
