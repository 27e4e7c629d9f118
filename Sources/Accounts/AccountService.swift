package import Kernel
package import Logging
package import Storage

/// Everything people do with their accounts: joining, signing in and out, their profile, leaving.
package final class AccountService: Sendable {
    let database: Database
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger
    let hasher: any PasswordHasher
    let companions: [any AccountCompanion]
    let letters: MailQueue?
    let policy: RegistrationPolicy
    let siteURL: String
    let desk = PasswordDesk()
    let cache = SessionCache()

    let emailThrottle = Throttle(
        scope: "sign-in-email", limit: Limits.signInFailuresPerEmail, windowSeconds: Limits.throttleSeconds
    )
    let addressThrottle = Throttle(
        scope: "sign-in-address", limit: Limits.signInFailuresPerAddress, windowSeconds: Limits.throttleSeconds
    )
    /// Who is told that an email is taken learns who has an account here.
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

    /// Makes the service.
    /// - Parameters:
    ///   - siteURL: where the site is reached, without a slash at the end; links in mails and of operators begin so.
    ///   - mail: sends mails; without it, forgotten passwords are the administrator's job and emails stay unverified.
    ///   - registration: who may create an account.
    ///   - companions: what the apps keep of a person, in the order in which it must be erased.
    ///   - hasher: ``ScryptHasher`` unless a test counts.
    package init(
        database: Database, siteURL: String, mail: MailSettings? = nil,
        registration: RegistrationPolicy = RegistrationPolicy(), companions: [any AccountCompanion] = [],
        clock: any WallClock, random: any RandomSource, logger: Logger, hasher: (any PasswordHasher)? = nil
    ) {
        self.database = database
        self.siteURL = siteURL
        self.companions = companions
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

    /// Whether this server can send mails.
    package var sendsMail: Bool { letters != nil }

    /// Finds whoever shows `token`; `nil` when it is no good, was revoked or has not been used for
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
        // A lock must hold at once, whichever node closed it: what can be locked is read anew each time.
        if !found.session.hasPasscode { cache.keep(found, for: key, since: mark) }
        if now.seconds(since: found.session.lastUsedAt) >= Double(Limits.sessionTouchSeconds) {
            await touch(found.session, now: now)
        }
        return (found.session, found.account)
    }

    /// Drops what is believed of a person for up to ``Limits/sessionCacheMilliseconds``, so that the next request reads
    /// it anew.
    package func forgetRecent(_ person: PersonID) { cache.drop(person) }

    /// Removes what has run out: codes, failures, sessions nobody used for long. For a job that runs now and then.
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

    /// A full disk must not keep people from reading, so a failure only costs the exact time of last use.
    private func touch(_ session: Session, now: Instant) async {
        do {
            try await database.write { tx in try SessionStore.touch(session.id, now: now, in: tx) }
            cache.drop(session.person)
        } catch {
            logger.warning("the time of a session's last use was not stored", metadata: ["error": "\(error)"])
        }
    }

    /// The present account of `actor`.
    /// - Throws: ``AppError/notFound`` when it was deleted meanwhile.
    func present(_ person: PersonID, in tx: Transaction) throws -> Account {
        guard let account = try AccountStore.lockedAccount(person, in: tx) else { throw AppError.notFound }
        return account
    }

    /// Tells live pages and other nodes, and forgets what this process believes of the person.
    func announce(_ account: Account, now: Instant, in tx: Transaction) throws {
        let event = ChangeEvent(
            audience: account.id, kind: "account", resource: "/account", version: account.version, at: now
        )
        try tx.publish(event)
        forgetAfterCommit(account.id, in: tx)
    }

    func announce(sessions: [ID<Session>], of person: PersonID, now: Instant, in tx: Transaction) throws {
        for id in sessions {
            let event = ChangeEvent(
                audience: person, kind: "session", resource: "/account/sessions/\(id)", version: 1, at: now
            )
            try tx.publish(event)
        }
        forgetAfterCommit(person, in: tx)
    }

    private func forgetAfterCommit(_ person: PersonID, in tx: Transaction) {
        tx.afterCommit { [cache] in cache.drop(person) }
    }
}
