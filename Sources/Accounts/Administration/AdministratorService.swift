package import Kernel
import Storage

/// The administrator's commands. They take no actor: access to the command line is the permission.
package struct AdministratorService: Sendable {
    let database: Database
    let resetLinks: PasswordResetLinks
    let events: AccountEvents
    let audit: AuditLog
    let securityMails: SecurityMails
    /// Whether mail is set up.
    let sendsMail: Bool
    let hasher: any PasswordHasher
    let hashLimiter: WorkLimiter
    let clock: any WallClock
    let random: any RandomSource

    /// Creates an account, as registration does.
    /// - Throws: ``AppError`` `invalid` with every wrong field; `conflict` with `fields.email` when it is taken.
    package func create(email: String, name: String, password: String) async throws -> Account {
        var check = FieldErrors<AccountMessage>()
        let address = check.email(email)
        let chosen = check.chosenPassword(password)
        let checkedName = check.name(name)
        try check.finish()
        guard let address, let chosen, let checkedName else { throw AppError(.invalid, .required) }
        let hash = try await hashLimiter.run { try await hasher.hash(chosen.bytes) }
        let now = clock.now
        let account = Account(
            id: PersonID(at: now, random: random), email: address.text, name: checkedName, phone: nil,
            dateOfBirth: nil, theme: Themes.standard, avatarPictureID: nil, mapsApp: nil, role: .adult, language: nil,
            isOperator: false, emailVerifiedAt: nil, version: 1, createdAt: now
        )
        try await database.write { tx in
            guard
                try AccountStore.insert(
                    account, emailKey: address.key, password: hash, permit: .administrator, in: tx)
            else {
                throw AppError(.conflict, .emailTaken, field: "email")
            }
            try record(.createAccount, account, now: now, in: tx)
        }
        return account
    }

    /// Returns a link with which the owner of `email` can choose a new password. It works once, expires after
    /// ``Limits/passwordResetSeconds``, and replaces any earlier link.
    /// - Throws: ``AppError`` `not_found` when no account has that email.
    package func resetLink(email: String) async throws -> String {
        let code = Token.make(random: random)
        guard let address = EmailAddress(email) else { throw AppError.notFound }
        let now = clock.now
        return try await database.write { tx in
            guard let account = try AccountStore.account(emailKey: address.key, in: tx) else { throw AppError.notFound }
            try record(.createResetLink, account, now: now, in: tx)
            try securityMails.enqueue(.administration(.resetLinkCreated), to: account, now: now, in: tx)
            return try resetLinks.insert(code, of: account, now: now, in: tx)
        }
    }

    /// Grants or revokes administrator rights.
    /// - Parameter email: the account's email, which must be confirmed where mail is set up; or the account's id.
    /// - Throws: ``AppError`` `not_found` when no account has that email; `conflict` when it isn't confirmed.
    package func setOperator(email: String, _ isOperator: Bool) async throws -> Account {
        let now = clock.now
        return try await database.write { tx in
            guard let id = try PersonID(email) ?? named(email, in: tx),
                var changed = try AccountStore.lockedAccount(id, in: tx)
            else { throw AppError.notFound }
            // Rights can be revoked from any account, confirmed or not.
            let isNamedForCertain = PersonID(email) != nil || changed.emailVerifiedAt != nil
            guard isNamedForCertain || !sendsMail || !isOperator else { throw AppError(.conflict, .emailNotConfirmed) }
            guard changed.isOperator != isOperator else { return changed }
            changed.isOperator = isOperator
            changed.version += 1
            try AccountStore.update(changed, emailKey: changed.email.flatMap { EmailAddress($0)?.key }, in: tx)
            try events.publish(changed, now: now, in: tx)
            try record(isOperator ? .grantAdministrator : .revokeAdministrator, changed, now: now, in: tx)
            if isOperator {
                try SetupCodeStore.deleteAll(in: tx)
            } else {
                try AdministratorGrants.revoke(of: changed.id, in: tx)
            }
            let notice: AdministrationNotice = isOperator ? .administratorGranted : .administratorRevoked
            try securityMails.enqueue(.administration(notice), to: changed, now: now, in: tx)
            return changed
        }
    }

    private func record(_ action: AuditAction, _ account: Account, now: Instant, in tx: Transaction) throws {
        try audit.record(
            action, subject: account.id.description, by: AdministratorPolicy.commandLine, now: now, in: tx)
    }

    private func named(_ email: String, in tx: Transaction) throws -> PersonID? {
        guard let address = EmailAddress(email) else { return nil }
        return try AccountStore.account(emailKey: address.key, in: tx)?.id
    }

    /// Returns a page of all accounts, oldest first.
    package func accounts(after: PersonID?, limit: Int = Limits.pageSizeMaximum) async throws -> [Account] {
        try await database.read { tx in try AccountStore.accounts(after: after, limit: limit, in: tx) }
    }
}
