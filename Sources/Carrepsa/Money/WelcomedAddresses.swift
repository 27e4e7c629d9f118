import Accounts
import Foundation
import Kernel
import Storage

/// The mailboxes whose account got a welcome amount. The table `carrepsa_welcomed_address` has keyed hashes of them
/// only, which stay when an account is deleted: registering again brings no second welcome amount.
struct WelcomedAddresses: Sendable {
    private static let purpose = "welcomed address"
    /// The host names of the provider that ignores dots in addresses.
    private static let dotless: Set<String> = ["gmail.com", "googlemail.com"]

    let secrets: SecretBox

    /// Adds a mailbox.
    /// - Returns: Whether it is new.
    func insert(_ email: EmailAddress, now: Instant, in tx: Transaction) throws -> Bool {
        let mark = secrets.mark(Array(Self.mailbox(of: email).utf8), purpose: Self.purpose)
        return try tx.executeCounting(
            "INSERT INTO carrepsa_welcomed_address (mark, at) VALUES (\(mark), \(now)) ON CONFLICT DO NOTHING") == 1
    }

    /// Returns the mailbox of an address: in lower case, with compatible characters replaced, and without what follows
    /// a plus sign. At Gmail also without dots, and with one host name.
    static func mailbox(of email: EmailAddress) -> String {
        let key = email.key.precomposedStringWithCompatibilityMapping.lowercased()
        let halves = key.split(separator: "@", maxSplits: 1)
        guard halves.count == 2 else { return key }
        // An address may begin with a plus sign.
        let first = halves[0].prefix(1)
        var local = first + halves[0].dropFirst().prefix { $0 != "+" }
        let host = String(halves[1])
        guard dotless.contains(host) else { return "\(local)@\(host)" }
        local.removeAll { $0 == "." }
        return "\(local)@gmail.com"
    }
}
