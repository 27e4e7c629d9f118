package import Kernel
import Storage

/// The access tokens of a person.
package struct AccessTokenService: Sendable {
    let database: Database
    let proofs: ProofService
    let sessions: SessionService
    let events: AccountEvents
    let securityMails: SecurityMails
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the person's tokens, the newest first: at most ``Limits/accessTokensPerAccount``.
    package func list(of actor: Actor) async throws -> [AccessToken] {
        try actor.requireAdult()
        return try await database.read { tx in try AccessTokenStore.tokens(of: actor.person, in: tx) }
    }

    /// Creates a token, which requires a proof (``SensitiveAct/createAccessToken``), and mails the person about it.
    /// The response is a secret that isn't stored, so it can't be replayed.
    /// - Parameter password: the proof; `nil` if a proof was stored before.
    /// - Throws: ``AppError``: `invalid` with `fields` `name`, `scopes`, `expiresInDays` or `password`; `conflict` at
    ///   the maximum number of tokens; `throttled` after too many wrong passwords; `forbidden` for a child.
    package func create(
        _ request: AccessTokenRequest, password: String?, by actor: Actor
    ) async throws -> NewAccessToken {
        try actor.requireAdult()
        let now = clock.now
        let token = try token(request, now: now)
        let secret = AccessToken.prefix + Token.make(random: random)
        let evidence = try await proofs.evidence(password: password, of: actor)
        try await database.write { tx in
            // The session may have ended, and with it all tokens, after the request was authenticated.
            try sessions.requireOpen(of: actor, in: tx)
            let account = try proofs.require(.createAccessToken, of: actor, with: evidence, now: now, in: tx)
            guard account.disabledAt == nil else { throw AppError.accountDisabled }
            guard try AccessTokenStore.count(of: actor.person, in: tx) < Limits.accessTokensPerAccount else {
                throw AppError(.conflict, .accessTokensFull)
            }
            try AccessTokenStore.insert(token, hash: Token.hash(secret), of: actor.person, in: tx)
            try events.publishAccessTokens(of: account, now: now, in: tx)
            try securityMails.enqueue(.accessTokenCreated(name: token.name), to: account, now: now, in: tx)
        }
        return NewAccessToken(token: token, secret: secret)
    }

    private func token(_ request: AccessTokenRequest, now: Instant) throws -> AccessToken {
        var check = FieldErrors<AccountMessage>()
        let isNamed = request.name?.allSatisfy(\.isWhitespace) == false
        let name = isNamed ? check.name(request.name) : nil
        if !isNamed { check.refuse("name", .accessTokenNameMissing) }
        let scopes = request.scopes.compactMap(AccessScope.init(rawValue:))
        if scopes.isEmpty || scopes.count < request.scopes.count { check.refuse("scopes", .accessScopesMissing) }
        let days = request.days ?? Limits.usualAccessTokenDays
        if !Limits.accessTokenDays.contains(days) { check.refuse("expiresInDays", .accessTokenDaysInvalid) }
        try check.finish()
        guard let name else { throw AppError(.invalid, .accessTokenNameMissing, field: "name") }
        return AccessToken(
            id: ID(at: now, random: random), name: name, scopes: Set(scopes), createdAt: now,
            expiresAt: now.adding(seconds: Int64(days) * 24 * 60 * 60), lastUsedAt: nil)
    }

    /// Deletes tokens that expired a while ago, and mails people whose tokens expire soon. For a periodic job.
    func maintain() async throws {
        let now = clock.now
        let soon = now.adding(seconds: Limits.accessTokenReminderSeconds)
        try await database.write { tx in
            try AccessTokenStore.deleteExpired(before: now.adding(seconds: -Limits.accessTokenKeptSeconds), in: tx)
            for token in try AccessTokenStore.remind(until: soon, now: now, in: tx) {
                guard let account = try AccountStore.account(token.person, in: tx) else { continue }
                try securityMails.enqueue(.accessTokenExpires(name: token.name), to: account, now: now, in: tx)
            }
        }
    }

    /// Makes a token unusable.
    /// - Throws: ``AppError/notFound`` when the token isn't the person's; ``AppError`` `forbidden` for a child.
    package func revoke(_ id: ID<AccessToken>, by change: Change) async throws {
        try change.actor.requireAdult()
        let now = clock.now
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                guard let account = try AccountStore.account(change.actor.person, in: tx),
                    try AccessTokenStore.delete(id, of: account.id, in: tx)
                else { throw AppError.notFound }
                try events.publishAccessTokens(of: account, now: now, in: tx)
            }
        }
    }
}
