package import Kernel
package import Logging
package import Storage

/// The use cases of an account: registration, sign-in and sign-out, profile, deletion.
package final class AccountService: Sendable {
    let database: Database
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger
    let hasher: any PasswordHasher
    let dataHandlers: [any AccountDataHandler]
    let letters: MailQueue?
    let policy: RegistrationPolicy
    let siteURL: String
    let hashLimiter = PasswordHashLimiter()
    let cache = SessionCache()

    let emailThrottle = Throttle(
        scope: "sign-in-email", limit: Limits.signInFailuresPerEmail, windowSeconds: Limits.throttleSeconds
    )
    let addressThrottle = Throttle(
        scope: "sign-in-address", limit: Limits.signInFailuresPerAddress, windowSeconds: Limits.throttleSeconds
    )
    /// The answer that an email is taken reveals who has an account here.
    let takenEmailThrottle = Throttle(
        scope: "taken-email", limit: Limits.signInFailuresPerEmail, windowSeconds: Limits.throttleSeconds
    )
    let takenAddressThrottle = Throttle(
        scope: "taken-address", limit: Limits.signInFailuresPerAddress, windowSeconds: Limits.throttleSeconds
    )
    let takenPersonThrottle = Throttle(
        scope: "taken-person", limit: Limits.signInFailuresPerEmail, windowSeconds: Limits.throttleSeconds
    )
    let registrationThrottle: Throttle
    let invitationThrottle = Throttle(
        scope: "registration-invitation", limit: Limits.invitationFailures, windowSeconds: Limits.throttleSeconds
    )

    /// Creates the service.
    /// - Parameters:
    ///   - siteURL: the base URL of the site, without a slash at the end. Links in mails and from the command line
    ///     start with it.
    ///   - mail: the mail settings. Without them, the administrator handles forgotten passwords, and emails stay
    ///     unverified.
    ///   - registration: who may create an account.
    ///   - dataHandlers: the apps' handlers of personal data, in the order in which the data must be deleted.
    ///   - hasher: ``ScryptHasher`` by default. Tests pass others.
    package init(
        database: Database, siteURL: String, mail: MailSettings? = nil,
        registration: RegistrationPolicy = RegistrationPolicy(), dataHandlers: [any AccountDataHandler] = [],
        clock: any WallClock, random: any RandomSource, logger: Logger, hasher: (any PasswordHasher)? = nil
    ) {
        self.database = database
        self.siteURL = siteURL
        self.dataHandlers = dataHandlers
        self.clock = clock
        self.random = random
        self.logger = logger
        self.hasher = hasher ?? ScryptHasher(random: random)
        letters = mail.map { MailQueue($0, random: random, logger: logger) }
        policy = registration
        registrationThrottle = Throttle(
            scope: "registration", limit: registration.perHour, windowSeconds: Limits.registrationThrottleSeconds,
            message: .registrationsThrottled
        )
    }

    package var sendsMail: Bool { letters != nil }

    /// Returns the session and account of `token`. `nil` when it is invalid, was revoked or has not been used for
    /// ``Limits/sessionIdleSeconds``.
    package func authenticate(
        token: String, kind: Session.Kind
    ) async throws -> (session: Session, account: Account)? {
        guard let hash = Token.hash(shown: token) else { return nil }
        let now = clock.now
        let key = SessionCache.Key(tokenHash: hash, kind: kind)
        if let entry = cache.entry(key, now: now) { return (entry.session, entry.account) }
        let mark = cache.mark()
        let found = try await database.read { tx -> SessionCache.Entry? in
            guard let session = try SessionStore.session(tokenHash: hash, kind: kind, in: tx),
                let account = try AccountStore.account(session.person, in: tx)
            else { return nil }
            return SessionCache.Entry(session: session, account: account, readAt: now)
        }
        guard let found, now.seconds(since: found.session.lastUsedAt) < Double(Limits.sessionIdleSeconds) else {
            return nil
        }
        // A lock must take effect at once, whichever node set it. Sessions that can be locked are therefore never
        // cached.
        if !found.session.hasPasscode { cache.keep(found, for: key, since: mark) }
        if now.seconds(since: found.session.lastUsedAt) >= Double(Limits.sessionTouchSeconds) {
            await touch(found.session, now: now)
        }
        return (found.session, found.account)
    }

    /// Drops the cached sessions of a person, so that the next request reads the database. Entries live for up to
    /// ``Limits/sessionCacheMilliseconds`` otherwise.
    package func dropCachedSessions(_ person: PersonID) { cache.drop(person) }

    /// Deletes expired codes, throttle counters and unused sessions. For a periodic job.
    package func housekeeping() async throws {
        let now = clock.now
        try await database.write { tx in
            try CodeStore.deleteExpired(now: now, in: tx)
            try AttemptStore.deleteExpired(now: now, in: tx)
            try ProofStore.deleteExpired(now: now, in: tx)
            try EmailChangeStore.deleteExpired(now: now, in: tx)
            try PasskeyChallengeStore.deleteExpired(now: now, in: tx)
            try RegistrationStore.deleteExpired(now: now, in: tx)
            try Throttle.prune(now: now, in: tx)
            try SessionStore.deleteUnused(since: now.adding(seconds: -Limits.sessionIdleSeconds), in: tx)
        }
    }

    /// A full disk must not prevent reading, so a failure loses only the exact time of last use.
    private func touch(_ session: Session, now: Instant) async {
        do {
            try await database.write { tx in try SessionStore.touch(session.id, now: now, in: tx) }
            cache.drop(session.person)
        } catch {
            logger.warning("the time of a session's last use was not stored", metadata: ["error": "\(error)"])
        }
    }

    /// Returns the current account of `person`, locked for this transaction.
    /// - Throws: ``AppError/notFound`` when it was deleted.
    func present(_ person: PersonID, in tx: Transaction) throws -> Account {
        guard let account = try AccountStore.lockedAccount(person, in: tx) else { throw AppError.notFound }
        return account
    }

    /// Requires that a person can still sign in: by a password, a passkey, or a provider that is set up.
    /// - Throws: ``AppError`` `conflict` when no way to sign in is left.
    func requireSignInMethod(
        of account: Account, usableProviders: Set<ProviderName>, in tx: Transaction
    ) throws {
        if try PasskeyStore.count(of: account.id, in: tx) > 0 { return }
        if account.email != nil, try AccountStore.credential(of: account.id, in: tx)?.password != nil { return }
        let identities = try IdentityStore.identities(of: account.id, in: tx)
        guard identities.contains(where: { usableProviders.contains($0.provider) }) else {
            throw AppError(.conflict, .lastWayIn)
        }
    }

    /// Publishes the change to live pages and other nodes, and drops the person's cached sessions.
    func announce(_ account: Account, now: Instant, in tx: Transaction) throws {
        let event = ChangeEvent(
            audience: account.id, kind: "account", resource: "/account", version: account.version, at: now
        )
        try tx.publish(event)
        dropCachedSessionsAfterCommit(account.id, in: tx)
    }

    func announce(sessions: [ID<Session>], of person: PersonID, now: Instant, in tx: Transaction) throws {
        for id in sessions {
            let event = ChangeEvent(
                audience: person, kind: "session", resource: "/account/sessions/\(id)", version: 1, at: now
            )
            try tx.publish(event)
        }
        dropCachedSessionsAfterCommit(person, in: tx)
    }

    private func dropCachedSessionsAfterCommit(_ person: PersonID, in tx: Transaction) {
        tx.afterCommit { [cache] in cache.drop(person) }
    }
}
