import Accounts
import Hummingbird
import Kernel
import Logging
import WebCore

/// Begins attempts with a provider.
struct ProviderAttemptResponder: Sendable {
    let providers: ProviderSignIn

    /// Begins an attempt, and stores its secret in the browser.
    func begin(
        to name: ProviderName, for purpose: ProviderSignIn.Purpose, destination: String, _ context: some WebContext,
        answer: (String) throws -> Response
    ) async throws -> Response {
        do {
            let departure = try await context.translating {
                try await providers.begin(
                    name, for: purpose, browser: SiteCookie.providerAttempt.value(context), destination: destination,
                    clientAddress: context.clientAddress
                )
            }
            var response = try answer(departure.url)
            response.headers.set(.providerAttempt, to: departure.browser, on: context.site)
            return response
        } catch let failure as ProviderFailure {
            context.logger.warning(
                "A provider can't be used", metadata: ["provider": "\(name.rawValue)", "failure": "\(failure)"]
            )
            throw failure
        }
    }
}
