package import Kernel
import Storage

/// Invitations of administrators, each for one account. They work unless registration is open to everyone anyway.
package struct ServerInvitationService: Sendable {
    let database: Database
    let links: AccountLinks
    /// `nil` where mail isn't set up.
    let mailQueue: MailQueue?
    let audit: AuditLog
    let clock: any WallClock
    let random: any RandomSource

    /// Whether invitations can be mailed.
    package var sendsMail: Bool { mailQueue != nil }

    /// Returns the invitations that can be used, the newest first.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator.
    package func list(for actor: Actor) async throws -> [ServerInvitation] {
        let now = clock.now
        return try await database.read { tx in
            _ = try AdministratorPolicy.require(actor, in: tx)
            return try ServerInvitationStore.list(now: now, in: tx)
        }
    }

    /// Creates an invitation, and mails it if an address is given.
    /// - Parameters:
    ///   - email: `nil` or empty for an invitation that the administrator passes on.
    ///   - language: of the mail.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `invalid` with `fields.email`;
    ///   `conflict` when there are too many; `throttled` or `unavailable` when the mail can't be queued.
    package func create(
        email typed: String?, language: String = Language.english.rawValue, by change: Change
    ) async throws -> NewServerInvitation {
        let now = clock.now
        let id = ID<ServerInvitation>(at: now, random: random)
        let code = Token.make(random: random)
        return try await database.write { tx in
            let administrator = try AdministratorPolicy.require(change.actor, in: tx)
            let email = try recipient(typed)
            guard try ServerInvitationStore.count(now: now, in: tx) < Limits.serverInvitations else {
                throw AppError(.conflict, .serverInvitationsFull)
            }
            let invitation = ServerInvitation(
                id: id, email: email?.text, creator: nil, createdAt: now,
                expiresAt: now.adding(seconds: Limits.serverInvitationSeconds))
            try ServerInvitationStore.insert(invitation, code: code, by: administrator, in: tx)
            try audit.record(.invite, subject: id.description, by: administrator, now: now, in: tx)
            let url = links.serverInvitation(code)
            if let email, let mailQueue {
                try mailQueue.enqueueRequired(
                    .invitation(url: url), to: MailRecipient(unconfirmed: email, of: nil), language: language,
                    from: change.actor.network, now: now, in: tx)
            }
            return NewServerInvitation(invitation: invitation, code: code, url: url)
        }
    }

    private func recipient(_ typed: String?) throws -> EmailAddress? {
        guard let typed, !typed.allSatisfy(\.isWhitespace) else { return nil }
        guard mailQueue != nil else { throw AppError(.invalid, .mailNotSetUp, field: "email") }
        guard let email = EmailAddress(typed) else { throw AppError(.invalid, .emailMalformed, field: "email") }
        return email
    }

    /// Makes an invitation unusable.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `notFound`.
    package func revoke(_ id: ID<ServerInvitation>, by change: Change) async throws {
        let now = clock.now
        try await database.write { tx in
            let administrator = try AdministratorPolicy.require(change.actor, in: tx)
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                guard try ServerInvitationStore.delete(id, in: tx) else { throw AppError.notFound }
                try audit.record(.revokeInvitation, subject: id.description, by: administrator, now: now, in: tx)
            }
        }
    }

    /// Returns whether an invitation can be used, for its page. The code has 256 random bits, so guesses need no limit.
    package func isValid(_ code: String) async throws -> Bool {
        let now = clock.now
        return try await database.read { tx in try ServerInvitationStore.isValid(code, now: now, in: tx) }
    }
}
