import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/sign-in/passkey`: sign-in by a passkey.
struct PasskeySignInsController: Sendable {
    let signIns: PasskeySignInService
    let pages: SignInPageBuilder
    let responder: SignInResponder

    func addRoutes(to openWhileLocked: RouteGroup<AppContext>) {
        openWhileLocked
            .post("sign-in/passkey/challenge", use: createChallenge)
            .post("sign-in/passkey", use: create)
    }

    @Sendable func createChallenge(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try await Fields.read(request, context, emptyAllowed: true)
        return try await context.translating {
            let (options, browser) = try await signIns.begin(
                browser: SiteCookie.passkeyChallenge.value(context), clientAddress: context.clientAddress)
            var response = try Responses.json(context, options, status: .created)
            response.headers.set(.passkeyChallenge, to: browser, on: context.site)
            return response
        }
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let assertion = fields.passkeyAssertion()
        let destination = Destination(fields.typed("return"))
        let offer = fields.typed("link").isEmpty ? nil : SiteCookie.identityOffer.value(context)
        return try await Responses.form(
            context, template: "accounts-sign-in",
            page: { error in
                try await pages.page(context, destination: destination, isOffer: offer != nil, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let signedIn = try await context.web.metrics.countingFailures(of: .passkey) {
                        try await signIns.signIn(
                            assertion, browser: SiteCookie.passkeyChallenge.value(context),
                            device: responder.device(context))
                    }
                    let toast = try await responder.acceptOffer(offer, of: signedIn, context)
                    var response = try await responder.signedIn(
                        signedIn, context, destination: destination, toast: toast)
                    response.clear(.passkeyChallenge, sentWith: context)
                    return response
                }
            }
        )
    }
}
