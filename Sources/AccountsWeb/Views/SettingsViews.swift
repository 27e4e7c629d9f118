import Accounts
import Foundation
import Kernel
import WebCore

/// The settings: a list of options.
struct SettingsPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    let name: String
    let email: String?
    /// The photo; `nil` without one.
    let avatarURL: String?
    /// A new address that waits; `nil` for none.
    let waiting: WaitingEmail?
    /// A link could be sent and was not followed yet.
    let isUnverified: Bool
    let isAdult: Bool
    let words: ProviderStrings
    let passkeyWords: PasskeyStrings
    /// There are other services by which one can come in.
    let hasWays: Bool
    /// Nobody has asked for the date of birth yet.
    let isDateOfBirthMissing: Bool
    let lockWords: LockStrings
    let lockValue: String
    let mapsValue: String
    let appearanceValue: String
    let themeValue: String
    let languageValue: String

    init(_ context: some WebContext, account: Account, sendsMail: Bool, hasWays: Bool) {
        words = context.providerStrings
        passkeyWords = context.passkeyStrings
        self.hasWays = hasWays && account.role == .adult
        isDateOfBirthMissing = account.isMadeByProvider && account.dateOfBirth == nil
        lockWords = context.lockStrings
        lockValue = context.identity?.session.hasPasscode == true ? lockWords.on : lockWords.off
        t = context.strings
        name = account.name
        email = account.email
        avatarURL = account.avatarPictureID.map { "/pictures/\($0)?size=small" }
        waiting = account.pendingEmail.map {
            WaitingEmail($0, destination: "/account", ProofStrings.of(context.language))
        }
        isUnverified = waiting == nil && sendsMail && account.email != nil && account.emailVerifiedAt == nil
        isAdult = account.role == .adult
        mapsValue = SettingsChoice.maps.label(of: account, t)
        appearanceValue = SettingsChoice.appearance.label(of: account, t)
        themeValue = SettingsChoice.theme.label(of: account, t)
        languageValue = SettingsChoice.language.label(of: account, t)
        let menu = AppMenu.settings(context)
        shell = Shell(
            context, title: t.settings, menu: menu, tab: "settings", back: menu.wayBackFromSettings())
    }
}

/// A setting with a few values, each a tap away.
enum SettingsChoice: String, Sendable, CaseIterable {
    case maps
    case appearance
    case theme
    case language

    /// The field of the account.
    var field: String { self == .maps ? "mapsApp" : rawValue }

    func title(_ t: AccountsStrings) -> String {
        switch self {
        case .maps: t.mapsApp
        case .appearance: t.lightOrDark
        case .theme: t.theme
        case .language: t.language
        }
    }

    func note(_ t: AccountsStrings) -> String? {
        switch self {
        case .maps: t.mapsNote
        case .appearance: t.lightOrDarkNote
        case .theme: t.themeNote
        case .language: t.languageNote
        }
    }

    /// Values as the account's field takes them, empty for none, with their names.
    func values(_ t: AccountsStrings) -> [(value: String, label: String)] {
        switch self {
        case .maps: [(MapsApp.apple.rawValue, t.appleMaps), (MapsApp.google.rawValue, t.googleMaps)]
        case .appearance:
            [
                (Appearance.system.rawValue, t.asTheDevice), (Appearance.light.rawValue, t.light),
                (Appearance.dark.rawValue, t.dark),
            ]
        case .theme: Themes.all.map { ($0, t.themes[$0] ?? $0) }
        // Languages are called by their own names, so that whoever is lost finds back.
        case .language: [("", t.automatic), ("en", "English"), ("de", "Deutsch")]
        }
    }

    func current(of account: Account) -> String {
        switch self {
        case .maps: account.mapsApp?.rawValue ?? ""
        case .appearance: account.appearance.rawValue
        case .theme: account.theme
        case .language: account.language ?? ""
        }
    }

    func label(of account: Account, _ t: AccountsStrings) -> String {
        let current = current(of: account)
        return values(t).first { $0.value == current }?.label ?? t.askMe
    }
}

/// The values of one setting.
struct ChoicePage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    /// The account's field.
    let field: String
    let note: String?
    let options: [ChoiceOption]

    init(_ context: some WebContext, choice: SettingsChoice, account: Account) {
        t = context.strings
        field = choice.field
        note = choice.note(t)
        let current = choice.current(of: account)
        let menu = AppMenu.settings(context)
        options = choice.values(t).map { value, label in
            let hasSwatch = choice == .theme
            let isStandard = value == Themes.standard
            return ChoiceOption(
                value: value, label: label, isCurrent: value == current,
                swatchTheme: hasSwatch && !isStandard ? value : nil, swatchApp: hasSwatch && isStandard ? menu.id : nil)
        }
        shell = Shell(
            context, title: choice.title(t), menu: menu, tab: "settings", isLargeTitle: false,
            back: ShellBack(url: "/account", label: t.settings)
        )
    }
}

/// One value of a setting.
struct ChoiceOption: Sendable {
    let value: String
    let label: String
    let isCurrent: Bool
    /// The theme whose colour stands beside it; `nil` where colours aren't what is chosen.
    let swatchTheme: String?
    /// The app whose own colour does, where no theme changes it.
    let swatchApp: String?

    init(value: String, label: String, isCurrent: Bool, swatchTheme: String? = nil, swatchApp: String? = nil) {
        self.value = value
        self.label = label
        self.isCurrent = isCurrent
        self.swatchTheme = swatchTheme
        self.swatchApp = swatchApp
    }
}

/// Name, email and what else is known of a person.
struct EditPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    /// What is wrong with the whole form.
    let problem: String?
    let photo: PhotoField
    let fields: [FormField]
    /// Where another email is confirmed first; `nil` where the password does, or nothing is needed.
    let proofURL: String?
    let proofLabel: String

    init(_ context: SignedInContext, typed: TypedProfile, pictureID: String, proof: ProofState, error: AppError?) {
        t = context.strings
        let errors = FormErrors(error)
        problem = errors.message ?? (proof == .password ? nil : errors["password"])
        proofURL = proof == .elsewhere ? "/account/proofs/email?return=/account/edit" : nil
        proofLabel = ProofStrings.of(context.language).confirmFirst
        photo = PhotoField(
            pictureID: pictureID,
            imageURL: pictureID.isEmpty ? nil : "/pictures/\(PathSegment.encoded(pictureID))?size=medium",
            error: errors["picture"] ?? errors["pictureId"] ?? errors["avatarPictureId"] ?? "",
            label: t.yourPhoto
        )
        var fields: [FormField] = [.name(t, value: typed.name, errors: errors)]
        if !context.isChild {
            fields.append(.email(t, value: typed.email, errors: errors))
            if proof == .password { fields.append(.proof(ProofStrings.of(context.language), errors: errors)) }
            fields.append(.phone(t, value: typed.phone, errors: errors, isRequired: false))
        }
        fields.append(
            .dateOfBirth(
                t, value: typed.dateOfBirth, errors: errors, now: context.web.clock.now, isRequired: context.isChild))
        self.fields = fields
        shell = .settingsForm(
            context, title: t.profile, action: ShellAction(label: t.save, formID: "profile-form", isStrong: true)
        )
    }
}

/// A new password, by the one of now.
struct PasswordPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    /// For password managers.
    let email: String
    /// What is wrong with the whole form.
    let problem: String?
    let fields: [FormField]

    /// For an account without a password.
    let confirmation: ConfirmationPart?
    /// Nothing has to be confirmed first.
    let isReady: Bool

    let hasPasskeys: Bool
    let hasIdentities: Bool
    let hasChildDevices: Bool
    let removePasskeys: String
    let removeIdentities: String
    let signOutChildren: String
    let isRemovingPasskeys: Bool
    let isRemovingIdentities: Bool
    let isSigningOutChildren: Bool
    /// Why they may be removed; `nil` without any.
    let removeNote: String?

    /// - Parameter removing: the switches of a refused form.
    init(
        _ context: SignedInContext, ways: SignInWays, hasChildDevices: Bool, confirmation: ConfirmationPart?,
        removing: OtherSignInWays, error: AppError?
    ) {
        t = context.strings
        let words = ProofStrings.of(context.language)
        hasPasskeys = ways.hasPasskeys
        hasIdentities = !ways.identities.isEmpty
        removePasskeys = words.removePasskeys
        removeIdentities = words.removeIdentities
        self.hasChildDevices = hasChildDevices
        signOutChildren = words.signOutChildren
        isRemovingPasskeys = removing.contains(.passkeys)
        isRemovingIdentities = removing.contains(.identities)
        isSigningOutChildren = removing.contains(.childDevices)
        removeNote =
            hasPasskeys || hasIdentities ? words.removeNote : hasChildDevices ? words.signOutChildrenNote : nil
        self.confirmation = confirmation
        isReady = confirmation?.isConfirmed ?? true
        email = context.account.email ?? ""
        let errors = FormErrors(error)
        problem = errors.message
        var fields: [FormField] = [.newPassword(t, label: t.newPassword, errors: errors)]
        if confirmation == nil {
            fields.insert(.password(t, name: "current", label: t.currentPassword, errors: errors), at: 0)
        }
        self.fields = fields
        let title = confirmation == nil ? t.changePassword : context.providerStrings.setPassword
        shell = .settingsForm(context, title: title)
    }
}

/// The question before an account goes.
struct DeletePage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    /// For password managers.
    let email: String
    /// What is wrong with the whole form.
    let problem: String?
    let fields: [FormField]

    /// For an account without a password.
    let confirmation: ConfirmationPart?
    /// What must come to its end first; nothing is asked until then.
    let obstacle: String?
    /// The effects of the deletion on others.
    let notes: [String]
    /// Nothing has to be confirmed first.
    let isReady: Bool
    /// Where it is confirmed in another way than by the password; `nil` where that is no choice.
    let otherProof: String?
    let otherProofLabel: String

    init(
        _ context: SignedInContext, confirmation: ConfirmationPart?, obstacle: AppError?, notes: [String],
        error: AppError?
    ) {
        t = context.strings
        self.confirmation = confirmation
        self.notes = notes
        otherProof = confirmation == nil ? SensitiveAct.deleteAccount.proofURL() : nil
        otherProofLabel = ProofStrings.of(context.language).anotherWay
        self.obstacle = obstacle?.message
        isReady = obstacle == nil && confirmation?.isConfirmed ?? true
        email = context.account.email ?? ""
        let errors = FormErrors(error)
        problem = errors.message ?? (confirmation == nil ? nil : errors["password"])
        fields = confirmation == nil ? [.password(t, label: t.password, errors: errors)] : []
        shell = .settingsForm(context, title: t.deleteAccount)
    }
}

/// The devices on which somebody is signed in.
struct DevicesPage: Sendable {
    let shell: Shell
    let t: AccountsStrings
    let devices: [DeviceRow]
    /// The next page; `nil` at the end.
    let nextURL: String?

    init(_ context: SignedInContext, sessions: [Session], next: String?) {
        t = context.strings
        let strings = t
        let current = context.session.id
        let now = context.web.clock.now
        devices = sessions.map { session in
            // The store notes the use of a session once an hour; this one is in use.
            let isCurrent = session.id == current
            let lastUsedAt = isCurrent ? now : session.lastUsedAt
            return DeviceRow(session, isCurrent: isCurrent, lastUsedAt: lastUsedAt, strings, context.language)
        }
        nextURL = next.map { "/account/sessions?after=\($0)" }
        shell = Shell(
            context, title: t.devices, menu: .settings(context), tab: "settings", isLargeTitle: false,
            back: ShellBack(url: "/account", label: t.settings)
        )
    }
}

/// One device.
struct DeviceRow: Sendable {
    let id: String
    let name: String
    let icon: String
    let isCurrent: Bool
    /// For scripts.
    let lastUsedAt: String
    /// For people.
    let lastUsedText: String
    /// Asked before it is signed out.
    let question: String

    init(_ session: Session, isCurrent: Bool, lastUsedAt: Instant, _ t: AccountsStrings, _ language: Language) {
        id = session.id.description
        name = session.name
        icon = Self.icon(session)
        self.isCurrent = isCurrent
        self.lastUsedAt = lastUsedAt.rfc3339
        lastUsedText = DayText.of(lastUsedAt, language)
        question = t.revokeQuestion.replacing("NAME", with: session.name)
    }

    private static func icon(_ session: Session) -> String {
        if session.kind == .bearer { return "key-round" }
        if session.name.contains("iPad") { return "tablet" }
        if session.name.contains("iPhone") || session.name.contains("Android") { return "smartphone" }
        return "laptop"
    }
}

/// A day as the reader writes it, for where no script makes it exact.
enum DayText {
    static func of(_ instant: Instant, _ language: Language) -> String {
        var style = Date.FormatStyle(date: .abbreviated, time: .shortened)
        style.locale = Locale(identifier: language == .german ? "de_DE" : "en_GB")
        style.timeZone = .gmt
        return instant.date.formatted(style)
    }
}

extension Shell {
    /// A form that is opened from the settings: Cancel leads back there, and no tabs lead away from what is typed.
    fileprivate static func settingsForm(
        _ context: SignedInContext, title: String, action: ShellAction? = nil
    ) -> Shell {
        Shell(
            context, title: title, menu: .settings(context), tab: "settings", isLargeTitle: false,
            isNarrow: true, hasTabs: false,
            back: ShellBack(url: "/account", label: ShellStrings.of(context.language).cancel, isCancel: true),
            action: action
        )
    }
}
