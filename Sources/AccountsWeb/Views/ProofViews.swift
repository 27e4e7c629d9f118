import Accounts
import Kernel
import WebCore

/// Asks for a proof that the account's owner is present.
struct ProofPage: Sendable {
    let shell: Shell
    let t: ProofStrings
    /// Where the form goes.
    let action: String
    /// Where to go then.
    let destination: String
    let reason: String
    /// For password managers.
    let email: String
    /// The error of the whole form.
    let problem: String?
    /// The password; empty where there is none, or nothing is left to prove.
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
        _ context: SignedInContext, act: SensitiveAct, ways: SignInWays, confirmation: ConfirmationPart,
        destination: String, error: AppError?
    ) {
        let t = ProofStrings.of(context.language)
        self.t = t
        action = "/account/proofs/\(act.rawValue)"
        self.destination = destination
        reason = t.reasons[act.rawValue] ?? ""
        email = context.account.email ?? ""
        let errors = FormErrors(error)
        isReady = ways.isConfirmed
        hasPassword = ways.hasPassword && !ways.isConfirmed
        hasPasskey = ways.hasPasskeys && !ways.isConfirmed
        let credentialProblem = errors["credential"]
        problem = errors.message ?? (ways.hasPassword ? nil : errors["password"])
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

/// The link in a mail that puts the old address back.
struct UndoPage: Sendable {
    let shell: Shell
    let t: ProofStrings
    /// Where the form goes.
    let action: String

    init(_ context: AppContext, code: String) {
        t = ProofStrings.of(context.language)
        action = "/email-undos/\(PathSegment.encoded(code))"
        shell = Shell(
            context, title: t.undoTitle, menu: AppName.tracking.door(context), isNarrow: true, hasTabs: false)
    }
}
