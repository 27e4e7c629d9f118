import Kernel
import Storage

extension AccountService {
    /// Gives the account a new password and signs out every other device. An account without one gets its first after
    /// a fresh sign-in with a provider.
    /// - Throws: ``AppError`` `invalid` with `fields.current` when that is wrong, or `fields.password`; `throttled`
    ///   after too many wrong ones; `forbidden` for a child.
    package func changePassword(current: String?, new: String?, by actor: Actor) async throws {
        guard actor.role == .adult else { throw AppError(.forbidden, .parentsOnly) }
        guard try await hasPassword(actor.person) else { return try await setFirstPassword(new, by: actor) }
        var check = FieldCheck()
        let presented = check.checkedPassword(current, field: "current")
        let chosen = check.chosenPassword(new)
        try check.finish()
        guard let presented, let chosen else { throw AppError(.invalid, .required) }
        try await confirmed(presented, field: "current", by: actor) { [self] in
            replacing(with: try await hasher.hash(chosen.bytes), keeping: actor.session)
        }
    }

    private func setFirstPassword(_ new: String?, by actor: Actor) async throws {
        var check = FieldCheck()
        let chosen = check.chosenPassword(new)
        if try await account(actor).email == nil { check.refuse("password", .emailFirst) }
        try check.finish()
        guard let chosen else { throw AppError(.invalid, .required) }
        let hash = try await desk.run(keys: ["person \(actor.person)"]) { [hasher] in
            try await hasher.hash(chosen.bytes)
        }
        try await afterConfirmation(by: actor, replacing(with: hash, keeping: actor.session))
    }

    private func replacing(with hash: String, keeping session: ID<Session>) -> Confirmation {
        { [self] account, now, tx in
            try AccountStore.setPassword(hash, of: account.id, in: tx)
            for companion in companions { try companion.passwordChanged(of: account.id, now: now, in: tx) }
            try CodeStore.removeResets(of: account.id, in: tx)
            let ended = try SessionStore.deleteAll(of: account.id, except: session, in: tx)
            try announce(sessions: ended, of: account.id, now: now, in: tx)
        }
    }

    /// Sends a link for a new password to `email`, if it is somebody's and mail is set up. The answer and its time
    /// are the same in any case.
    /// - Parameter language: of the mail, unless the account has one: `en` or `de`.
    /// - Throws: ``AppError`` `invalid` for a missing or malformed email.
    package func requestReset(email typed: String?, language: String = Languages.all[0]) async throws {
        var check = FieldCheck()
        let email = check.email(typed)
        try check.finish()
        guard let email, let letters else { return }
        letters.post { [self] in
            let code = Token.make(random: random)
            guard let account = try await addReset(code, for: email, isCounted: true) else { return nil }
            let letter = LetterText(language: account.language ?? language)
            return letter.reset(to: account.email ?? email.text, name: account.name, url: resetURL(code))
        }
    }

    /// Whether a link for a new password still works; following it does not use it up.
    package func isResetCodeGood(_ code: String) async throws -> Bool {
        guard let hash = Token.hash(shown: code) else { return false }
        let now = clock.now
        return try await database.read { tx in try CodeStore.hasReset(hash, now: now, in: tx) }
    }

    /// Sets a new password by a link, once, and signs out every device.
    /// - Throws: ``AppError`` `not_found` for a code that is unknown, used or too old; `invalid` with
    ///   `fields.password`, which leaves the code good.
    package func reset(code: String, password typed: String?) async throws {
        guard let codeHash = Token.hash(shown: code), try await isResetCodeGood(code) else {
            throw AppError(.notFound, .linkUnknown)
        }
        var check = FieldCheck()
        let password = check.chosenPassword(typed)
        try check.finish()
        guard let password else { throw AppError(.invalid, .passwordMissing, field: "password") }
        let hash = try await desk.run { [hasher] in try await hasher.hash(password.bytes) }
        let now = clock.now
        try await database.write { [self] tx in
            guard let person = try CodeStore.takeReset(codeHash, now: now, in: tx),
                let account = try AccountStore.lockedAccount(person, in: tx)
            else { throw AppError(.notFound, .linkUnknown) }
            try AccountStore.setPassword(hash, of: person, in: tx)
            for companion in companions { try companion.passwordChanged(of: person, now: now, in: tx) }
            // Whoever linked them may be whom the reset is to keep out; linking anew is one step.
            try IdentityStore.deleteAll(of: person, in: tx)
            try PasskeyStore.deleteAll(of: person, in: tx)
            if let key = account.email.flatMap({ EmailAddress($0)?.key }) { try emailThrottle.reset(key, in: tx) }
            let ended = try SessionStore.deleteAll(of: person, except: nil, in: tx)
            try announce(sessions: ended, of: person, now: now, in: tx)
        }
    }

    /// Stores a code for whoever has that email; `nil` when nobody does, or when it got enough mail already.
    func addReset(_ code: String, for email: EmailAddress, isCounted: Bool) async throws -> Account? {
        let now = clock.now
        do {
            return try await database.write { [self] tx in
                if isCounted { try letterThrottle.reserve(email.key, now: now, in: tx) }
                guard let account = try AccountStore.account(emailKey: email.key, in: tx) else { return nil }
                let expiry = now.adding(seconds: Limits.passwordResetSeconds)
                try CodeStore.addReset(Token.hash(code), for: account.id, expiresAt: expiry, in: tx)
                return account
            }
        } catch let error as AppError where error.code == .throttled {
            return nil
        }
    }

    func resetURL(_ code: String) -> String { "\(siteURL)/password-resets/\(code)" }

    /// What is left to do in the transaction, once the password was found right.
    typealias Confirmation = @Sendable (Account, Instant, Transaction) throws -> Void

    /// Checks the password of somebody who is signed in, by the same counter as sign-in, then does something.
    /// - Parameter prepare: slow work that needs no transaction.
    func confirmed(
        _ password: Password, field: String, by actor: Actor,
        then prepare: @escaping @Sendable () async throws -> Confirmation
    ) async throws {
        let account = try await account(actor)
        guard let key = account.email.flatMap({ EmailAddress($0)?.key }) else {
            throw AppError(.forbidden, .parentsOnly)
        }
        let attempt = Attempt(emailKey: key, address: nil)
        try await refuseEarly(attempt)
        try await desk.run(keys: attempt.keys) { [self] in
            let (credential, reservedAt) = try await reserve(attempt)
            guard
                let fresh = try await verify(password, against: credential, attempt: attempt, reservedAt: reservedAt)
            else { throw AppError(.invalid, .passwordWrong, field: field) }
            let finish = try await prepare()
            let now = clock.now
            try await database.write { [self] tx in
                let account = try present(actor.person, in: tx)
                guard try AccountStore.credential(of: actor.person, in: tx) == credential else {
                    throw AppError(.invalid, .passwordWrong, field: field)
                }
                if fresh != credential?.password { try AccountStore.setPassword(fresh, of: account.id, in: tx) }
                try forgive(attempt, reservedAt: reservedAt, now: now, in: tx)
                try finish(account, now, tx)
            }
        }
    }
}
