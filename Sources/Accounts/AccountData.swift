import Kernel

/// The JSON of an account, in the API and in the export. Unknown values are null.
package struct AccountData: Encodable, Sendable {
    private enum Key: String, CodingKey {
        case id, name, email, emailVerifiedAt, phone, dateOfBirth, theme, avatarPictureId, mapsApp, language, appearance
        case role, pendingEmail
    }

    private let account: Account

    package init(_ account: Account) { self.account = account }

    /// Encodes the values as keys of one object. The caller may add more keys to it.
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(account.id, forKey: .id)
        try object.encode(account.name, forKey: .name)
        try object.encode(account.email, forKey: .email)
        try object.encode(account.pendingEmail, forKey: .pendingEmail)
        try object.encode(account.emailVerifiedAt, forKey: .emailVerifiedAt)
        try object.encode(account.phone, forKey: .phone)
        try object.encode(account.dateOfBirth, forKey: .dateOfBirth)
        try object.encode(account.theme, forKey: .theme)
        try object.encode(account.avatarPictureID, forKey: .avatarPictureId)
        try object.encode(account.mapsApp?.rawValue, forKey: .mapsApp)
        try object.encode(account.language, forKey: .language)
        try object.encode(account.appearance.rawValue, forKey: .appearance)
        try object.encode(account.role.rawValue, forKey: .role)
    }
}
