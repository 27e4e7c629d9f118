import Kernel
import Storage

/// Requests for another email of an account.
struct EmailChangeRequests: Sendable {
    let proofs: ProofService
    /// `nil` where mail isn't set up.
    let verifications: VerificationMails?
    let undoLinks: EmailUndoLinks
    let securityMails: SecurityMails

    /// Whether a new address must be confirmed by a mail before it takes effect.
    var requiresConfirmation: Bool { verifications != nil }

    /// Requires the proof. Where mail is set up, stores the new address as pending.
    /// - Parameter edited: the account with all edits, including the email.
    /// - Returns: the account as it is to be stored.
    func request(
        of before: Account, to email: EmailAddress, edited: Account, by actor: Actor, _ proof: EmailProof, now: Instant,
        in tx: Transaction
    ) throws -> Account {
        _ = try proofs.require(.changeEmail, of: actor, with: proof.evidence, now: now, in: tx)
        guard try !AccountStore.isTaken(emailKey: email.key, except: before.id, now: now, in: tx) else {
            throw AppError(.conflict, .emailTaken, field: "email")
        }
        _ = try EmailChangeStore.delete(of: before.id, in: tx)
        guard let verifications, let codes = proof.codes else {
            try CodeStore.removeResets(of: before.id, in: tx)
            return edited
        }
        let language = edited.language ?? proof.language
        try verifications.enqueueChange(
            code: codes.confirmation, to: email, of: before, language: language, from: actor.network, now: now, in: tx)
        var pending = edited
        pending.email = before.email
        pending.emailVerifiedAt = before.emailVerifiedAt
        pending.pendingEmail = email.text
        let undoURL = try undoLinks.insert(codes.undo, for: before, now: now, in: tx)
        try securityMails.enqueue(
            .emailChangeRequested(undoURL: undoURL), to: before, language: language, now: now, in: tx)
        return pending
    }
}
