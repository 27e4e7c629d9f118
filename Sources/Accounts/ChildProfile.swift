package import Kernel
package import Pictures

/// What a parent fills in for a child, as it was typed.
package struct ChildProfile: Sendable {
    /// 1 to 50 characters; required.
    package let name: String?
    /// `YYYY-MM-DD`; required.
    package let dateOfBirth: String?
    /// One of ``Themes/all``; ``Themes/standard`` where it is absent.
    package var theme: String?
    /// A built-in picture or one of the parent's own; a built-in one is chosen where it is absent.
    package var avatarPictureID: ID<Picture>?

    /// Puts the parts together.
    package init(name: String?, dateOfBirth: String?, theme: String? = nil, avatarPictureID: ID<Picture>? = nil) {
        self.name = name
        self.dateOfBirth = dateOfBirth
        self.theme = theme
        self.avatarPictureID = avatarPictureID
    }
}

/// A child's profile that keeps the rules.
package struct CheckedChild: Sendable {
    let name: String
    let dateOfBirth: String
    let theme: String
    let avatarPictureID: ID<Picture>?

    /// Checks what was typed.
    /// - Throws: ``AppError`` `invalid` with all of `name`, `dateOfBirth` and `theme` that are at fault.
    package init(_ profile: ChildProfile, now: Instant) throws {
        var check = FieldCheck()
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
