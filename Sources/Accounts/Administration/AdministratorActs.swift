package import Kernel
package import Storage

/// Checks and records the acts of administrators in other modules, each in the transaction of the act.
package struct AdministratorActs: Sendable {
    let proofs: ProofService
    let audit: AuditLog
    let securityMails: SecurityMails

    /// Requires administrator rights, for reading.
    /// - Throws: ``AppError`` `forbidden`.
    package func require(_ actor: Actor, in tx: Transaction) throws {
        _ = try AdministratorPolicy.require(actor, in: tx)
    }

    /// Whether a proof for sensitive acts is stored for the actor's session.
    package func isProven(_ actor: Actor, now: Instant, in tx: Transaction) throws -> Bool {
        try proofs.state(of: actor, for: .administer, now: now, in: tx) == .given
    }

    /// Requires administrator rights, and records the act.
    /// - Parameters:
    ///   - subject: the id of what the act is about.
    ///   - detail: what was chosen.
    /// - Throws: ``AppError`` `forbidden`.
    package func record(
        _ action: AuditAction, subject: String? = nil, detail: String? = nil, by actor: Actor, now: Instant,
        in tx: Transaction
    ) throws {
        let administrator = try AdministratorPolicy.require(actor, in: tx)
        try audit.record(action, subject: subject, detail: detail, by: administrator, now: now, in: tx)
    }

    /// Requires administrator rights and a proof that the administrator is present, for an act on others.
    /// - Throws: ``AppError`` `forbidden`; `invalid` with `fields.password` without a proof.
    package func requireProof(of actor: Actor, now: Instant, in tx: Transaction) throws {
        _ = try AdministratorPolicy.requireProof(of: actor, proofs: proofs, now: now, in: tx)
    }

    /// Notifies a person by mail of what an administrator did.
    package func notify(_ person: PersonID, of notice: AdministrationNotice, now: Instant, in tx: Transaction) throws {
        guard let account = try AccountStore.account(person, in: tx) else { return }
        try securityMails.enqueue(.administration(notice), to: account, now: now, in: tx)
    }
}
