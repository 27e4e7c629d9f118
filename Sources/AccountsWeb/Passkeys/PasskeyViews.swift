import Accounts
import Kernel
import WebCore

/// A button that calls an authenticator, and the form that is sent with its response.
struct PasskeyForm: Sendable {
    enum Kind: String, Sendable {
        case register, unlock, prove
        case signIn = "sign-in"
    }

    /// The kind, for scripts and ids.
    let kind: String
    /// The URL to which the response is sent.
    let action: String
    /// The URL that creates the challenge.
    let challengeURL: String
    /// The path to continue with, empty for the default.
    let destination: String
    let label: String
    /// The CSS class of the button.
    let style: String
    /// Whether the registered passkey is to unlock the app.
    let isForLock: Bool
    /// Whether the form unlocks the app.
    let isUnlocking: Bool
    /// Whether the authenticator is called as soon as the page is loaded.
    let isAutomatic: Bool
    /// Whether an offered identity of a provider waits to be linked.
    let isOffer: Bool
    /// The error message.
    let refusal: String?
    /// The message after a failure or a cancellation.
    let failed: String
    /// Whether the form has a password field for the proof.
    let asksPassword: Bool
    let passwordLabel: String

    private init(
        _ kind: Kind, action: String, challengeURL: String = "/lock/passkeys/challenge",
        destination: String, label: String, failed: String, style: String = "button-primary", isForLock: Bool = false,
        isUnlocking: Bool = false, isAutomatic: Bool = false,
        isOffer: Bool = false, refusal: String? = nil, passwordLabel: String? = nil
    ) {
        asksPassword = passwordLabel != nil
        self.passwordLabel = passwordLabel ?? ""
        self.kind = kind.rawValue
        self.action = action
        self.challengeURL = challengeURL
        self.destination = destination
        self.label = label
        self.style = style
        self.isForLock = isForLock
        self.isUnlocking = isUnlocking
        self.isAutomatic = isAutomatic
        self.isOffer = isOffer
        self.refusal = refusal
        self.failed = failed
    }

    /// - Parameter passwordLabel: `nil` for a form without a password field.
    static func adding(_ t: Translator, problem: String?, passwordLabel: String?) -> PasskeyForm {
        PasskeyForm(
            .register, action: "/lock/passkeys", destination: "", label: t("Add a passkey"),
            failed: t("That was cancelled or didn’t work, and no passkey was created. You can try again."),
            refusal: problem, passwordLabel: passwordLabel)
    }

    static func enabling(
        _ t: Translator, destination: String, problem: String?, passwordLabel: String?
    ) -> PasskeyForm {
        PasskeyForm(
            .register, action: "/lock/passkeys", destination: destination, label: t("Enable"),
            failed: t("That was cancelled or didn’t work, and no passkey was created. You can try again."),
            isForLock: true, refusal: problem, passwordLabel: passwordLabel)
    }

    /// A proof for one act, in place of the password.
    static func proving(
        _ t: Translator, action: String, destination: String, problem: String?
    ) -> PasskeyForm {
        PasskeyForm(
            .prove, action: action, challengeURL: action + "/challenge", destination: destination,
            label: t("Confirm with a passkey"),
            failed: t("The passkey wasn’t accepted. Try again, or confirm in another way."), style: "button-secondary",
            refusal: problem)
    }

    /// For the lock page, where passkeys unlock.
    static func unlocking(_ t: Translator, destination: String, isAutomatic: Bool) -> PasskeyForm {
        PasskeyForm(
            .unlock, action: "/lock/passkeys/unlocking", destination: destination, label: t("Unlock with Touch ID"),
            failed: t("Touch ID was cancelled or didn’t work. Enter your passcode, or try again."),
            style: "button-secondary", isUnlocking: true,
            isAutomatic: isAutomatic)
    }

    static func signingIn(
        _ t: Translator, destination: String, isOffer: Bool
    ) -> PasskeyForm {
        PasskeyForm(
            .signIn, action: "/sign-in/passkey", challengeURL: "/sign-in/passkey/challenge",
            destination: destination, label: t("Sign in with a passkey"),
            failed: t("That was cancelled or didn’t work. Try again, or sign in with email and password."),
            style: "button-secondary",
            isOffer: isOffer)
    }
}

/// The view of a person's passkeys.
struct PasskeysPage: Sendable {
    let shell: Shell
    /// The error message.
    let problem: String?
    let hasPasskeys: Bool
    let passkeys: [PasskeyRow]
    let passkey: PasskeyForm
    /// The proof in place of a password field; `nil` where that field is shown.
    let confirmation: ConfirmationPart?
    /// Whether no proof is needed first.
    let isReady: Bool
    /// The page on which a passkey gives the proof in place of the password; `nil` where there is none.
    let otherProof: String?
    let otherProofLabel: String

    init(
        _ context: SignedInContext, passkeys: [Passkey], confirmation: ConfirmationPart?, error: AppError? = nil,
        isRegistering: Bool = false
    ) {
        self.confirmation = confirmation
        isReady = confirmation?.isConfirmed ?? true
        otherProof = confirmation == nil && !passkeys.isEmpty ? SensitiveAct.addPasskey.proofURL : nil
        otherProofLabel = context.t("Confirm in another way")
        let language = context.language
        problem = isRegistering ? nil : error?.message
        hasPasskeys = !passkeys.isEmpty
        self.passkeys = passkeys.map { PasskeyRow($0, context.t, language) }
        passkey = .adding(
            context.t, problem: isRegistering ? error?.message : nil,
            passwordLabel: confirmation == nil ? context.t("Your password") : nil)
        shell = Shell(
            context, title: context.t("Passkeys"), menu: .settings(context), tab: "settings", isLargeTitle: false,
            back: ShellBack(url: "/account", label: context.t("Settings", context: "narrow button"))
        )
    }
}

/// One passkey in the list.
struct PasskeyRow: Sendable {
    let id: String
    let name: String
    let isSynced: Bool
    let wasUsed: Bool
    let lastUsedAt: String
    let lastUsedText: String
    /// The question before the passkey is removed.
    let question: String

    init(_ passkey: Passkey, _ t: Translator, _ language: Language) {
        id = passkey.id.description
        name = DeviceName.text(passkey.name, t)
        isSynced = passkey.isBackedUp
        wasUsed = passkey.lastUsedAt != nil
        let instant = passkey.lastUsedAt ?? passkey.createdAt
        lastUsedAt = instant.rfc3339
        lastUsedText = DateText.of(instant, language)
        question = t("Remove “{name}”?", ["name": name])
    }
}

/// The view of the page that turns unlocking by passkey on or off.
struct TouchIDPage: Sendable {
    let shell: Shell
    /// Whether the account has a passcode, without which this page isn't shown.
    let isAvailable: Bool
    let isOn: Bool
    /// The error message.
    let problem: String?
    /// The path to continue with.
    let destination: String
    let passkey: PasskeyForm

    /// The proof in place of a password field; `nil` where that field is shown.
    let confirmation: ConfirmationPart?
    /// Whether no proof is needed first.
    let isReady: Bool
    /// The page on which a passkey gives the proof in place of the password; `nil` where there is none.
    let otherProof: String?
    let otherProofLabel: String

    init(
        _ context: SignedInContext, touchID: TouchID, destination: Destination, confirmation: ConfirmationPart?,
        error: AppError? = nil
    ) {
        isAvailable = touchID.isAvailable
        isOn = touchID.isOn
        problem = touchID.isOn ? error?.message : nil
        self.destination = destination.path
        self.confirmation = confirmation
        isReady = confirmation?.isConfirmed ?? true
        otherProof = nil
        otherProofLabel = context.t("Confirm in another way")
        passkey = .enabling(
            context.t, destination: destination.path, problem: error?.message,
            passwordLabel: confirmation == nil ? context.t("Your password") : nil)
        shell = Shell(
            context, title: context.t("Touch ID"), menu: .settings(context), tab: "settings", isLargeTitle: false,
            isNarrow: true,
            hasTabs: false,
            // The first time, the page is a question with buttons and needs no link back.
            back: touchID.isDecided ? ShellBack(url: destination.path, label: context.t("App lock")) : nil
        )
    }
}

/// The passkey resource.
struct PasskeyJSON: Encodable {
    let id: ID<Passkey>
    let name: String
    let synced: Bool
    let createdAt: Instant
    @Nullable var lastUsedAt: Instant?

    init(_ passkey: Passkey) {
        id = passkey.id
        name = passkey.name
        synced = passkey.isBackedUp
        createdAt = passkey.createdAt
        lastUsedAt = passkey.lastUsedAt
    }
}

/// The setting for unlocking by a passkey, in the API.
struct TouchIDJSON: Encodable {
    let available: Bool
    let enabled: Bool
    let decided: Bool

    init(_ touchID: TouchID) {
        available = touchID.isAvailable
        enabled = touchID.isOn
        decided = touchID.isDecided
    }
}
