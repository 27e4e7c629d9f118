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
    let words: PasskeyStrings
    /// Whether the form has a password field for the proof.
    let asksPassword: Bool
    let passwordLabel: String

    private init(
        _ kind: Kind, _ words: PasskeyStrings, action: String, challengeURL: String = "/lock/passkeys/challenge",
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
        self.words = words
    }

    /// - Parameter passwordLabel: `nil` for a form without a password field.
    static func adding(_ words: PasskeyStrings, problem: String?, passwordLabel: String?) -> PasskeyForm {
        PasskeyForm(
            .register, words, action: "/lock/passkeys", destination: "", label: words.add,
            failed: words.registerFailed, refusal: problem, passwordLabel: passwordLabel)
    }

    static func enabling(
        _ words: PasskeyStrings, destination: String, problem: String?, passwordLabel: String?
    ) -> PasskeyForm {
        PasskeyForm(
            .register, words, action: "/lock/passkeys", destination: destination, label: words.enable,
            failed: words.registerFailed, isForLock: true, refusal: problem, passwordLabel: passwordLabel)
    }

    /// A proof for one act, in place of the password.
    static func proving(
        _ words: PasskeyStrings, _ t: ProofStrings, action: String, destination: String, problem: String?
    ) -> PasskeyForm {
        PasskeyForm(
            .prove, words, action: action, challengeURL: action + "/challenge", destination: destination,
            label: t.usePasskey, failed: t.passkeyFailed, style: "button-secondary", refusal: problem)
    }

    /// For the lock page, where passkeys unlock.
    static func unlocking(_ words: PasskeyStrings, destination: String, isAutomatic: Bool) -> PasskeyForm {
        PasskeyForm(
            .unlock, words, action: "/lock/passkeys/unlocking", destination: destination, label: words.unlock,
            failed: words.unlockFailed, style: "button-secondary", isUnlocking: true,
            isAutomatic: isAutomatic)
    }

    static func signingIn(
        _ words: PasskeyStrings, destination: String, isOffer: Bool
    ) -> PasskeyForm {
        PasskeyForm(
            .signIn, words, action: "/sign-in/passkey", challengeURL: "/sign-in/passkey/challenge",
            destination: destination, label: words.signIn, failed: words.signInFailed, style: "button-secondary",
            isOffer: isOffer)
    }
}

/// The view of a person's passkeys.
struct PasskeysPage: Sendable {
    let shell: Shell
    let words: PasskeyStrings
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
        let proof = ProofStrings.of(context.language)
        otherProof = confirmation == nil && !passkeys.isEmpty ? SensitiveAct.addPasskey.proofURL() : nil
        otherProofLabel = proof.anotherWay
        let words = context.passkeyStrings
        self.words = words
        let language = context.language
        problem = isRegistering ? nil : error?.message
        hasPasskeys = !passkeys.isEmpty
        self.passkeys = passkeys.map { PasskeyRow($0, words, language) }
        passkey = .adding(
            words, problem: isRegistering ? error?.message : nil,
            passwordLabel: confirmation == nil ? proof.password : nil)
        shell = Shell(
            context, title: words.passkeys, menu: .settings(context), tab: "settings", isLargeTitle: false,
            back: ShellBack(url: "/account", label: context.strings.settings)
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

    init(_ passkey: Passkey, _ words: PasskeyStrings, _ language: Language) {
        id = passkey.id.description
        name = passkey.name
        isSynced = passkey.isBackedUp
        wasUsed = passkey.lastUsedAt != nil
        let instant = passkey.lastUsedAt ?? passkey.createdAt
        lastUsedAt = instant.rfc3339
        lastUsedText = DateText.of(instant, language)
        question = words.removeQuestion.replacing("NAME", with: passkey.name)
    }
}

/// The view of the page that turns unlocking by passkey on or off.
struct TouchIDPage: Sendable {
    let shell: Shell
    let words: PasskeyStrings
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
        let words = context.passkeyStrings
        self.words = words
        isOn = touchID.isOn
        problem = touchID.isOn ? error?.message : nil
        self.destination = destination.path
        self.confirmation = confirmation
        isReady = confirmation?.isConfirmed ?? true
        let proof = ProofStrings.of(context.language)
        otherProof = nil
        otherProofLabel = proof.anotherWay
        passkey = .enabling(
            words, destination: destination.path, problem: error?.message,
            passwordLabel: confirmation == nil ? proof.password : nil)
        shell = Shell(
            context, title: words.touchID, menu: .settings(context), tab: "settings", isLargeTitle: false,
            isNarrow: true,
            hasTabs: false,
            // The first time, the page is a question with buttons and needs no link back.
            back: touchID.isDecided ? ShellBack(url: destination.path, label: context.lockStrings.lock) : nil
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
