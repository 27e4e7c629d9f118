import Kernel

/// The providers that are set up.
package struct ProviderCatalog: Sendable {
    private let providers: [ProviderName: ProviderSettings]
    private let siteURL: String

    /// - Parameter providers: the last of a name takes effect.
    init(_ providers: [ProviderSettings], siteURL: String) {
        self.providers = Dictionary(providers.map { ($0.name, $0) }) { _, last in last }
        self.siteURL = siteURL
    }

    /// The names for pages, in the order in which pages show them.
    package var summaries: [ProviderSummary] { ProviderName.allCases.compactMap { providers[$0]?.summary } }

    var names: Set<ProviderName> { Set(providers.keys) }

    /// Returns the name of a provider for pages.
    /// - Throws: ``AppError/notFound`` when it isn't set up.
    package func summary(of name: ProviderName) throws -> ProviderSummary { try settings(of: name).summary }

    func settings(of name: ProviderName) throws -> ProviderSettings {
        guard let settings = providers[name] else { throw AppError.notFound }
        return settings
    }

    /// Returns whether the provider can prove the person's presence: it must authenticate them and state the time.
    package func canConfirm(_ name: ProviderName) -> Bool {
        providers[name].map { name.canReauthenticate(at: $0.issuer) } ?? false
    }

    /// Returns the redirect URI of a provider. It must be registered there.
    func redirectURI(of name: ProviderName) -> String { "\(siteURL)/sign-in/\(name.rawValue)/callback" }
}
