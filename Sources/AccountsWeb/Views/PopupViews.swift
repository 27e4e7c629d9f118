import Accounts
import Kernel
import WebCore

/// The view of one field of the account. Browsers without scripts show it as a page; others show its errors in the
/// sheet.
struct PopupPage: Sendable {
    let shell: Shell
    let popup: FieldSheet

    init(
        _ context: SignedInContext, kind: FieldSheet.Kind, value: String, destination: Destination,
        pendingEmail: String? = nil, proof: ProofState? = nil, error: AppError?
    ) {
        let t = context.t
        let label =
            switch kind {
            case .name: t("Name")
            case .phone: t("Phone")
            case .email: t("Mail")
            }
        let hint: String? =
            switch kind {
            case .name: nil
            case .phone: t("Best with country code, such as +49 151 23456789")
            case .email: t("You sign in with it.")
            }
        let errors = FormErrors(error)
        shell = Shell(
            context, title: label, menu: destination.signInMenu(context), isLargeTitle: false, isNarrow: true,
            hasTabs: false,
            back: ShellBack(
                url: destination.path, label: t("Cancel"), isCancel: true)
        )
        popup = FieldSheet(
            kind, label: label, value: value, hint: hint, message: errors[kind.rawValue] ?? errors.message ?? "",
            destination: destination.asked, key: shell.idempotencyKey,
            waiting: pendingEmail.map {
                t("{email} isn’t confirmed yet. Open the link in the mail we sent there.", ["email": $0])
            } ?? "",
            proof: proof.flatMap {
                .beside($0, message: errors["password"] ?? "", destination: destination.path, t)
            }
        )
    }
}

/// The view of the page for the fields that an app requires and the account lacks.
struct RequiredProfilePage: Sendable {
    let shell: Shell
    let action: String
    /// The error message above the form.
    let problem: String?
    let explanation: String
    let fields: [FormField]
    /// The path to continue with.
    let destination: String

    init(
        _ context: SignedInContext, app: AppName, missing: [String], typed: ProfileFormState, destination: Destination,
        error: AppError?
    ) {
        let errors = FormErrors(error)
        problem = errors.message
        action = "/account/apps/\(app.rawValue)"
        self.destination = destination.asked
        let isPhoneMissing = missing.contains("phone")
        explanation =
            isPhoneMissing
            ? context.t(
                "The carrier or owner of your package can call you while it is under way. No one else sees your number."
            ) : context.t("Family needs it to tell adults from children.")
        var fields: [FormField] = []
        if missing.contains("dateOfBirth") {
            fields.append(
                .dateOfBirth(context.t, value: typed.dateOfBirth, errors: errors, now: context.web.clock.now))
        }
        if isPhoneMissing { fields.append(.phone(context.t, value: typed.phone, errors: errors)) }
        self.fields = fields
        shell = Shell(
            context, title: isPhoneMissing ? context.t("Phone") : context.t("Date of birth"),
            menu: app.signInMenu(context),
            isNarrow: true, hasTabs: false, back: ShellBack(url: "/", label: context.t("Homeward"))
        )
    }
}

extension AppName {
    /// Returns the app's name and accent color for the pages before it.
    func signInMenu(_ context: some WebContext) -> AppMenu {
        switch self {
        case .tracking: .home(context)
        case .family: AppMenu(id: rawValue, name: "Family", tabs: [])
        case .carrepsa: AppMenu(id: rawValue, name: "Carrepsa", tabs: [])
        }
    }
}

extension Destination {
    var app: AppName {
        AppName.allCases.first { path == "/\($0.rawValue)" || path.hasPrefix("/\($0.rawValue)/") } ?? .tracking
    }

    /// Returns the name and accent color of the destination's app.
    func signInMenu(_ context: some WebContext) -> AppMenu { app.signInMenu(context) }
}
