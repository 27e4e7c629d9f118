import Kernel
import Storage

/// Registration by email and password.
package struct RegistrationService: Sendable {
    let database: Database
    let permits: RegistrationPermits
    let takenEmails: TakenEmailThrottle
    /// `nil` where mail isn't set up.
    let verifications: VerificationMails?
    let sessions: SessionCreator
    let hasher: any PasswordHasher
    let hashLimiter: WorkLimiter
    let clock: any WallClock
    let random: any RandomSource

    /// Creates an account and signs its owner in. Where mail is set up, queues a mail with a link that verifies the
    /// email.
    /// - Parameter language: of the mail, `en` or `de`.
    /// - Throws: ``AppError`` `invalid` with every wrong field; `conflict` with `fields.email` when it is taken;
    ///   `throttled` after too many such responses, or registrations from this network; `forbidden` where registration
    ///   is closed or needs another invitation; `unavailable` when too many requests wait for a password hash.
    package func register(
        _ input: Registration, device: DeviceInfo, language: String = Language.english.rawValue
    ) async throws -> SignedIn {
        let newcomer = Newcomer(network: device.network, invitation: input.invitation)
        try await permits.check(newcomer)
        let (account, email, password) = try checked(input)
        let requester = TakenEmailRequester(network: newcomer.network)
        try await refuseTaken(email, by: requester)
        let hash = try await hashLimiter.run(keys: ["address \(newcomer.network)"]) {
            try await hasher.hash(password.bytes)
        }
        let (session, token) = sessions.newSession(of: account.id, device: device)
        let verification = Token.make(random: random)
        let now = clock.now
        do {
            try await database.write { tx in
                let permit = try permits.permit(newcomer, now: now, in: tx)
                guard
                    try AccountStore.insert(account, emailKey: email.key, password: hash, permit: permit, in: tx)
                else { throw AppError(.conflict, .emailTaken, field: "email") }
                try verifications?.enqueue(
                    code: verification, to: email, of: account, language: language, from: newcomer.network, now: now,
                    in: tx)
                try sessions.insert(session, token: token, in: tx)
            }
        } catch let error as AppError where error.isEmailTaken {
            try await database.write { tx in try takenEmails.count(email.key, by: requester, now: now, in: tx) }
            throw error
        }
        return SignedIn(account: account, session: session, token: token)
    }

    /// Throws if the email is taken, before the costly password hash, and counts the response.
    private func refuseTaken(_ email: EmailAddress, by requester: TakenEmailRequester) async throws {
        let now = clock.now
        let isTaken = try await database.read { tx in
            try takenEmails.check(email.key, by: requester, now: now, in: tx)
            return try AccountStore.isTaken(emailKey: email.key, except: nil, now: now, in: tx)
        }
        guard isTaken else { return }
        try await database.write { tx in try takenEmails.count(email.key, by: requester, now: now, in: tx) }
        throw AppError(.conflict, .emailTaken, field: "email")
    }

    private func checked(_ input: Registration) throws -> (Account, EmailAddress, Password) {
        let now = clock.now
        var check = FieldErrors<AccountMessage>()
        let app = AppName(rawValue: input.app ?? AppName.tracking.rawValue)
        if app == nil { check.refuse("app", .appUnknown) }
        let email = check.email(input.email)
        let password = check.chosenPassword(input.password)
        let name = check.name(input.name)
        let needsDate = app?.needsDateOfBirth ?? false
        let dateOfBirth = check.dateOfBirth(input.dateOfBirth, isRequired: needsDate, now: now)
        let phone = check.phone(input.phone, isRequired: app?.needsPhone ?? false)
        try check.finish()
        guard let email, let password, let name else { throw AppError(.invalid, .required) }
        let account = Account(
            id: PersonID(at: now, random: random), email: email.text, name: name, phone: phone,
            dateOfBirth: dateOfBirth, theme: Themes.standard, avatarPictureID: nil, mapsApp: nil, role: .adult,
            language: nil, isOperator: false, emailVerifiedAt: nil, version: 1, createdAt: now
        )
        return (account, email, password)
    }
}
