package import Kernel
package import Storage

/// The accounts of all people, for administrators.
package struct AccountAdministrationService: Sendable {
    let database: Database
    let proofs: ProofService
    let sessions: SessionService
    let access: AccessEnder
    let resetLinks: PasswordResetLinks
    let deletions: AccountDeletionService
    let events: AccountEvents
    let securityMails: SecurityMails
    let audit: AuditLog
    let clock: any WallClock
    let random: any RandomSource

    /// One account, as an administrator sees it.
    package struct Details: Sendable, Equatable {
        package let account: Account
        package let sessionCount: Int
        /// Whether the account is the administrator's own.
        package let isSelf: Bool
        /// Whether a proof for sensitive acts is stored for this session.
        package let isProven: Bool
    }

    /// Requires administrator rights, for what isn't about an account.
    /// - Throws: ``AppError`` `forbidden`.
    package func requireRights(of actor: Actor) async throws {
        try await database.read { tx in _ = try AdministratorPolicy.require(actor, in: tx) }
    }

    /// Returns a page of the accounts, the newest first; or, for a search, the first that match: by the beginning of
    /// the email or of the name, or by id.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `invalid` for a malformed cursor.
    package func list(
        for actor: Actor, search: String?, after cursor: String?, limit: Int
    ) async throws -> ListPage<Account> {
        try await database.read { tx in
            try list(nil, for: actor, search: search, after: cursor, limit: limit, in: tx)
        }
    }

    /// Returns a page of the adults, as ``list(for:search:after:limit:)``, in the caller's transaction.
    package func adults(
        for actor: Actor, search: String?, after cursor: String?, limit: Int, in tx: Transaction
    ) throws -> ListPage<Account> {
        try list(.adult, for: actor, search: search, after: cursor, limit: limit, in: tx)
    }

    private func list(
        _ role: Role?, for actor: Actor, search: String?, after cursor: String?, limit: Int, in tx: Transaction
    ) throws -> ListPage<Account> {
        let request = try PageRequest<PersonID>(after: cursor, limit: limit)
        let text = search?.trimmingSpaces() ?? ""
        _ = try AdministratorPolicy.require(actor, in: tx)
        guard text.isEmpty else {
            return ListPage(items: try AccountStore.search(text, role, limit: limit, in: tx), next: nil)
        }
        return request.page(
            try AccountStore.newest(role, before: request.after, limit: request.rows, in: tx), \.id)
    }

    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `notFound`.
    package func details(_ id: PersonID, for actor: Actor) async throws -> Details {
        let now = clock.now
        return try await database.read { tx in
            _ = try AdministratorPolicy.require(actor, in: tx)
            return try details(id, for: actor, now: now, in: tx)
        }
    }

    /// Disables an account: its sessions and open invitations, links and codes end at once, and no one can sign in to
    /// it. Nothing else is deleted.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `invalid` without a proof; `conflict`
    ///   for the actor's own account; `notFound`.
    package func disable(_ id: PersonID, by change: Change) async throws -> Details {
        try await act(on: id, .disableAccount, .disabled, by: change) { account, now, tx in
            guard account.id != change.actor.person else { throw AppError(.conflict, .ownAccount) }
            guard account.disabledAt == nil else { return false }
            try AccountStore.setDisabled(at: now, account.id, in: tx)
            try access.end(accessTo: account.id, now: now, in: tx)
            return true
        }
    }

    /// Lets the person sign in again. Their invitations, which ended with the account, stay ended.
    package func enable(_ id: PersonID, by change: Change) async throws -> Details {
        try await act(on: id, .enableAccount, .enabled, by: change) { account, _, tx in
            guard account.disabledAt != nil else { return false }
            try AccountStore.setDisabled(at: nil, account.id, in: tx)
            return true
        }
    }

    /// Signs the person out on every device, and ends open invitations, links and codes; an administrator stays signed
    /// in on this device.
    package func endSessions(of id: PersonID, by change: Change) async throws -> Details {
        try await act(on: id, .endSessions, .sessionsEnded, by: change) { account, now, tx in
            let kept = account.id == change.actor.person ? change.actor.session : nil
            try access.end(accessTo: account.id, keeping: kept, now: now, in: tx)
            return true
        }
    }

    /// Grants or revokes administrator rights. An administrator can't revoke their own, so one always remains.
    package func setAdministrator(_ id: PersonID, _ isAdministrator: Bool, by change: Change) async throws -> Details {
        let action: AuditAction = isAdministrator ? .grantAdministrator : .revokeAdministrator
        let notice: AdministrationNotice = isAdministrator ? .administratorGranted : .administratorRevoked
        return try await act(on: id, action, notice, by: change) { account, _, tx in
            guard account.id != change.actor.person else { throw AppError(.conflict, .ownAccount) }
            guard account.isOperator != isAdministrator else { return false }
            try AccountStore.setOperator(isAdministrator, account.id, in: tx)
            if !isAdministrator { try AdministratorGrants.revoke(of: account.id, in: tx) }
            return true
        }
    }

    /// Creates a link with which the person can choose a new password. It works once, expires after
    /// ``Limits/passwordResetSeconds``, and replaces any earlier link. The person is notified by mail.
    /// - Throws: ``AppError`` as ``disable(_:by:)``; `conflict` for an account that has no email to sign in with.
    package func createResetLink(for id: PersonID, by change: Change) async throws -> String {
        let code = Token.make(random: random)
        let now = clock.now
        return try await database.write { tx in
            let (administrator, account) = try requireProof(for: id, by: change.actor, now: now, in: tx)
            guard account.email != nil else { throw AppError(.conflict, .emailMissingForSignIn) }
            try audit.record(.createResetLink, subject: id.description, by: administrator, now: now, in: tx)
            try securityMails.enqueue(.administration(.resetLinkCreated), to: account, now: now, in: tx)
            return try resetLinks.insert(code, of: account, by: change.actor.person, now: now, in: tx)
        }
    }

    /// Deletes the account and all its data, as its owner could.
    /// - Throws: ``AppError`` as ``disable(_:by:)``; `conflict` while an app has open business of the person.
    package func delete(_ id: PersonID, by change: Change) async throws {
        let now = clock.now
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let (administrator, account) = try requireProof(for: id, by: change.actor, now: now, in: tx)
                guard id != change.actor.person else { throw AppError(.conflict, .ownAccount) }
                try audit.record(.deleteAccount, subject: id.description, by: administrator, now: now, in: tx)
                try securityMails.enqueue(.administration(.deleted), to: account, now: now, in: tx)
                try deletions.erase(account, now: now, in: tx)
            }
        }
        await deletions.cleanUp()
    }

    /// Changes one account with a proof, records it, and notifies the account's owner.
    /// - Parameter work: returns whether it changed anything.
    private func act(
        on id: PersonID, _ action: AuditAction, _ notice: AdministrationNotice, by change: Change,
        _ work: @Sendable @escaping (Account, Instant, Transaction) throws -> Bool
    ) async throws -> Details {
        let now = clock.now
        return try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                let (administrator, account) = try requireProof(for: id, by: change.actor, now: now, in: tx)
                guard try work(account, now, tx) else { return }
                try AccountStore.increaseVersion(of: id, in: tx)
                try audit.record(action, subject: id.description, by: administrator, now: now, in: tx)
                if id != change.actor.person {
                    try securityMails.enqueue(.administration(notice), to: account, now: now, in: tx)
                }
                try events.publish(try AccountStore.requireLockedAccount(id, in: tx), now: now, in: tx)
            }
            return try details(id, for: change.actor, now: now, in: tx)
        }
    }

    /// Requires the rights and a proof for an act on an account. Of two administrators who act on each other, the
    /// second one waits, and then has no rights any more.
    /// - Throws: `conflict` for a child, whom parents manage.
    private func requireProof(
        for id: PersonID, by actor: Actor, now: Instant, in tx: Transaction
    ) throws -> (Administrator, Account) {
        try AccountStore.lock(id, actor.person, in: tx)
        let administrator = try AdministratorPolicy.requireProof(of: actor, proofs: proofs, now: now, in: tx)
        let account = try AccountStore.requireLockedAccount(id, in: tx)
        guard account.role == .adult else { throw AppError(.conflict, .childManaged) }
        return (administrator, account)
    }

    private func details(_ id: PersonID, for actor: Actor, now: Instant, in tx: Transaction) throws -> Details {
        guard let account = try AccountStore.account(id, in: tx) else { throw AppError.notFound }
        return Details(
            account: account, sessionCount: try sessions.count(of: id, in: tx), isSelf: id == actor.person,
            isProven: try proofs.state(of: actor, for: .administer, now: now, in: tx) == .given)
    }
}
