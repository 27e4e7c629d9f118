import Accounts
import Hummingbird
import Kernel
import Logging
import WebCore

/// Begins attempts with a provider.
struct ProviderAttemptResponder: Sendable {
    let attempts: ProviderAttemptService
    let providers: ProviderCatalog

    /// Begins an attempt, and stores its secret in the browser.
    func begin(
        _ attempt: ProviderAttempt, at name: ProviderName, destination: String, _ context: some WebContext,
        respond: (_ url: String) throws -> Response
    ) async throws -> Response {
        do {
            let redirect = try await context.translating {
                try await attempts.begin(
                    attempt, at: name, browser: SiteCookie.providerAttempt.value(context), destination: destination,
                    clientAddress: context.clientAddress
                )
            }
            var response = try respond(redirect.url)
            response.headers.set(.providerAttempt, to: redirect.browser, on: context.site)
            return response
        } catch let failure as ProviderFailure {
            context.logger.warning(
                "A provider can't be used", metadata: ["provider": "\(name.rawValue)", "failure": "\(failure)"]
            )
            throw failure
        }
    }

    /// Begins an attempt of a signed-in person.
    /// - Parameter back: the path on this site to return to.
    func begin(
        _ attempt: ProviderAttempt, at name: ProviderName, back: String, _ context: SignedInContext
    ) async throws -> Response {
        let provider = try providers.summary(of: name)
        do {
            return try await begin(attempt, at: name, destination: back, context) { url in
                if context.face == .json {
                    return try Responses.json(context, RedirectJSON(url: url), status: .created)
                }
                // Scripts follow the redirect. The CSP allows a plain form to be answered only by a page of this site.
                if context.header(.hxBoosted) != nil || context.face == .fragment {
                    return Responses.seeOther(context, to: url)
                }
                return try Responses.page(
                    context, template: "accounts-departure",
                    ProviderRedirectPage(context, provider, url: url, back: back))
            }
        } catch is ProviderFailure {
            let text = context.t(
                "{name} can’t be reached right now. Try again later, or sign in another way.", ["name": provider.label])
            if context.face == .json { throw AppError(.unavailable, text) }
            return Responses.seeOther(context, to: back, toast: ShellToast(text, isProblem: true))
        }
    }
}
