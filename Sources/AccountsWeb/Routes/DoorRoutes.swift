import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import WebCore

/// The routes of the start page, registration, sign-in and sign-out.
extension AccountsPages {
    func addSignInRoutes(to routes: Routes) {
        routes.open
            .get("/", use: start)
            .get("register", use: showRegister)
            .post("accounts", use: register)
        routes.openWhileLocked
            .get("sign-in", use: showSignIn)
            .post("session", use: signIn)
        routes.whileLocked.delete("session", use: signOut)
    }

    @Sendable func start(_ request: Request, _ context: AppContext) async throws -> Response {
        if context.isChild { return Responses.seeOther(context, to: "/family") }
        return try Responses.page(context, template: "accounts-start", StartPage(context))
    }

    @Sendable func showSignIn(_ request: Request, _ context: AppContext) async throws -> Response {
        if context.isLetIn { return Responses.seeOther(context, to: onward(context)) }
        let page = try await signInPage(context, destination: Destination(context.query("return")))
        return try Responses.page(context, template: "accounts-sign-in", page)
    }

    @Sendable func showRegister(_ request: Request, _ context: AppContext) async throws -> Response {
        if context.identity != nil { return Responses.seeOther(context, to: onward(context)) }
        let destination = Destination(context.query("return"))
        let app = context.query("app").flatMap(AppName.init(rawValue:)) ?? destination.app
        let page = registerPage(context, app: app, destination: destination, typed: .nothing)
        return try Responses.page(context, template: "accounts-register", page)
    }

    private func registerPage(
        _ context: AppContext, app: AppName, destination: Destination, typed: ProfileFormState, error: AppError? = nil
    ) -> RegisterPage {
        // A person who registers for an app continues there, with a provider too.
        let onward = destination.asked.isEmpty && app != .tracking ? Destination(app.root) : destination
        return RegisterPage(
            context, app: app, destination: destination, typed: typed,
            providers: providerButtons(context, destination: onward, isOffer: false), error: error)
    }

    /// Returns the path for a person who is already signed in.
    func onward(_ context: AppContext) -> String {
        guard context.isChild else { return Destination(context.query("return")).path }
        return Destination(context.query("return"), otherwise: "/family").path
    }

    @Sendable func register(_ request: Request, _ context: AppContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let input = Registration(
            app: fields.string("app").value, email: fields.string("email").value,
            password: fields.string("password").value, name: fields.string("name").value,
            dateOfBirth: fields.string("dateOfBirth").value, phone: fields.string("phone").value,
            invitation: fields.string("invitation").value ?? InvitationPath.code(in: fields.typed("return"))
        )
        let app = input.app.flatMap(AppName.init(rawValue:)) ?? .tracking
        let destination = Destination(fields.typed("return"), otherwise: app.root)
        let typed = ProfileFormState(fields)
        return try await Responses.form(
            context, template: "accounts-register",
            page: { error in
                registerPage(context, app: app, destination: destination, typed: typed, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let signedIn = try await accounts.register(
                        input, device: device(context), language: context.language.rawValue
                    )
                    return try await welcome(signedIn, context, destination: destination)
                }
            }
        )
    }

    @Sendable func signIn(_ request: Request, _ context: AppContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let email = fields.string("email").value
        let password = fields.string("password").value
        let destination = Destination(fields.typed("return"))
        let typedEmail = fields.typed("email")
        let offer = fields.typed("link").isEmpty ? nil : ProviderCookie.offer.value(context)
        return try await Responses.form(
            context, template: "accounts-sign-in",
            page: { error in
                try await signInPage(
                    context, email: typedEmail, destination: destination, isOffer: offer != nil,
                    error: error.withoutFieldErrors(context.language))
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let signedIn = try await accounts.signIn(email: email, password: password, device: device(context))
                    var linked: ProviderName?
                    if let offer { linked = try await providers.accept(offer, by: signedIn.account.id) }
                    let toast = try linked.map { name in
                        ShellToast(context.providerStrings.nowLinked.naming(try providers.face(name)))
                    }
                    return try await welcome(signedIn, context, destination: destination, toast: toast)
                }
            }
        )
    }

    @Sendable func signOut(_ request: Request, _ context: SignedInContext) async throws -> Response {
        // Signing out ignores errors in the form: it never fails.
        let fields = try? await Fields.read(request, context, emptyAllowed: true)
        let destination = Destination(fields?.typed("return"), otherwise: "/")
        try await accounts.signOut(context.actor)
        var response = Responses.removed(
            context, seeOther: destination.path, toast: ShellToast(context.strings.signedOut))
        if context.session.kind == .cookie { response.endSession(context) }
        return response
    }

    /// A program gets the token in the response and no cookie. A browser gets the cookie and never sees the token.
    func device(_ context: AppContext) -> DeviceInfo {
        DeviceInfo(
            name: context.deviceName, kind: context.face == .json ? .bearer : .cookie,
            clientAddress: context.clientAddress
        )
    }

    func welcome(
        _ signedIn: SignedIn, _ context: AppContext, destination: Destination, toast: ShellToast? = nil
    ) async throws -> Response {
        guard context.face != .json else {
            return try Responses.json(
                context, SignedInJSON(signedIn), status: .created, version: signedIn.account.version)
        }
        return try await startBrowserSession(signedIn, context, destination: destination, toast: toast)
    }

    /// Starts the session of a browser and redirects to the destination.
    func startBrowserSession(
        _ signedIn: SignedIn, _ context: AppContext, destination: Destination, toast: ShellToast? = nil
    ) async throws -> Response {
        // The browser's previous session loses its cookie here. It ends, so that it doesn't stay behind unused.
        if let before = context.identity, before.session.kind == .cookie {
            let actor = Actor(person: before.account.id, session: before.session.id, role: before.account.role)
            try await accounts.signOut(actor)
        }
        var response = Responses.seeOther(context, to: destination.path, toast: toast)
        response.startSession(signedIn.token, context)
        response.clear(.offer, context)
        return response
    }

    func signInPage(
        _ context: AppContext, email: String = "", destination: Destination, isOffer: Bool = false,
        error: AppError? = nil
    ) async throws -> SignInPage {
        let notice = isOffer ? try await offerNotice(context) : try await notice(context)
        let buttons = providerButtons(context, destination: destination, isOffer: notice?.isOffer ?? false)
        return SignInPage(
            context, email: email, destination: destination, providers: buttons, notice: notice, error: error)
    }
}

extension AppError {
    /// Returns the same error for a malformed email as for an unknown one: no field says which of the two was wrong.
    fileprivate func withoutFieldErrors(_ language: Language) -> AppError {
        guard code == .invalid, !fields.isEmpty else { return self }
        return AppError(.unauthenticated, AccountMessage.credentialsWrong.rawValue).translated(to: language)
    }
}

/// The path to continue with after sign-in: the requested one if it is a path on this site, otherwise the default.
struct Destination: Sendable {
    let path: String
    /// The requested path, for the forms; empty for the default.
    let asked: String

    /// - Parameter otherwise: the default path.
    init(_ asked: String?, otherwise: String = "/tracking/items") {
        let checked = LocalPath(asked ?? "")?.text
        path = checked ?? otherwise
        self.asked = checked ?? ""
    }
}
