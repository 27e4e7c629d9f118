import Accounts
import Foundation
import Kernel
import WebCore

/// The view of the settings.
struct SettingsPage: Sendable {
    let shell: Shell
    let name: String
    let email: String?
    /// The URL of the photo; `nil` without one.
    let avatarURL: String?
    /// A pending email; `nil` for none.
    let waiting: PendingEmailView?
    /// Whether a verification link can be sent and wasn't followed yet.
    let isUnverified: Bool
    let isAdult: Bool
    let isAdministrator: Bool
    /// Whether providers are set up, so that the row for ways to sign in is shown.
    let hasWays: Bool
    /// Whether the account came from a provider and has no date of birth.
    let isDateOfBirthMissing: Bool
    let lockValue: String
    let mapsValue: String
    let appearanceValue: String
    let themeValue: String
    let languageValue: String

    init(_ context: some WebContext, account: Account, sendsMail: Bool, hasWays: Bool) {
        self.hasWays = hasWays && account.role == .adult
        isDateOfBirthMissing = account.isFromProvider && account.dateOfBirth == nil
        lockValue = context.identity?.session.hasPasscode == true ? context.t("On") : context.t("Off")
        name = account.name
        email = account.email
        avatarURL = account.avatarPictureID.map { "/pictures/\($0)?size=small" }
        waiting = account.pendingEmail.map {
            PendingEmailView($0, destination: "/account", context.t)
        }
        isUnverified = waiting == nil && sendsMail && account.email != nil && account.emailVerifiedAt == nil
        isAdult = account.role == .adult
        isAdministrator = account.isOperator
        mapsValue = SettingsChoice.maps.label(of: account, context.t)
        appearanceValue = SettingsChoice.appearance.label(of: account, context.t)
        themeValue = SettingsChoice.theme.label(of: account, context.t)
        languageValue = SettingsChoice.language.label(of: account, context.t)
        let menu = AppMenu.settings(context)
        shell = Shell(
            context, title: context.t("Settings", context: "narrow button"), menu: menu, tab: "settings",
            back: menu.backFromSettings())
    }
}

/// A setting with a few values, each one tap away.
enum SettingsChoice: String, Sendable, CaseIterable {
    case maps
    case appearance
    case theme
    case language

    /// The name of the account's field.
    var field: String { self == .maps ? "mapsApp" : rawValue }

    func title(_ t: Translator) -> String {
        switch self {
        case .maps: t("Maps app")
        case .appearance: t("Light or dark")
        case .theme: t("Theme")
        case .language: t("Language")
        }
    }

    func note(_ t: Translator) -> String? {
        switch self {
        case .maps: t("Navigation to your items opens in this app.")
        case .appearance: t("For this account, on all your devices.")
        case .theme: t("A theme changes the colour of buttons and marks.")
        case .language: t("Numbers, dates and times are written in it as well.")
        }
    }

    /// Returns the values of the account's field, empty for none, with their labels.
    func values(_ t: Translator) -> [(value: String, label: String)] {
        switch self {
        case .maps: [(MapsApp.apple.rawValue, t("Apple Maps")), (MapsApp.google.rawValue, t("Google Maps"))]
        case .appearance:
            [
                (Appearance.system.rawValue, t("Same as device")), (Appearance.light.rawValue, t("Light")),
                (Appearance.dark.rawValue, t("Dark")),
            ]
        case .theme: Themes.all.map { ($0, ThemeName.text($0, t)) }
        case .language: [("", t("Automatic"))] + Language.allCases.map { ($0.rawValue, $0.nativeName) }
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

    func label(of account: Account, _ t: Translator) -> String {
        let current = current(of: account)
        return values(t).first { $0.value == current }?.label ?? t("Not chosen")
    }
}

/// The view of the values of one setting.
struct ChoicePage: Sendable {
    let shell: Shell
    /// The name of the account's field.
    let field: String
    let note: String?
    let options: [ChoiceOption]

    init(_ context: some WebContext, choice: SettingsChoice, account: Account) {
        field = choice.field
        note = choice.note(context.t)
        let current = choice.current(of: account)
        let menu = AppMenu.settings(context)
        options = choice.values(context.t).map { value, label in
            let hasSwatch = choice == .theme
            let isStandard = value == Themes.standard
            return ChoiceOption(
                value: value, label: label, isCurrent: value == current,
                swatchTheme: hasSwatch && !isStandard ? value : nil, swatchApp: hasSwatch && isStandard ? menu.id : nil)
        }
        shell = Shell(
            context, title: choice.title(context.t), menu: menu, tab: "settings", isLargeTitle: false,
            back: ShellBack(url: "/account", label: context.t("Settings", context: "narrow button"))
        )
    }
}

struct ChoiceOption: Sendable {
    let value: String
    let label: String
    let isCurrent: Bool
    /// The theme whose color is shown beside the value; `nil` for other settings.
    let swatchTheme: String?
    /// The app whose accent color is shown beside the standard theme.
    let swatchApp: String?

    init(value: String, label: String, isCurrent: Bool, swatchTheme: String? = nil, swatchApp: String? = nil) {
        self.value = value
        self.label = label
        self.isCurrent = isCurrent
        self.swatchTheme = swatchTheme
        self.swatchApp = swatchApp
    }
}

/// The view of the page that edits name, email and other profile fields.
struct EditPage: Sendable {
    let shell: Shell
    /// The error message above the form.
    let problem: String?
    let photo: PhotoField
    let fields: [FormField]
    /// The page for the proof for a new email; `nil` where the form has a password field, or a proof is stored.
    let proofURL: String?
    let proofLabel: String

    init(_ context: SignedInContext, typed: ProfileFormState, pictureID: String, proof: ProofState, error: AppError?) {
        let errors = FormErrors(error)
        problem = errors.message ?? (proof == .password ? nil : errors["password"])
        proofURL = proof == .elsewhere ? SensitiveAct.changeEmail.proofURL(returningTo: "/account/edit") : nil
        proofLabel = context.t("Confirm that it’s you first")
        photo = PhotoField(
            pictureID: pictureID,
            imageURL: pictureID.isEmpty ? nil : "/pictures/\(PercentEncoding.encoded(pictureID))?size=medium",
            error: errors["picture"] ?? errors["pictureId"] ?? errors["avatarPictureId"] ?? "",
            label: context.t("Your photo")
        )
        var fields: [FormField] = [.name(context.t, value: typed.name, errors: errors)]
        if !context.isChild {
            fields.append(.email(context.t, value: typed.email, errors: errors))
            if proof == .password { fields.append(.proof(context.t, errors: errors)) }
            fields.append(.phone(context.t, value: typed.phone, errors: errors, isRequired: false))
        }
        fields.append(
            .dateOfBirth(
                context.t, value: typed.dateOfBirth, errors: errors, now: context.web.clock.now,
                isRequired: context.isChild))
        self.fields = fields
        shell = .settingsForm(
            context, title: context.t("Profile"),
            action: ShellAction(label: context.t("Save"), formID: "profile-form", isStrong: true)
        )
    }
}

/// The view of the page that changes or sets the password.
struct PasswordPage: Sendable {
    let shell: Shell
    /// For password managers.
    let email: String
    /// The error message above the form.
    let problem: String?
    let fields: [FormField]

    /// For an account without a password.
    let confirmation: ConfirmationPart?
    /// Whether no proof is needed first.
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
    /// The reason to remove them; `nil` without any.
    let removeNote: String?

    /// - Parameter removing: the states of the switches in a rejected form.
    init(
        _ context: SignedInContext, methods: SignInMethods, hasChildDevices: Bool, confirmation: ConfirmationPart?,
        removing: OtherSignInMethods, error: AppError?
    ) {
        hasPasskeys = methods.hasPasskeys
        hasIdentities = !methods.identities.isEmpty
        removePasskeys = context.t("Remove my passkeys")
        removeIdentities = context.t("Remove linked services")
        self.hasChildDevices = hasChildDevices
        signOutChildren = context.t("Sign out my children’s devices and shared tablets")
        isRemovingPasskeys = removing.contains(.passkeys)
        isRemovingIdentities = removing.contains(.identities)
        isSigningOutChildren = removing.contains(.childDevices)
        removeNote =
            hasPasskeys || hasIdentities
            ? context.t("If another person may have used your account, remove what they could have added.")
            : hasChildDevices
                ? context.t(
                    """
                    If another person may have used your account, they could have signed in as a child or paired \
                    a shared tablet.
                    """) : nil
        self.confirmation = confirmation
        isReady = confirmation?.isConfirmed ?? true
        email = context.account.email ?? ""
        let errors = FormErrors(error)
        problem = errors.message
        var fields: [FormField] = [.newPassword(context.t, label: context.t("New password"), errors: errors)]
        if confirmation == nil {
            fields.insert(
                .password(context.t, name: "current", label: context.t("Current password"), errors: errors), at: 0)
        }
        self.fields = fields
        let title = confirmation == nil ? context.t("Change password") : context.t("Set a password")
        shell = .settingsForm(context, title: title)
    }
}

/// The view of the page that deletes the account.
struct DeletePage: Sendable {
    let shell: Shell
    /// For password managers.
    let email: String
    /// The error message above the form.
    let problem: String?
    let fields: [FormField]

    /// For an account without a password.
    let confirmation: ConfirmationPart?
    /// The open business that prevents the deletion. The form isn't shown then.
    let obstacle: String?
    /// The effects of the deletion on others.
    let notes: [String]
    /// Whether nothing prevents the deletion and no proof is needed first.
    let isReady: Bool
    /// The page for a proof other than the password; `nil` where there is none.
    let otherProof: String?
    let otherProofLabel: String

    init(
        _ context: SignedInContext, confirmation: ConfirmationPart?, obstacle: AppError?, notes: [String],
        error: AppError?
    ) {
        self.confirmation = confirmation
        self.notes = notes
        otherProof = confirmation == nil ? SensitiveAct.deleteAccount.proofURL : nil
        otherProofLabel = context.t("Confirm in another way")
        self.obstacle = obstacle?.message
        isReady = obstacle == nil && confirmation?.isConfirmed ?? true
        email = context.account.email ?? ""
        let errors = FormErrors(error)
        problem = errors.message ?? (confirmation == nil ? nil : errors["password"])
        fields = confirmation == nil ? [.password(context.t, label: context.t("Password"), errors: errors)] : []
        shell = .settingsForm(context, title: context.t("Delete account"))
    }
}

/// The view of the devices on which the person is signed in.
struct DevicesPage: Sendable {
    let shell: Shell
    let devices: [DeviceRow]
    /// The URL of the next page; `nil` at the end.
    let nextURL: String?

    init(_ context: SignedInContext, sessions: [Session], next: String?) {
        let current = context.session.id
        let now = context.web.clock.now
        devices = sessions.map { session in
            // The database records the use of a session once an hour. This session is in use now.
            let isCurrent = session.id == current
            let lastUsedAt = isCurrent ? now : session.lastUsedAt
            return DeviceRow(session, isCurrent: isCurrent, lastUsedAt: lastUsedAt, context.t, context.language)
        }
        nextURL = next.map { "/account/sessions?after=\($0)" }
        shell = Shell(
            context, title: context.t("Devices"), menu: .settings(context), tab: "settings", isLargeTitle: false,
            back: ShellBack(url: "/account", label: context.t("Settings", context: "narrow button"))
        )
    }
}

struct DeviceRow: Sendable {
    let id: String
    let name: String
    let icon: String
    let isCurrent: Bool
    let lastUsedAt: String
    let lastUsedText: String
    /// The question before the device is signed out.
    let question: String

    init(_ session: Session, isCurrent: Bool, lastUsedAt: Instant, _ t: Translator, _ language: Language) {
        id = session.id.description
        name = DeviceName.text(session.name, t)
        icon = Self.icon(session)
        self.isCurrent = isCurrent
        self.lastUsedAt = lastUsedAt.rfc3339
        lastUsedText = DateText.of(lastUsedAt, language)
        question = t("Sign out “{name}”?", ["name": name])
    }

    private static func icon(_ session: Session) -> String {
        if session.kind == .bearer { return "key-round" }
        if session.name.contains("iPad") { return "tablet" }
        if session.name.contains("iPhone") || session.name.contains("Android") { return "smartphone" }
        return "laptop"
    }
}

/// The time as text in the reader's language (GMT), for browsers without scripts.
enum DateText {
    static func of(_ instant: Instant, _ language: Language) -> String {
        var style = Date.FormatStyle(date: .abbreviated, time: .shortened)
        style.locale = Locale(identifier: language.locale)
        style.timeZone = .gmt
        return instant.date.formatted(style)
    }
}

extension Shell {
    /// The layout of a form of the settings: Cancel leads back to them, and there are no tabs, so that input isn't
    /// lost.
    fileprivate static func settingsForm(
        _ context: SignedInContext, title: String, action: ShellAction? = nil
    ) -> Shell {
        Shell(
            context, title: title, menu: .settings(context), tab: "settings", isLargeTitle: false,
            isNarrow: true, hasTabs: false,
            back: ShellBack(url: "/account", label: context.t("Cancel"), isCancel: true),
            action: action
        )
    }
}
