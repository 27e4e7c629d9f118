import Kernel
package import Storage

/// Whether to offer a passcode to a person.
package enum PasscodeOfferRule {
    /// Returns whether an adult has no passcode and hasn't declined one.
    package static func offersPasscode(to actor: Actor, in tx: Transaction) throws -> Bool {
        guard actor.role == .adult, try LockStore.lock(of: actor.person, in: tx) == nil else { return false }
        return try !LockStore.hasDeclined(actor.person, in: tx)
    }
}
