import Kernel
import Storage

/// What somebody fills in to get an account, as it was typed.
package struct Registration: Sendable {
    /// Which app they come for; decides what is required. Absent means tracking.
    package let app: String?
    /// The email.
    package let email: String?
    /// The password.
    package let password: String?
    /// The name.
    package let name: String?
    /// The date of birth; family needs it.
    package let dateOfBirth: String?
    /// The phone number; carrepsa needs it.
    package let phone: String?

    /// Makes a registration.
    package init(
        app: String? = nil, email: String?, password: String?, name: String?, dateOfBirth: String? = nil,
        phone: String? = nil
    ) {
        self.app = app
        self.email = email
        self.password = password
        self.name = name
        self.dateOfBirth = dateOfBirth
        self.phone = phone
    }
}

extension AccountService {
    /// Makes an account and signs its owner in. Where mail is set up, a link to verify the email goes out.
    /// - Parameter language: of the mail, `en` or `de`.
    /// - Throws: ``AppError`` `invalid` with all fields at fault; `conflict` with `fields.email` when it is taken;
    ///   `throttled` after too many such answers; `unavailable` when too many are waiting.
    package func register(
        _ input: Registration, device: DeviceInfo, language: String = Languages.all[0]
    ) async throws -> SignedIn {
        let (account, email, password) = try checked(input)
        let network = ClientNetwork.key(device.clientAddress)
        try await refuseTaken(email, from: network)
        let hash = try await desk.run(keys: ["address \(network)"]) { [hasher] in
            try await hasher.hash(password.bytes)
        }
        let (session, token) = newSession(of: account.id, device: device)
        let verification = sendsMail ? Token.make(random: random) : nil
        let now = clock.now
        let isMade = try await database.write { [self] tx in
            guard try AccountStore.insert(account, emailKey: email.key, password: hash, in: tx) else {
                try countTaken(email, from: network, now: now, in: tx)
                return false
            }
            if let code = verification.map(Token.hash) {
                let expiry = now.adding(seconds: Limits.verificationSeconds)
                try CodeStore.addVerification(code, for: account.id, emailKey: email.key, expiresAt: expiry, in: tx)
            }
            try insert(session, token: token, in: tx)
            return true
        }
        guard isMade else { throw AppError(.conflict, .emailTaken, field: "email") }
        if let verification { sendVerification(code: verification, to: email, of: account, language: language) }
        return SignedIn(account: account, session: session, token: token)
    }

    /// Says that an email is taken before the costly part, and counts that it was said.
    private func refuseTaken(_ email: EmailAddress, from network: String) async throws {
        let now = clock.now
        let isTaken = try await database.read { [self] tx in
            try takenAddressThrottle.check(network, now: now, in: tx)
            try takenEmailThrottle.check(email.key, now: now, in: tx)
            return try AccountStore.isTaken(emailKey: email.key, except: nil, now: now, in: tx)
        }
        guard isTaken else { return }
        try await database.write { [self] tx in try countTaken(email, from: network, now: now, in: tx) }
        throw AppError(.conflict, .emailTaken, field: "email")
    }

    private func countTaken(_ email: EmailAddress, from network: String, now: Instant, in tx: Transaction) throws {
        try takenAddressThrottle.fail(network, now: now, in: tx)
        try takenEmailThrottle.fail(email.key, now: now, in: tx)
    }

    private func checked(_ input: Registration) throws -> (Account, EmailAddress, Password) {
        let now = clock.now
        var check = FieldCheck()
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
