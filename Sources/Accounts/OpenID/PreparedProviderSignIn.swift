import Kernel

/// A person who registers through a provider, and the name of the account where the provider gives none.
struct ProviderNewcomer: Sendable {
    let newcomer: Newcomer
    let defaultName: String
}

/// The values of a sign-in that are created outside of its transaction, which may run twice.
struct PreparedProviderSignIn: Sendable {
    /// The account that a registration inserts.
    let account: Account
    let email: EmailAddress?
    let token: String
    let session: ID<Session>
    /// The code of an offer.
    let offer: String
    let newcomer: Newcomer
    let now: Instant

    init(_ identity: ProvenIdentity, _ newcomer: ProviderNewcomer, now: Instant, random: any RandomSource) {
        self.newcomer = newcomer.newcomer
        self.now = now
        email = identity.email.flatMap { EmailAddress($0) }
        account = Account(
            id: PersonID(at: now, random: random), email: email?.text,
            name: Self.displayName(identity.name) ?? newcomer.defaultName, phone: nil, dateOfBirth: nil,
            theme: Themes.standard, avatarPictureID: nil, mapsApp: nil, role: .adult, language: nil, isOperator: false,
            emailVerifiedAt: nil, version: 1, createdAt: now
        )
        token = Token.make(random: random)
        session = ID(at: now, random: random)
        offer = Token.make(random: random)
    }

    /// Returns a provider's name, shortened to the limits of a display name.
    private static func displayName(_ name: String?) -> String? {
        guard let name else { return nil }
        let visible = name.unicodeScalars.filter { $0.properties.generalCategory != .control }
        var text = String(String(String.UnicodeScalarView(visible)).prefix(Limits.nameCharacters))
        while text.utf8.count > Limits.nameBytes { text.removeLast() }
        return try? DisplayName(text).text
    }
}
