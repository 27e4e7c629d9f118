import Storage

/// An OpenID Connect provider that can sign people in. The raw value is used in URL paths and in the database.
package enum ProviderName: String, Sendable, CaseIterable, SQLBindable, SQLReadable {
    case apple
    case google
    case facebook
    /// Any other provider, for example one that the administrator hosts.
    case oidc

    /// The vendor's name. The generic provider has its label in its settings.
    var brand: String {
        switch self {
        case .apple: "Apple"
        case .google: "Google"
        case .facebook: "Facebook"
        case .oidc: "OpenID"
        }
    }
}

/// The name of a provider for pages.
package struct ProviderSummary: Sendable, Equatable {
    package let name: ProviderName
    /// The displayed name: `Google`, or the label that the administrator gave the generic provider.
    package let label: String
}
