import Kernel
import Pictures

/// The changes to a profile that passed validation.
struct ValidatedProfile: Sendable {
    let email: EmailAddress?
    private let name: String?
    private let phone: Edit<String>
    private let dateOfBirth: Edit<String>
    private let theme: String?
    private let mapsApp: Edit<MapsApp>
    private let language: Edit<String>
    private let appearance: Edit<Appearance>
    private let avatarPictureID: Edit<ID<Picture>>

    /// - Parameter before: the current account. A child has no email, phone number or maps app, and always has a date
    ///   of birth and an avatar. An adult's email can't be removed, but accounts from a provider may have none.
    /// - Parameter missingProof: the proof to require for a new email; `nil` when it is proven.
    init(
        _ changes: ProfileChanges, of before: Account, missingProof: AccountMessage? = nil, now: Instant
    ) throws {
        try self.init(
            changes, isChild: before.role == .child, hasEmail: before.email != nil, presentEmail: before.email,
            missingProof: missingProof, now: now)
    }

    init(
        _ changes: ProfileChanges, isChild: Bool, hasEmail: Bool, presentEmail: String? = nil,
        missingProof: AccountMessage? = nil, now: Instant
    ) throws {
        var check = FieldErrors<AccountMessage>()
        if isChild { try Self.refuseAdultFields(changes) }
        switch changes.email {
        case .unchanged: email = nil
        case .clear:
            email = nil
            if hasEmail { check.refuse("email", .emailMissing) }
        case .set(let typed):
            email = check.email(typed)
            // Reported together with the other errors; it is required where the change is made.
            if let email, email.text != presentEmail, let missingProof { check.refuse("password", missingProof) }
        }
        switch changes.name {
        case .unchanged: name = nil
        case .clear: name = check.name(nil)
        case .set(let typed): name = check.name(typed)
        }
        phone = Self.phone(changes.phone, &check)
        dateOfBirth = Self.dateOfBirth(changes.dateOfBirth, isRequired: isChild, now: now, &check)
        switch changes.theme {
        case .unchanged: theme = nil
        case .clear:
            theme = nil
            check.refuse("theme", .required)
        case .set(let typed):
            theme = typed
            if !Themes.all.contains(typed) { check.refuse("theme", .themeUnknown) }
        }
        if case .set(let typed) = changes.language, Language(rawValue: typed) == nil {
            check.refuse("language", .languageUnknown)
        }
        if isChild, case .clear = changes.avatarPictureID { check.refuse("avatarPictureId", .required) }
        mapsApp = changes.mapsApp
        language = changes.language
        appearance = changes.appearance
        avatarPictureID = changes.avatarPictureID
        try check.finish()
    }

    // Clearing an empty field is harmless, and forms do it.
    private static func refuseAdultFields(_ changes: ProfileChanges) throws {
        let isForbidden = changes.email.isSet || changes.phone.isSet || changes.mapsApp.isSet
        if isForbidden { throw AppError(.forbidden, .parentsOnly) }
    }

    private static func phone(_ change: Edit<String>, _ check: inout FieldErrors<AccountMessage>) -> Edit<String> {
        guard case .set(let typed) = change else { return change }
        return check.phone(typed, isRequired: false).map { .set($0) } ?? .clear
    }

    private static func dateOfBirth(
        _ change: Edit<String>, isRequired: Bool, now: Instant, _ check: inout FieldErrors<AccountMessage>
    ) -> Edit<String> {
        switch change {
        case .unchanged: return .unchanged
        case .clear:
            if isRequired { check.refuse("dateOfBirth", .dateOfBirthMissing) }
            return .clear
        case .set(let typed):
            // An empty text is no date; only null clears one.
            return check.dateOfBirth(typed, isRequired: true, now: now).map { .set($0) } ?? .unchanged
        }
    }

    /// Returns the account after the change; the same account when nothing changes.
    func applied(to before: Account) -> Account {
        let isSameEmail = email.map { $0.key == before.email.flatMap { EmailAddress($0)?.key } } ?? true
        let changed = account(before, verifiedAt: isSameEmail ? before.emailVerifiedAt : nil, version: before.version)
        guard changed != before else { return before }
        return account(before, verifiedAt: changed.emailVerifiedAt, version: before.version + 1)
    }

    private func account(_ before: Account, verifiedAt: Instant?, version: Int64) -> Account {
        Account(
            id: before.id, email: email?.text ?? before.email, name: name ?? before.name,
            phone: phone.applied(to: before.phone), dateOfBirth: dateOfBirth.applied(to: before.dateOfBirth),
            theme: theme ?? before.theme, avatarPictureID: avatarPictureID.applied(to: before.avatarPictureID),
            mapsApp: mapsApp.applied(to: before.mapsApp), role: before.role,
            language: language.applied(to: before.language), isOperator: before.isOperator,
            emailVerifiedAt: verifiedAt, version: version, createdAt: before.createdAt,
            isFromProvider: before.isFromProvider,
            appearance: appearance.applied(to: before.appearance) ?? .system, pendingEmail: before.pendingEmail
        )
    }
}

extension Edit {
    fileprivate var isSet: Bool {
        if case .set = self { true } else { false }
    }

    fileprivate func applied(to before: Value?) -> Value? {
        switch self {
        case .unchanged: before
        case .clear: nil
        case .set(let value): value
        }
    }
}
