import Kernel

/// The keys by which one attempt to enter a password is counted.
struct PasswordAttempt: Sendable {
    let emailKey: String
    /// `nil` when the attempt comes from a session that is signed in already.
    let address: String?
    /// The person of an open session. Their failures have a separate counter, so that strangers who know the email
    /// can't block them from proving their identity.
    var person: PersonID?

    /// The key of the account's counter.
    var accountKey: String { person.map { "person \($0)" } ?? emailKey }

    /// Attempts that share a key run one after another.
    var keys: Set<String> { Set(["email \(emailKey)"] + (address.map { ["address \($0)"] } ?? [])) }
}
