import Kernel
package import Storage

/// A person who administers the server. Only ``AdministratorPolicy`` creates one, so that no act of an administrator
/// can skip the check.
struct Administrator {
    /// `nil` for a command on the command line.
    let person: PersonID?

    fileprivate init(person: PersonID?) { self.person = person }
}

/// Who can administer the server.
package enum AdministratorPolicy {
    /// Access to the command line is the permission.
    static let commandLine = Administrator(person: nil)

    /// Requires administrator rights, in the transaction of the act: they may have been revoked since the request was
    /// authenticated.
    /// - Throws: ``AppError`` `forbidden`.
    static func require(_ actor: Actor, in tx: Transaction) throws -> Administrator {
        guard try isAdministrator(actor, in: tx) else { throw AppError(.forbidden, .administratorsOnly) }
        return Administrator(person: actor.person)
    }

    /// Whether the actor has administrator rights. An access token never has.
    package static func isAdministrator(_ actor: Actor, in tx: Transaction) throws -> Bool {
        guard !actor.hasAccessToken, let account = try AccountStore.account(actor.person, in: tx) else { return false }
        return account.isOperator && account.role == .adult && account.disabledAt == nil
    }

    /// Requires the rights for an act that changes what others can do. Such an act also needs a proof that the
    /// administrator is present, given within the last ``Limits/proofSeconds``. The proof is valid for several acts.
    /// - Throws: ``AppError`` `forbidden`; `invalid` with `fields.password` without a proof.
    static func requireProof(
        of actor: Actor, proofs: ProofService, now: Instant, in tx: Transaction
    ) throws -> Administrator {
        let administrator = try require(actor, in: tx)
        try proofs.requireStored(.administer, of: actor, now: now, in: tx)
        return administrator
    }
}
