import Accounts
import Hummingbird
import Kernel
import WebCore

/// Builds the page for sign-in, with the buttons of the providers and the outcome of an attempt with one of them.
struct SignInPageBuilder: Sendable {
    let providers: ProviderCatalog
    let offers: IdentityOfferService

    func page(
        _ context: AppContext, email: String = "", destination: Destination, isOffer: Bool = false,
        error: AppError? = nil
    ) async throws -> SignInPage {
        let notice = isOffer ? try await offerNotice(context) : try await notice(context)
        let buttons = buttons(context, destination: destination, isOffer: notice?.isOffer ?? false)
        return SignInPage(
            context, email: email, destination: destination, providers: buttons, notice: notice, error: error)
    }

    /// Returns the buttons of the providers.
    func buttons(_ context: AppContext, destination: Destination, isOffer: Bool) -> [ProviderButton] {
        return providers.summaries.map { provider in
            var pairs: [String] = []
            if !destination.asked.isEmpty { pairs.append("return=\(PercentEncoding.encoded(destination.asked))") }
            if isOffer { pairs.append("link=yes") }
            let query = pairs.isEmpty ? "" : "?\(pairs.joined(separator: "&"))"
            return ProviderButton(
                provider, url: "/sign-in/\(provider.name.rawValue)\(query)",
                spoken: context.t("Sign in with {name}", ["name": provider.label]))
        }
    }

    /// Returns the message for the outcome in the page's URL.
    private func notice(_ context: AppContext) async throws -> ProviderNotice? {
        guard let outcome = context.query("outcome").flatMap(SignInOutcome.init(rawValue:)) else { return nil }
        if outcome == .offered { return try await offerNotice(context) }
        guard let name = context.query("provider").flatMap(ProviderName.init(rawValue:)),
            let provider = try? providers.summary(of: name)
        else { return nil }
        return ProviderNotice(outcome, provider, context.t)
    }

    /// Returns the message about an offered identity.
    private func offerNotice(_ context: AppContext) async throws -> ProviderNotice? {
        guard let code = SiteCookie.identityOffer.value(context), let offer = try await offers.offer(code) else {
            return nil
        }
        return ProviderNotice(.offered, offer.provider, email: offer.email, context.t)
    }
}
