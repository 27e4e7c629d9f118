import Kernel
import Storage

/// Links for a new password, for people who forgot theirs.
package struct PasswordResetService: Sendable {
    let database: Database
    /// `nil` where mail isn't set up.
    let mailQueue: MailQueue?
    let replacement: PasswordReplacement
    let throttle: SignInThrottle
    let dataHandlers: [any AccountDataHandler]
    let hasher: any PasswordHasher
    let hashLimiter: WorkLimiter
    let clock: any WallClock

    /// Sends a link for a new password to `email`, if an account has it and mail is set up. The response and its time
    /// are the same in every case.
    /// - Parameters:
    ///   - language: of the mail, unless the account has one: `en` or `de`.
    ///   - clientAddress: the client's address after trusted proxies. Clients without one are counted together.
    /// - Throws: ``AppError`` `invalid` for a missing or malformed email.
    package func request(
        email typed: String?, language: String = Language.english.rawValue, clientAddress: String = ""
    ) async throws {
        var check = FieldErrors<AccountMessage>()
        let email = check.email(typed)
        try check.finish()
        guard let email, let mailQueue else { return }
        let now = clock.now
        try await database.write { tx in
            let network = ClientNetwork.key(clientAddress)
            try mailQueue.enqueueReset(for: email, language: language, from: network, now: now, in: tx)
        }
    }

    /// Returns what the page of a link for a new password shows, without using the link up; `nil` for a link that isn't
    /// valid any more.
    package func details(ofCode code: String) async throws -> PasswordResetDetails? {
        guard let hash = Token.hash(shown: code) else { return nil }
        let now = clock.now
        return try await database.read { tx in
            guard let person = try CodeStore.personOfReset(hash, now: now, in: tx) else { return nil }
            return PasswordResetDetails(
                hasChildDevices: try dataHandlers.contains { try $0.hasChildSessions(of: person, in: tx) })
        }
    }

    /// Sets a new password by a link, once, and signs out every device. Removes the person's passkeys and identities.
    /// - Parameter endsChildSessions: whether the devices of the person's children are signed out too.
    /// - Throws: ``AppError`` `not_found` for a code that is unknown, used or expired; `invalid` with
    ///   `fields.password`, which leaves the code valid.
    package func reset(code: String, password typed: String?, endsChildSessions: Bool = false) async throws {
        guard let codeHash = Token.hash(shown: code), try await details(ofCode: code) != nil else {
            throw AppError(.notFound, .linkUnknown)
        }
        var check = FieldErrors<AccountMessage>()
        let password = check.chosenPassword(typed)
        try check.finish()
        guard let password else { throw AppError(.invalid, .passwordMissing, field: "password") }
        let hash = try await hashLimiter.run { try await hasher.hash(password.bytes) }
        let now = clock.now
        try await database.write { tx in
            guard let person = try CodeStore.takeReset(codeHash, now: now, in: tx),
                let account = try AccountStore.lockedAccount(person, in: tx)
            else { throw AppError(.notFound, .linkUnknown) }
            if let key = account.email.flatMap({ EmailAddress($0)?.key }) { try throttle.reset(emailKey: key, in: tx) }
            // An intruder may have added them. The owner can add them again in one step.
            let removing: OtherSignInMethods = endsChildSessions ? .all : .ofPerson
            try replacement.replace(
                of: account, with: hash, removing: removing, keeping: nil, now: now, in: tx)
        }
    }
}
