import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/register`, `/accounts` and `/invitations/{code}`: registration by email and password.
struct RegistrationsController: Sendable {
    let registrations: RegistrationService
    let invitations: ServerInvitationService
    let pages: SignInPageBuilder
    let responder: SignInResponder

    func addRoutes(to routes: RouteGroup<AppContext>) {
        routes
            .get("register", use: new)
            .get("invitations/{code}", use: showInvitation)
            .post("accounts", use: create)
    }

    @Sendable func new(_ request: Request, _ context: AppContext) async throws -> Response {
        if context.identity != nil { return Responses.seeOther(context, to: context.pathAfterSignIn) }
        let destination = Destination(context.query("return"))
        let app = context.query("app").flatMap(AppName.init(rawValue:)) ?? destination.app
        let page = page(context, app: app, destination: destination, typed: .nothing)
        return try Responses.page(context, template: "accounts-register", page)
    }

    /// The page of an administrator's invitation.
    @Sendable func showInvitation(_ request: Request, _ context: AppContext) async throws -> Response {
        // A person who has just registered with it is signed in.
        if context.identity != nil, context.face != .json { return Responses.seeOther(context, to: "/") }
        guard try await invitations.isValid(try context.text("code")) else {
            guard context.face != .json else { throw AppError.notFound }
            return try Responses.page(
                context, template: "accounts-invitation-gone", status: .notFound, InvitationGonePage(context))
        }
        return try Responses.of(
            context, template: "accounts-register",
            page: {
                page(context, app: .tracking, destination: Destination(context.path), typed: .nothing)
            },
            json: { RedirectJSON(url: context.path) })
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let input = Registration(
            app: fields.string("app").value, email: fields.string("email").value,
            password: fields.string("password").value, name: fields.string("name").value,
            dateOfBirth: fields.string("dateOfBirth").value, phone: fields.string("phone").value,
            invitation: fields.string("invitation").value ?? InvitationPath(fields.typed("return"))?.code
        )
        let app = input.app.flatMap(AppName.init(rawValue:)) ?? .tracking
        let destination = Destination(fields.typed("return"), otherwise: app.root)
        let typed = ProfileFormState(fields)
        return try await Responses.form(
            context, template: "accounts-register",
            page: { error in
                page(context, app: app, destination: destination, typed: typed, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let signedIn = try await registrations.register(
                        input, device: responder.device(context), language: context.language.rawValue
                    )
                    return try await responder.signedIn(signedIn, context, destination: destination)
                }
            }
        )
    }

    private func page(
        _ context: AppContext, app: AppName, destination: Destination, typed: ProfileFormState, error: AppError? = nil
    ) -> RegisterPage {
        // A person who registers for an app continues there, with a provider too.
        let onward = destination.asked.isEmpty && app != .tracking ? Destination(app.root) : destination
        return RegisterPage(
            context, app: app, destination: destination, typed: typed,
            providers: pages.buttons(context, destination: onward, isOffer: false), error: error)
    }
}
