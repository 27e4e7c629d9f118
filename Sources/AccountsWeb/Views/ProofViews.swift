import Accounts
import Kernel
import WebCore

/// The view of the page that asks for a proof that the account's owner is present.
struct ProofPage: Sendable {
    let shell: Shell
    let t: ProofStrings
    /// The URL of the form.
    let action: String
    /// The path to continue with.
    let destination: String
    let reason: String
    /// For password managers.
    let email: String
    /// The error message above the form.
    let problem: String?
    /// The password field. Empty where there is no password, or the proof is complete.
    let fields: [FormField]
    let hasPassword: Bool
    /// Whether the account has a passkey, so that its button is shown.
    let hasPasskey: Bool
    let passkey: PasskeyForm
    let confirmation: ConfirmationPart
    let isReady: Bool
    /// Whether the proven act is a download.
    let isDownload: Bool

    init(
        _ context: SignedInContext, act: SensitiveAct, methods: SignInMethods, confirmation: ConfirmationPart,
        destination: String, error: AppError?
    ) {
        let t = ProofStrings.of(context.language)
        self.t = t
        action = "/account/proofs/\(act.rawValue)"
        self.destination = destination
        reason = t.reasons[act.rawValue] ?? ""
        email = context.account.email ?? ""
        let errors = FormErrors(error)
        isReady = methods.isConfirmed
        hasPassword = methods.hasPassword && !methods.isConfirmed
        hasPasskey = methods.hasPasskeys && !methods.isConfirmed
        let credentialProblem = errors["credential"]
        problem = errors.message ?? (methods.hasPassword ? nil : errors["password"])
        fields =
            hasPassword ? [.password(context.strings, label: context.strings.password, errors: errors)] : []
        passkey = .proving(
            context.passkeyStrings, t, action: action, destination: destination, problem: credentialProblem)
        self.confirmation = confirmation
        isDownload = act == .export
        shell = Shell(
            context, title: act == .export ? context.strings.export : t.title, menu: .settings(context),
            tab: "settings", isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(
                url: act == .export || destination.hasPrefix("/account/proofs") ? "/account" : destination,
                label: ShellStrings.of(context.language).cancel, isCancel: true))
    }
}

/// The view of the page that restores the old address by the link in a mail.
struct UndoPage: Sendable {
    let shell: Shell
    let t: ProofStrings
    /// The URL of the form.
    let action: String

    init(_ context: AppContext, code: String) {
        t = ProofStrings.of(context.language)
        action = "/email-undos/\(PathSegment.encoded(code))"
        shell = Shell(
            context, title: t.undoTitle, menu: AppName.tracking.signInMenu(context), isNarrow: true, hasTabs: false)
    }
}
