import Kernel
import Storage

/// The input of the set-up page, as it was typed.
package struct SetupInput: Sendable {
    package let code: String?
    package let email: String?
    package let password: String?
    package let name: String?
    /// One of ``RegistrationPolicy/Mode``; ignored where the settings prescribe it.
    package let registration: String?

    package init(code: String?, email: String?, password: String?, name: String?, registration: String?) {
        self.code = code
        self.email = email
        self.password = password
        self.name = name
        self.registration = registration
    }
}

/// The set-up of a server without an administrator. A code from the log or the command line proves that the person runs
/// the server.
package struct SetupService: Sendable {
    let database: Database
    let states: RegistrationStateReader
    /// `nil` where mail isn't set up.
    let verifications: VerificationMails?
    let sessions: SessionCreator
    let audit: AuditLog
    let hasher: any PasswordHasher
    let hashLimiter: WorkLimiter
    let clock: any WallClock
    let random: any RandomSource
    private static let throttle = Throttle(
        scope: "setup-code", limit: Limits.setupCodeFailures, windowSeconds: Limits.throttleSeconds)

    /// The mode of registration that the settings prescribe; `nil` if the set-up chooses it.
    package var fixedMode: RegistrationPolicy.Mode? { states.fixedMode }

    /// Returns whether the server has no administrator yet.
    package func isOpen() async throws -> Bool {
        let isOpen = try await database.read { tx in try !AccountStore.hasAdministrator(in: tx) }
        // Another node may have been used for the set-up.
        if !isOpen { states.forget() }
        return isOpen
    }

    /// Returns a code for the set-up, to be printed in the log; `nil` if the server has an administrator.
    package func codeForLog() async throws -> String? {
        guard try await database.read({ tx in try !AccountStore.hasAdministrator(in: tx) }) else { return nil }
        return try await createCode()
    }

    /// Creates a code for the command line. Earlier codes remain valid, up to ``Limits/setupCodes`` in all.
    /// - Throws: ``AppError`` `conflict` if the server has an administrator.
    package func createCode() async throws -> String {
        let code = SetupCode.make(random: random)
        let now = clock.now
        try await database.write { tx in
            guard try !AccountStore.hasAdministrator(in: tx) else { throw AppError(.conflict, .alreadySetUp) }
            try SetupCodeStore.insert(code, now: now, in: tx)
        }
        return code
    }

    /// Creates the administrator's account, stores who can register, and signs the administrator in.
    /// - Parameter language: of the mail that confirms the email.
    /// - Throws: ``AppError`` `invalid` with every wrong field; `notFound` once the server has an administrator;
    ///   `conflict` with `fields.email` when it is taken; `throttled` after too many wrong codes.
    package func setUp(
        _ input: SetupInput, device: DeviceInfo, language: String = Language.english.rawValue
    ) async throws -> SignedIn {
        try await check(code: input.code, from: device.network)
        let (account, email, password, mode) = try checked(input)
        let hash = try await hashLimiter.run(keys: ["address \(device.network)"]) {
            try await hasher.hash(password.bytes)
        }
        let (session, token) = sessions.newSession(of: account.id, device: device)
        let verification = Token.make(random: random)
        let now = clock.now
        try await database.write { tx in
            // Of two requests with the same code, one finds it used.
            guard try SetupCodeStore.consume(input.code ?? "", now: now, in: tx) else {
                throw AppError(.invalid, .setupCodeWrong, field: "code")
            }
            guard try !AccountStore.hasAdministrator(in: tx) else { throw AppError.notFound }
            guard
                try AccountStore.insert(
                    account, emailKey: email.key, password: hash, permit: .administrator, in: tx)
            else { throw AppError(.conflict, .emailTaken, field: "email") }
            if let mode = mode ?? states.fixedMode {
                try ServerSettingStore.set(.registration, to: mode.rawValue, now: now, in: tx)
            }
            let administrator = try AdministratorPolicy.require(
                Actor(person: account.id, session: session.id, role: account.role), in: tx)
            try audit.record(
                .setUp, subject: account.id.description, detail: mode?.rawValue, by: administrator, now: now, in: tx)
            try verifications?.enqueue(
                code: verification, to: email, of: account, language: language, from: device.network, now: now, in: tx)
            try sessions.insert(session, token: token, in: tx)
            states.forgetAfterCommit(in: tx)
        }
        return SignedIn(account: account, session: session, token: token)
    }

    /// Rejects a wrong code before the costly password hash, and counts it.
    private func check(code: String?, from network: String) async throws {
        let now = clock.now
        let isRight = try await database.read { tx in
            guard try !AccountStore.hasAdministrator(in: tx) else { throw AppError.notFound }
            try Self.throttle.check(network, now: now, in: tx)
            return try SetupCodeStore.contains(code ?? "", now: now, in: tx)
        }
        guard !isRight else { return }
        guard let code, !code.allSatisfy(\.isWhitespace) else {
            throw AppError(.invalid, .setupCodeMissing, field: "code")
        }
        try await database.write { tx in try Self.throttle.fail(network, now: now, in: tx) }
        throw AppError(.invalid, .setupCodeWrong, field: "code")
    }

    private func checked(
        _ input: SetupInput
    ) throws -> (Account, EmailAddress, Password, RegistrationPolicy.Mode?) {
        let now = clock.now
        var check = FieldErrors<AccountMessage>()
        let email = check.email(input.email)
        let password = check.chosenPassword(input.password)
        let name = check.name(input.name)
        let mode = states.fixedMode == nil ? RegistrationPolicy.Mode(rawValue: input.registration ?? "") : nil
        if states.fixedMode == nil, mode == nil { check.refuse("registration", .registrationMissing) }
        try check.finish()
        guard let email, let password, let name else { throw AppError(.invalid, .required) }
        let account = Account(
            id: PersonID(at: now, random: random), email: email.text, name: name, phone: nil, dateOfBirth: nil,
            theme: Themes.standard, avatarPictureID: nil, mapsApp: nil, role: .adult, language: nil, isOperator: true,
            emailVerifiedAt: nil, version: 1, createdAt: now
        )
        return (account, email, password, mode)
    }
}
