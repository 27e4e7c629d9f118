import Accounts
import Kernel
import WebCore

/// What asks an authenticator: a button, and the form that is sent with its answer.
struct PasskeyForm: Sendable {
    enum Kind: String, Sendable {
        case register, unlock, prove
        case signIn = "sign-in"
    }

    /// What is asked for, as script and ids know it.
    let kind: String
    /// Where the answer goes.
    let action: String
    /// Where the question comes from.
    let challengeURL: String
    /// Where to go then; empty for the usual place.
    let destination: String
    let label: String
    /// The button's look.
    let style: String
    /// The passkey is to open the lock.
    let isForLock: Bool
    /// It opens the lock.
    let isUnlocking: Bool
    /// The authenticator is asked as soon as the page is there.
    let isAutomatic: Bool
    /// An identity of another service waits to be linked.
    let isOffer: Bool
    /// What is wrong.
    let refusal: String?
    /// Said when it was cancelled or failed.
    let failed: String
    let words: PasskeyStrings
    /// The password proves that the account's owner is there.
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

    /// - Parameter passwordLabel: `nil` where no password is asked for.
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

    /// In place of the password, for one act.
    static func proving(
        _ words: PasskeyStrings, _ t: ProofStrings, action: String, destination: String, problem: String?
    ) -> PasskeyForm {
        PasskeyForm(
            .prove, words, action: action, challengeURL: action + "/challenge", destination: destination,
            label: t.usePasskey, failed: t.passkeyFailed, style: "button-secondary", refusal: problem)
    }

    /// On the page of the lock, where the lock opens by a passkey.
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

/// Somebody's passkeys.
struct PasskeysPage: Sendable {
    let shell: Shell
    let words: PasskeyStrings
    /// What is wrong.
    let problem: String?
    let hasPasskeys: Bool
    let passkeys: [PasskeyRow]
    let passkey: PasskeyForm
    /// In place of a password field; `nil` where that is shown.
    let confirmation: ConfirmationPart?
    /// Nothing has to be confirmed first.
    let isReady: Bool
    /// Where a passkey confirms in place of the password; `nil` where that is no choice.
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

/// One passkey.
struct PasskeyRow: Sendable {
    let id: String
    let name: String
    let isSynced: Bool
    let wasUsed: Bool
    /// For scripts.
    let lastUsedAt: String
    /// For people.
    let lastUsedText: String
    /// Asked before it is removed.
    let question: String

    init(_ passkey: Passkey, _ words: PasskeyStrings, _ language: Language) {
        id = passkey.id.description
        name = passkey.name
        isSynced = passkey.isBackedUp
        wasUsed = passkey.lastUsedAt != nil
        let instant = passkey.lastUsedAt ?? passkey.createdAt
        lastUsedAt = instant.rfc3339
        lastUsedText = DayText.of(instant, language)
        question = words.removeQuestion.replacing("NAME", with: passkey.name)
    }
}

/// Whether the lock is to open by a passkey.
struct TouchIDPage: Sendable {
    let shell: Shell
    let words: PasskeyStrings
    let isOn: Bool
    /// What is wrong.
    let problem: String?
    /// Where to go then.
    let destination: String
    let passkey: PasskeyForm

    /// In place of a password field; `nil` where that is shown.
    let confirmation: ConfirmationPart?
    /// Nothing has to be confirmed first.
    let isReady: Bool
    /// Where a passkey confirms in place of the password; `nil` where that is no choice.
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
            // The first time it is a question, which is answered by its buttons.
            back: touchID.isDecided ? ShellBack(url: destination.path, label: context.lockStrings.lock) : nil
        )
    }
}

/// A passkey as clients see it.
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

/// Whether the lock opens by a passkey, as clients see it.
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
