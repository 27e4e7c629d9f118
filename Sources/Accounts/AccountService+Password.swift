import Kernel
import Storage

extension AccountService {
    /// Sets a new password, signs out every other device and voids open codes. An account without a password gets its
    /// first one by a stored proof (``SensitiveAct/setPassword``).
    /// - Parameter removing: other ways to sign in that are removed too.
    /// - Throws: ``AppError`` `invalid` with `fields.current` when that is wrong, or `fields.password`; `throttled`
    ///   after too many wrong ones; `forbidden` for a child.
    package func changePassword(
        current: String?, new: String?, removing: OtherSignInMethods = [], by actor: Actor
    ) async throws {
        guard actor.role == .adult else { throw AppError(.forbidden, .parentsOnly) }
        let isFirst = try await !hasPassword(actor.person)
        var check = FieldValidator()
        if !isFirst { _ = check.checkedPassword(current, field: "current") }
        let chosen = check.chosenPassword(new)
        if isFirst, try await account(actor).email == nil { check.refuse("password", .emailFirst) }
        try check.finish()
        guard let chosen else { throw AppError(.invalid, .required) }
        let field = isFirst ? "password" : "current"
        let evidence = isFirst ? .stored : try await evidence(password: current, field: field, of: actor)
        let hash = try await hashLimiter.run(keys: ["person \(actor.person)"]) { [hasher] in
            try await hasher.hash(chosen.bytes)
        }
        let now = clock.now
        try await database.write { [self] tx in
            let account = try require(.setPassword, of: actor, with: evidence, field: field, now: now, in: tx)
            try replacePassword(of: account, with: hash, removing: removing, keeping: actor.session, now: now, in: tx)
        }
    }

    /// A person who knew the old password loses access: their sessions and unfinished requests end.
    private func replacePassword(
        of account: Account, with hash: String, removing: OtherSignInMethods, keeping session: ID<Session>?,
        now: Instant,
        in tx: Transaction
    ) throws {
        try AccountStore.setPassword(hash, of: account.id, in: tx)
        for dataHandler in dataHandlers {
            try dataHandler.passwordChanged(
                of: account.id, endsChildSessions: removing.contains(.childDevices), now: now, in: tx)
        }
        try CodeStore.removeResets(of: account.id, in: tx)
        try ProofStore.deleteAll(of: account.id, in: tx)
        // Otherwise the session that stays could still finish a request that began with the old password.
        try AttemptStore.deleteAll(of: account.id, in: tx)
        try PasskeyChallengeStore.deleteAll(of: account.id, in: tx)
        if removing.contains(.identities) { try IdentityStore.deleteAll(of: account.id, in: tx) }
        if removing.contains(.passkeys) { try PasskeyStore.deleteAll(of: account.id, in: tx) }
        var account = account
        if try EmailChangeStore.delete(of: account.id, in: tx) {
            account.pendingEmail = nil
            account.version += 1
            try AccountStore.update(account, emailKey: account.email.flatMap { EmailAddress($0)?.key }, in: tx)
        }
        try announce(account, now: now, in: tx)
        try postNotice(.passwordChanged, to: account, now: now, in: tx)
        let ended = try SessionStore.deleteAll(of: account.id, except: session, in: tx)
        try announce(sessions: ended, of: account.id, now: now, in: tx)
    }

    /// Sends a link for a new password to `email`, if an account has it and mail is set up. The response and its time
    /// are the same in every case.
    /// - Parameters:
    ///   - language: of the mail, unless the account has one: `en` or `de`.
    ///   - clientAddress: the client's address after trusted proxies. Clients without one are counted together.
    /// - Throws: ``AppError`` `invalid` for a missing or malformed email.
    package func requestReset(
        email typed: String?, language: String = Languages.all[0], clientAddress: String = ""
    ) async throws {
        var check = FieldValidator()
        let email = check.email(typed)
        try check.finish()
        guard let email, let letters else { return }
        let now = clock.now
        try await database.write { tx in
            let network = ClientNetwork.key(clientAddress)
            try letters.post(resetFor: email, language: language, from: network, now: now, in: tx)
        }
    }

    /// Returns whether a link for a new password is still valid. The check doesn't use it up.
    package func isResetCodeValid(_ code: String) async throws -> Bool {
        guard let hash = Token.hash(shown: code) else { return false }
        let now = clock.now
        return try await database.read { tx in try CodeStore.hasReset(hash, now: now, in: tx) }
    }

    /// Returns whether a device is signed in as a child of the person.
    package func hasChildDevices(_ actor: Actor) async throws -> Bool {
        try await database.read { [self] tx in try hasChildDevices(of: actor.person, in: tx) }
    }

    /// Returns whether a device is signed in as a child of the person who requested the link for a new password.
    package func hasChildDevices(ofResetCode code: String) async throws -> Bool {
        guard let hash = Token.hash(shown: code) else { return false }
        let now = clock.now
        return try await database.read { [self] tx in
            guard let person = try CodeStore.personOfReset(hash, now: now, in: tx) else { return false }
            return try hasChildDevices(of: person, in: tx)
        }
    }

    private func hasChildDevices(of person: PersonID, in tx: Transaction) throws -> Bool {
        try dataHandlers.contains { try $0.hasChildSessions(of: person, in: tx) }
    }

    /// Sets a new password by a link, once, and signs out every device. Removes the person's passkeys and identities.
    /// - Parameter endsChildSessions: whether the devices of the person's children are signed out too.
    /// - Throws: ``AppError`` `not_found` for a code that is unknown, used or expired; `invalid` with
    ///   `fields.password`, which leaves the code valid.
    package func reset(code: String, password typed: String?, endsChildSessions: Bool = false) async throws {
        guard let codeHash = Token.hash(shown: code), try await isResetCodeValid(code) else {
            throw AppError(.notFound, .linkUnknown)
        }
        var check = FieldValidator()
        let password = check.chosenPassword(typed)
        try check.finish()
        guard let password else { throw AppError(.invalid, .passwordMissing, field: "password") }
        let hash = try await hashLimiter.run { [hasher] in try await hasher.hash(password.bytes) }
        let now = clock.now
        try await database.write { [self] tx in
            guard let person = try CodeStore.takeReset(codeHash, now: now, in: tx),
                let account = try AccountStore.lockedAccount(person, in: tx)
            else { throw AppError(.notFound, .linkUnknown) }
            if let key = account.email.flatMap({ EmailAddress($0)?.key }) { try emailThrottle.reset(key, in: tx) }
            // An intruder may have added them. The owner can add them again in one step.
            let removing: OtherSignInMethods = endsChildSessions ? .all : .ofPerson
            try replacePassword(of: account, with: hash, removing: removing, keeping: nil, now: now, in: tx)
        }
    }

    /// Stores the code of a link for a new password, in place of any earlier one.
    func addReset(_ code: String, of account: Account, now: Instant, in tx: Transaction) throws {
        let expiry = now.adding(seconds: Limits.passwordResetSeconds)
        try CodeStore.addReset(Token.hash(code), for: account.id, expiresAt: expiry, in: tx)
    }

    func resetURL(_ code: String) -> String { "\(siteURL)/password-resets/\(code)" }
}

/// Ways to sign in that a new password can end.
package struct OtherSignInMethods: OptionSet, Sendable {
    package let rawValue: Int
    package static let passkeys = OtherSignInMethods(rawValue: 1)
    package static let identities = OtherSignInMethods(rawValue: 2)
    /// Devices that are signed in as the person's children. Another person may have signed them in.
    package static let childDevices = OtherSignInMethods(rawValue: 4)
    /// Those that sign in to the account.
    package static let ofPerson: OtherSignInMethods = [.passkeys, .identities]
    package static let all: OtherSignInMethods = [.passkeys, .identities, .childDevices]

    package init(rawValue: Int) { self.rawValue = rawValue }
}
