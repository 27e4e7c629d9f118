package import Accounts
package import Kernel
import WebCore

/// The typed values of the set-up page, for showing it again.
struct SetupFormState: Sendable {
    let profile: ProfileFormState
    let code: String

    static let nothing = SetupFormState(profile: .nothing, code: "")
}

/// The view of the set-up of a new server.
struct SetupPage: Sendable {
    let shell: Shell
    /// The error message above the form.
    let problem: String?
    let codeField: FormField
    let fields: [FormField]
    /// Whether the person chooses who can register.
    let hasChoice: Bool
    let choices: [RegistrationChoice]
    let choiceError: String?
    /// Who can register, where the settings prescribe it.
    let fixedText: String?

    /// - Parameter mode: the mode as it was sent.
    init(
        _ context: some WebContext, typed: SetupFormState, mode: String?, fixedMode: RegistrationPolicy.Mode?,
        error: AppError?
    ) {
        let t = context.t
        let errors = FormErrors(error)
        problem = errors.message
        codeField = .setupCode(t, value: typed.code, errors: errors)
        fields = [
            .name(t, value: typed.profile.name, errors: errors),
            .email(t, value: typed.profile.email, errors: errors),
            .newPassword(t, label: t("Password"), errors: errors),
        ]
        hasChoice = fixedMode == nil
        choices = RegistrationPolicy.Mode.allCases.map { RegistrationChoice($0, isChosen: $0.rawValue == mode, t) }
        choiceError = errors["registration"]
        fixedText = fixedMode.map { mode in
            t(
                "Who can create an account is set by HOMEWARD_REGISTRATION: {mode}.",
                ["mode": RegistrationChoice(mode, isChosen: true, t).label])
        }
        shell = Shell(
            context, title: t("Set up this server"), menu: AppName.tracking.signInMenu(context), isNarrow: true,
            hasTabs: false)
    }
}

/// A choice of who can create an account.
package struct RegistrationChoice: Sendable {
    package let value: String
    package let label: String
    package let hint: String
    package let isChosen: Bool

    package init(_ mode: RegistrationPolicy.Mode, isChosen: Bool, _ t: Translator) {
        value = mode.rawValue
        self.isChosen = isChosen
        switch mode {
        case .open:
            label = t("Everyone")
            hint = t("Anyone who finds this server can create an account.")
        case .invitation:
            label = t("People with an invitation")
            hint = t("Administrators and parents on this server can invite others.")
        case .closed:
            label = t("Only people you invite")
            hint = t("Only administrators can invite others.")
        }
    }
}
