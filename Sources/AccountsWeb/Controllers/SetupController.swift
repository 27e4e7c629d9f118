import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/setup`: creates the administrator's account of a new server.
struct SetupController: Sendable {
    let setup: SetupService
    let responder: SignInResponder

    func addRoutes(to routes: RouteGroup<AppContext>) {
        routes
            .get("setup", use: show)
            .post("setup", use: create)
    }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let isOpen = try await setup.isOpen()
        guard isOpen || context.face == .json else { return Responses.seeOther(context, to: "/") }
        return try Responses.of(
            context, template: "accounts-setup",
            page: { SetupPage(context, typed: .nothing, mode: nil, fixedMode: setup.fixedMode, error: nil) },
            json: { SetupJSON(isOpen: isOpen, registration: setup.fixedMode?.rawValue) }
        )
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let input = SetupInput(
            code: fields.string("code").value, email: fields.string("email").value,
            password: fields.string("password").value, name: fields.string("name").value,
            registration: fields.string("registration").value)
        let typed = SetupFormState(profile: ProfileFormState(fields), code: fields.typed("code"))
        return try await Responses.form(
            context, template: "accounts-setup",
            page: { error in
                SetupPage(
                    context, typed: typed, mode: input.registration, fixedMode: setup.fixedMode, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let signedIn = try await setup.setUp(
                        input, device: responder.device(context), language: context.language.rawValue)
                    return try await responder.signedIn(
                        signedIn, context, destination: Destination("/admin"),
                        toast: ShellToast(context.t("This server is set up")))
                }
            }
        )
    }
}

/// Whether the server can be set up.
struct SetupJSON: Encodable {
    let isOpen: Bool
    /// The mode of registration that the settings prescribe.
    let registration: String?

    private enum CodingKeys: String, CodingKey {
        case isOpen = "open"
        case registration
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(isOpen, forKey: .isOpen)
        try object.encode(registration, forKey: .registration)
    }
}
