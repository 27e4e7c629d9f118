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
        let t = context.strings
        let words = ProofStrings.of(context.language)
        let label =
            switch kind {
            case .name: t.name
            case .phone: t.phone
            case .email: t.mail
            }
        let hint: String? =
            switch kind {
            case .name: nil
            case .phone: t.phoneHint
            case .email: t.mailHint
            }
        let errors = FormErrors(error)
        shell = Shell(
            context, title: label, menu: destination.signInMenu(context), isLargeTitle: false, isNarrow: true,
            hasTabs: false,
            back: ShellBack(
                url: destination.path, label: ShellStrings.of(context.language).cancel, isCancel: true)
        )
        popup = FieldSheet(
            kind, label: label, value: value, hint: hint, message: errors[kind.rawValue] ?? errors.message ?? "",
            destination: destination.asked, key: shell.idempotencyKey,
            waiting: pendingEmail.map { words.waiting.replacing("EMAIL", with: $0) } ?? "",
            proof: proof.flatMap {
                .beside($0, message: errors["password"] ?? "", destination: destination.path, words)
            }
        )
    }
}

/// The view of the page for the fields that an app requires and the account lacks.
struct RequiredProfilePage: Sendable {
    let shell: Shell
    let t: AccountsStrings
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
        t = context.strings
        let errors = FormErrors(error)
        problem = errors.message
        action = "/account/apps/\(app.rawValue)"
        self.destination = destination.asked
        let isPhoneMissing = missing.contains("phone")
        explanation = isPhoneMissing ? t.phoneWhy : t.dateOfBirthWhy
        var fields: [FormField] = []
        if missing.contains("dateOfBirth") {
            fields.append(
                .dateOfBirth(t, value: typed.dateOfBirth, errors: errors, now: context.web.clock.now))
        }
        if isPhoneMissing { fields.append(.phone(t, value: typed.phone, errors: errors)) }
        self.fields = fields
        shell = Shell(
            context, title: isPhoneMissing ? t.phone : t.dateOfBirth, menu: app.signInMenu(context),
            isNarrow: true, hasTabs: false, back: ShellBack(url: "/", label: t.product)
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
