import Storage

/// A service that can vouch for a person by OpenID Connect. The raw value stands in paths and in the store.
package enum ProviderName: String, Sendable, CaseIterable, SQLBindable, SQLReadable {
    /// Sign in with Apple.
    case apple
    /// Google.
    case google
    /// Facebook.
    case facebook
    /// Any other one, such as a self-hoster's own.
    case oidc

    /// What people call it; the generic one gets its name from its settings.
    var brand: String {
        switch self {
        case .apple: "Apple"
        case .google: "Google"
        case .facebook: "Facebook"
        case .oidc: "OpenID"
        }
    }
}

/// A provider as pages name it.
package struct ProviderFace: Sendable, Equatable {
    /// Which one.
    package let name: ProviderName
    /// What people call it: `Google`, or what the operator calls a generic one.
    package let label: String
}
