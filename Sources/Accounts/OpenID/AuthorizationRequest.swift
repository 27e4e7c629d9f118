/// The authorization request (OpenID Connect Core 1.0, 3.1.2.1; RFC 7636, 4.3).
struct AuthorizationRequest {
    let provider: ProviderSettings
    /// The authorization endpoint in the provider's discovery document.
    let endpoint: String
    let redirectURI: String
    let secrets: AttemptSecrets
    let requiresReauthentication: Bool

    var url: String {
        var query: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", provider.clientID), ("redirect_uri", redirectURI),
            ("scope", provider.name.scopes), ("state", secrets.state), ("nonce", secrets.nonce),
            ("code_challenge", secrets.challenge), ("code_challenge_method", "S256"),
        ]
        if let mode = provider.name.responseMode { query.append(("response_mode", mode)) }
        if requiresReauthentication { query += provider.name.reauthenticationParameters }
        let separator = endpoint.contains("?") ? "&" : "?"
        return endpoint + separator + FormText.encoded(query)
    }
}
