import Accounts
import Kernel
import WebCore

/// The view of the page that asks for a proof that the account's owner is present.
struct ProofPage: Sendable {
    let shell: Shell
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
        action = "/account/proofs/\(act.rawValue)"
        self.destination = destination
        reason = act.reason(context.t)
        email = context.account.email ?? ""
        let errors = FormErrors(error)
        isReady = methods.isConfirmed
        hasPassword = methods.hasPassword && !methods.isConfirmed
        hasPasskey = methods.hasPasskeys && !methods.isConfirmed
        let credentialProblem = errors["credential"]
        problem = errors.message ?? (methods.hasPassword ? nil : errors["password"])
        fields =
            hasPassword ? [.password(context.t, label: context.t("Password"), errors: errors)] : []
        passkey = .proving(
            context.t, action: action, destination: destination, problem: credentialProblem)
        self.confirmation = confirmation
        isDownload = act == .export
        shell = Shell(
            context, title: act == .export ? context.t("Download everything") : context.t("Confirm that it’s you"),
            menu: .settings(context),
            tab: "settings", isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(
                url: act == .export || destination.hasPrefix("/account/proofs") ? "/account" : destination,
                label: context.t("Cancel"), isCancel: true))
    }
}

/// The view of the page that restores the old address by the link in a mail.
struct UndoPage: Sendable {
    let shell: Shell
    /// The URL of the form.
    let action: String

    init(_ context: AppContext, code: String) {
        action = "/email-undos/\(PercentEncoding.encoded(code))"
        shell = Shell(
            context, title: context.t("Undo the change of your email address"),
            menu: AppName.tracking.signInMenu(context), isNarrow: true, hasTabs: false)
    }
}
