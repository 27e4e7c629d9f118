package import Kernel
package import Pictures

/// The changes to a profile, as they were typed.
package struct ProfileChanges: Sendable {
    /// Must not be taken. It must be verified again.
    package var email: Edit<String>
    /// 1 to 50 characters.
    package var name: Edit<String>
    /// A number of the form that ``PhoneNumber`` accepts, close to E.164.
    package var phone: Edit<String>
    /// `YYYY-MM-DD`.
    package var dateOfBirth: Edit<String>
    /// One of ``Themes/all``.
    package var theme: Edit<String>
    /// If cleared, the app asks the person again.
    package var mapsApp: Edit<MapsApp>
    /// The raw value of a ``Language``. If cleared, the browser's language applies.
    package var language: Edit<String>
    /// If cleared, the setting of the device applies.
    package var appearance: Edit<Appearance>
    /// A built-in picture or one of the person's own.
    package var avatarPictureID: Edit<ID<Picture>>

    /// Creates a set of changes. Fields that aren't named keep their values.
    package init(
        email: Edit<String> = .unchanged, name: Edit<String> = .unchanged, phone: Edit<String> = .unchanged,
        dateOfBirth: Edit<String> = .unchanged, theme: Edit<String> = .unchanged, mapsApp: Edit<MapsApp> = .unchanged,
        language: Edit<String> = .unchanged, appearance: Edit<Appearance> = .unchanged,
        avatarPictureID: Edit<ID<Picture>> = .unchanged
    ) {
        self.email = email
        self.name = name
        self.phone = phone
        self.dateOfBirth = dateOfBirth
        self.theme = theme
        self.mapsApp = mapsApp
        self.language = language
        self.appearance = appearance
        self.avatarPictureID = avatarPictureID
    }
}

extension ProfileChanges {
    /// The key of the requested email. `nil` when none is requested or the text is malformed.
    var emailKey: String? {
        if case .set(let typed) = email { EmailAddress(typed)?.key } else { nil }
    }

    /// Returns whether the change contains a different, well-formed email.
    func replacesEmail(of account: Account) -> Bool {
        guard case .set(let typed) = email, let email = EmailAddress(typed) else { return false }
        return email.text != account.email
    }
}
