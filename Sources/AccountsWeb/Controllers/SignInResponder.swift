import Accounts
import Hummingbird
import Kernel
import WebCore

/// The response to a successful sign-in: a token for a program, a cookie for a browser.
struct SignInResponder: Sendable {
    let sessions: SessionService
    let providers: ProviderCatalog
    let offers: IdentityOfferService

    /// A program gets the token in the response and no cookie. A browser gets the cookie and never sees the token.
    func device(_ context: AppContext) -> DeviceInfo {
        DeviceInfo(
            name: context.deviceName, kind: context.face == .json ? .bearer : .cookie,
            clientAddress: context.clientAddress
        )
    }

    func signedIn(
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
        try await context.endReplacedSession(sessions)
        var response = Responses.seeOther(context, to: destination.path, toast: toast)
        response.startSession(signedIn.token, context)
        response.clear(.identityOffer, sentWith: context)
        return response
    }

    /// Links the identity that was offered to the browser, once its owner has signed in another way. Returns the toast.
    func acceptOffer(_ offer: String?, of signedIn: SignedIn, _ context: AppContext) async throws -> ShellToast? {
        var linked: ProviderName?
        if let offer { linked = try await offers.accept(offer, by: signedIn.account.id) }
        return try linked.map { name in
            ShellToast(context.t("{name} is linked to your account", ["name": (try providers.summary(of: name)).label]))
        }
    }
}
