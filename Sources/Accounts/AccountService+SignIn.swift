import Kernel
import Storage

extension AccountService {
    /// Signs a person in, always with a new session.
    /// - Throws: ``AppError`` `invalid` for a missing or malformed field; `unauthenticated` for a wrong email or
    ///   password, without saying which; `throttled` after too many failures, even with the right password;
    ///   `unavailable` when too many requests wait for a password hash.
    package func signIn(email typedEmail: String?, password typed: String?, device: DeviceInfo) async throws -> SignedIn
    {
        var check = FieldValidator()
        let email = check.email(typedEmail)
        let password = check.checkedPassword(typed)
        try check.finish()
        guard let email, let password else { throw AppError(.invalid, .emailMissing, field: "email") }
        let attempt = Attempt(emailKey: email.key, address: ClientNetwork.key(device.clientAddress))
        try await refuseEarly(attempt)
        return try await hashLimiter.run(keys: attempt.keys) { [self] in
            let (credential, reservedAt) = try await reserve(attempt)
            let fresh = try await verify(password, against: credential, attempt: attempt, reservedAt: reservedAt)
            guard let credential, let fresh else { throw AppError(.unauthenticated, .credentialsWrong) }
            return try await enter(credential, fresh: fresh, attempt: attempt, reservedAt: reservedAt, device: device)
        }
    }

    /// Ends the session of the actor.
    package func signOut(_ actor: Actor) async throws {
        let now = clock.now
        try await database.write { [self] tx in
            if try SessionStore.delete(actor.session, of: actor.person, in: tx) {
                try announce(sessions: [actor.session], of: actor.person, now: now, in: tx)
            }
        }
    }
}

/// The keys by which one attempt to sign in is counted.
struct Attempt: Sendable {
    let emailKey: String
    /// `nil` when the attempt comes from a session that is signed in already.
    let address: String?
    /// The person of an open session. Their failures have a separate counter, so that strangers who know the email
    /// can't block them from proving their identity.
    var person: PersonID?

    /// The key of the account's counter.
    var accountKey: String { person.map { "person \($0)" } ?? emailKey }

    /// Attempts that share a key run one after another.
    var keys: Set<String> { Set(["email \(emailKey)"] + (address.map { ["address \($0)"] } ?? [])) }
}

extension AccountService {
    func refuseEarly(_ attempt: Attempt) async throws {
        let now = clock.now
        try await database.read { [self] tx in
            try emailThrottle.check(attempt.accountKey, now: now, in: tx)
            if let address = attempt.address { try addressThrottle.check(address, now: now, in: tx) }
        }
    }

    /// Counts the attempt and returns the credential that the password must match.
    func reserve(_ attempt: Attempt) async throws -> (AccountStore.Credential?, Instant) {
        let now = clock.now
        let credential = try await database.write { [self] tx in
            if let address = attempt.address { try addressThrottle.reserve(address, now: now, in: tx) }
            try emailThrottle.reserve(attempt.accountKey, now: now, in: tx)
            return try AccountStore.credential(emailKey: attempt.emailKey, in: tx)
        }
        return (credential, now)
    }

    /// Returns the hash to store from now on: the current one, or a new one if its parameters are outdated. `nil` when
    /// the password is wrong.
    func verify(
        _ password: Password, against credential: AccountStore.Credential?, attempt: Attempt, reservedAt: Instant
    ) async throws -> String? {
        do {
            let isRight = try await hasher.verify(password.bytes, against: credential?.password)
            guard isRight, let stored = credential?.password else {
                try await settle(attempt, reservedAt: reservedAt)
                return nil
            }
            return hasher.isOutdated(stored) ? try await hasher.hash(password.bytes) : stored
        } catch {
            // This is a failure of the server, not a wrong guess.
            try await release(attempt, reservedAt: reservedAt)
            throw error
        }
    }

    private func release(_ attempt: Attempt, reservedAt: Instant) async throws {
        let now = clock.now
        try await database.write { [self] tx in
            if let address = attempt.address {
                try addressThrottle.release(address, reservedAt: reservedAt, now: now, in: tx)
            }
            try emailThrottle.release(attempt.accountKey, reservedAt: reservedAt, now: now, in: tx)
        }
    }

    private func settle(_ attempt: Attempt, reservedAt: Instant) async throws {
        let now = clock.now
        try await database.write { [self] tx in
            if let address = attempt.address {
                try addressThrottle.settle(address, reservedAt: reservedAt, now: now, in: tx)
            }
            try emailThrottle.settle(attempt.accountKey, reservedAt: reservedAt, now: now, in: tx)
        }
    }

    /// Handles a success: releases the reserved attempt and resets the account's failures.
    func resetAfterSuccess(_ attempt: Attempt, reservedAt: Instant, now: Instant, in tx: Transaction) throws {
        if let address = attempt.address {
            try addressThrottle.release(address, reservedAt: reservedAt, now: now, in: tx)
        }
        try emailThrottle.reset(attempt.accountKey, in: tx)
    }

    private func enter(
        _ credential: AccountStore.Credential, fresh: String, attempt: Attempt, reservedAt: Instant, device: DeviceInfo
    ) async throws -> SignedIn {
        let (session, token) = newSession(of: credential.person, device: device)
        let now = clock.now
        let account = try await database.write { [self] tx -> Account in
            // The password may have been changed while this one was checked.
            guard let account = try AccountStore.lockedAccount(credential.person, in: tx),
                try AccountStore.credential(of: credential.person, in: tx) == credential
            else { throw AppError(.unauthenticated, .credentialsWrong) }
            if fresh != credential.password { try AccountStore.setPassword(fresh, of: account.id, in: tx) }
            try resetAfterSuccess(attempt, reservedAt: reservedAt, now: now, in: tx)
            try insert(session, token: token, in: tx)
            return account
        }
        return SignedIn(account: account, session: session, token: token)
    }

    func newSession(of person: PersonID, device: DeviceInfo) -> (Session, token: String) {
        let now = clock.now
        let session = Session(
            id: ID(at: now, random: random), person: person, name: device.name, kind: device.kind, createdAt: now,
            lastUsedAt: now
        )
        return (session, Token.make(random: random))
    }

    func insert(_ session: Session, token: String, by means: SignInMethod = .password, in tx: Transaction) throws {
        try SessionStore.insert(session, tokenHash: Token.hash(token), by: means, in: tx)
        let dropped = try SessionStore.deleteBeyond(Limits.sessionsPerAccount, of: session.person, in: tx)
        try announce(sessions: dropped + [session.id], of: session.person, now: session.createdAt, in: tx)
    }
}
