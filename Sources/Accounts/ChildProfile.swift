package import Kernel
package import Pictures

/// The profile that a parent enters for a child, as it was typed.
package struct ChildProfile: Sendable {
    /// 1 to 50 characters; required.
    package let name: String?
    /// `YYYY-MM-DD`; required.
    package let dateOfBirth: String?
    /// One of ``Themes/all``. ``Themes/standard`` if absent.
    package var theme: String?
    /// A built-in picture or one of the parent's own. If absent, a built-in one is chosen.
    package var avatarPictureID: ID<Picture>?

    package init(name: String?, dateOfBirth: String?, theme: String? = nil, avatarPictureID: ID<Picture>? = nil) {
        self.name = name
        self.dateOfBirth = dateOfBirth
        self.theme = theme
        self.avatarPictureID = avatarPictureID
    }
}

/// A child's profile that passed validation.
package struct ValidatedChildProfile: Sendable {
    let name: String
    let dateOfBirth: String
    let theme: String
    let avatarPictureID: ID<Picture>?

    /// Validates the input.
    /// - Throws: ``AppError`` `invalid` with each wrong field of `name`, `dateOfBirth` and `theme`.
    package init(_ profile: ChildProfile, now: Instant) throws {
        var check = FieldErrors<AccountMessage>()
        let name = check.name(profile.name)
        let dateOfBirth = check.dateOfBirth(profile.dateOfBirth, isRequired: true, now: now)
        let theme = profile.theme ?? Themes.standard
        if !Themes.all.contains(theme) { check.refuse("theme", .themeUnknown) }
        try check.finish()
        guard let name, let dateOfBirth else { throw AppError(.invalid, .required) }
        self.name = name
        self.dateOfBirth = dateOfBirth
        self.theme = theme
        avatarPictureID = profile.avatarPictureID
    }
}
