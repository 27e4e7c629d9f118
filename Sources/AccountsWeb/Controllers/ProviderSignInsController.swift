import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/sign-in/{provider}`: sign-in through a provider, and the return from every attempt.
struct ProviderSignInsController: Sendable {
    let providers: ProviderCatalog
    let callbacks: ProviderCallbackService
    let responder: SignInResponder
    let attempts: ProviderAttemptResponder

    func addRoutes(to routes: Routes) {
        for name in ProviderName.allCases {
            routes.openWhileLocked
                .get(RouterPath("sign-in/\(name.rawValue)")) { _, context in
                    try await begin(name, context)
                }
                .get(RouterPath("sign-in/\(name.rawValue)/callback")) { _, context in
                    try await finish(name, context)
                }
        }
        // The only post that comes from another website. It must not be checked by its origin, and gets no session.
        routes.device.post("sign-in/apple/callback", use: redirectPost)
    }

    private func begin(_ name: ProviderName, _ context: AppContext) async throws -> Response {
        let provider = try providers.summary(of: name)
        let destination = Destination(context.query("return"))
        if context.isLetIn { return Responses.seeOther(context, to: context.pathAfterSignIn) }
        // HEAD must not begin an attempt.
        guard context.head.method == .get else { return Responses.noContent(context) }
        // Another website must not begin one either: it could make each of its visitors cause requests to the provider.
        guard !CrossOriginProtection.isCrossOrigin(context.head) else {
            return Responses.seeOther(context, to: destination.carried(to: "/sign-in"))
        }
        let offer = context.query("link") == nil ? nil : SiteCookie.identityOffer.value(context)
        do {
            return try await attempts.begin(
                .signIn(offer: offer), at: name, destination: destination.asked, context
            ) { Responses.seeOther(context, to: $0) }
        } catch is ProviderFailure {
            return redirectToSignIn(.unavailable, provider, destination: destination, context)
        }
    }

    /// Redirects Apple's post to a GET of this site, with which the cookie is sent. Nothing is validated or stored
    /// here.
    @Sendable func redirectPost(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try providers.summary(of: .apple)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let query = ["state", "code", "error", "user"].compactMap { name in
            fields.string(name).value.map { "\(name)=\(PercentEncoding.encoded($0))" }
        }
        let target = "/sign-in/apple/callback?" + query.joined(separator: "&")
        guard target.utf8.count <= Limits.providerTokenBytes else {
            throw AppError(.tooLarge, AccountMessage.linkUnknown.text)
        }
        return Response(
            status: .seeOther, headers: [.location: target, .cacheControl: "no-store", .referrerPolicy: "no-referrer"]
        )
    }

    private func finish(_ name: ProviderName, _ context: AppContext) async throws -> Response {
        let provider = try providers.summary(of: name)
        guard context.head.method == .get else { return Responses.noContent(context) }
        let authorization = AuthorizationResponse(
            state: context.query("state"), code: context.query("code"), error: context.query("error"),
            issuer: context.query("iss"), user: context.query("user")
        )
        let device = DeviceInfo(name: context.deviceName, kind: .cookie, clientAddress: context.clientAddress)
        let outcome = try await context.translating {
            try await context.web.metrics.countingFailures(of: .provider) {
                try await callbacks.finish(
                    name, authorization, browser: SiteCookie.providerAttempt.value(context), device: device,
                    defaultName: context.t("No name yet")
                )
            }
        }
        if case (.signIn, .refused) = (outcome.purpose, outcome.result) {
            context.web.metrics.countFailedSignIn(.provider)
        }
        var response = try await respond(to: outcome, provider, context)
        response.clear(.providerAttempt, sentWith: context)
        // The URL contains a code. It is used up, but must not be sent to other sites.
        response.headers[.referrerPolicy] = "no-referrer"
        return response
    }

    private func respond(
        to outcome: ProviderOutcome, _ provider: ProviderSummary, _ context: AppContext
    ) async throws -> Response {
        let destination = Destination(outcome.destination)
        switch (outcome.purpose, outcome.result) {
        case (_, .signedIn(let signedIn, let linked)):
            let toast = try linked.map {
                ShellToast(
                    context.t("{name} is linked to your account", ["name": (try providers.summary(of: $0)).label]))
            }
            return try await responder.startBrowserSession(signedIn, context, destination: destination, toast: toast)
        case (_, .offered(let code)):
            var response = redirectToSignIn(.offered, provider, destination: destination, context)
            response.headers.set(.identityOffer, to: code, on: context.site)
            return response
        case (_, .linked):
            let toast = ShellToast(context.t("{name} is linked to your account", ["name": provider.label]))
            return Responses.seeOther(context, to: destination.path, toast: toast)
        case (_, .confirmed):
            return Responses.seeOther(context, to: destination.path)
        case (.signIn, .cancelled):
            return redirectToSignIn(.cancelled, provider, destination: destination, context)
        case (.signIn, .refused(let refusal)):
            return redirectToSignIn(SignInOutcome(refusal), provider, destination: destination, context)
        case (_, .cancelled):
            let toast = ShellToast(
                context.t("You cancelled signing in with {name}. Nothing was saved.", ["name": provider.label]))
            return Responses.seeOther(context, to: destination.path, toast: toast)
        case (_, .refused(let refusal)):
            let toast = ShellToast(refusal.text(provider, context.t), isProblem: true)
            return Responses.seeOther(context, to: destination.path, toast: toast)
        }
    }

    /// Redirects to the sign-in page, which shows the outcome.
    private func redirectToSignIn(
        _ outcome: SignInOutcome, _ provider: ProviderSummary, destination: Destination, _ context: AppContext
    ) -> Response {
        let back = destination.asked.isEmpty ? "" : "&return=\(PercentEncoding.encoded(destination.asked))"
        return Responses.seeOther(
            context, to: "/sign-in?provider=\(provider.name.rawValue)&outcome=\(outcome.rawValue)\(back)")
    }
}

extension SignInOutcome {
    init(_ refusal: ProviderRejection) {
        switch refusal {
        case .unavailable: self = .unavailable
        case .expired: self = .expired
        case .closed: self = .closed
        case .uninvited: self = .uninvited
        case .disabled: self = .disabled
        case .failed, .taken, .stranger, .stale: self = .failed
        }
    }
}

extension ProviderRejection {
    func text(_ provider: ProviderSummary, _ t: Translator) -> String {
        let text =
            switch self {
            case .taken:
                t("{name} could not be linked: it belongs to another account here, or you have one linked already.")
            case .stranger: t("That is not the {name} account that is linked to yours.")
            case .stale:
                t("{name} didn’t say that it has just asked you who you are. Nothing was done. Try again there.")
            case .expired, .failed, .unavailable, .closed, .uninvited, .disabled:
                SignInOutcome(self).text(t)
            }
        return Translator.filled(text, ["name": provider.label])
    }
}
