import Accounts
import AccountsWeb
import Hummingbird
import Kernel
import WebCore

/// `/admin/registration`: who can create an account.
struct RegistrationSettingsController: Sendable {
    let settings: RegistrationSettingsService

    func addRoutes(to root: RouterGroup<SignedInContext>) {
        root
            .get("registration", use: show)
            .put("registration", use: update)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let details = try await settings.details(for: context.actor)
        return try Responses.of(
            context, template: "admin-registration",
            page: { RegistrationSettingsPage(context, details, error: nil) },
            json: { RegistrationSettingsJSON(details) }
        )
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let mode = fields.requireChoice("registration", of: RegistrationPolicy.Mode.self)
        return try await Responses.form(
            context, template: "admin-registration",
            page: { error in
                RegistrationSettingsPage(
                    context, try await settings.details(for: context.actor),
                    error: error.translated(to: context.language))
            },
            perform: { [fields] in
                try fields.check()
                let details = try await settings.change(to: mode, by: context.change(fields))
                return try Responses.changed(
                    context, json: { RegistrationSettingsJSON(details) }, seeOther: AdminPath.root,
                    toast: ShellToast(context.t("Saved")))
            }
        )
    }
}

/// The view model of the setting for who can create an account.
struct RegistrationSettingsPage: Sendable {
    let shell: Shell
    let problem: String?
    let formURL: String
    /// Whether the settings prescribe the choice.
    let isFixed: Bool
    let choices: [RegistrationChoice]

    init(_ context: SignedInContext, _ details: RegistrationSettingsService.Details, error: AppError?) {
        problem = error.map { $0.fields.values.first ?? $0.message }
        formURL = "\(AdminPath.registration)?_method=put"
        isFixed = details.isFixed
        choices = RegistrationPolicy.Mode.allCases.map {
            RegistrationChoice($0, isChosen: $0 == details.mode, context.t)
        }
        shell = .admin(context, title: context.t("Who can create an account"))
    }
}
