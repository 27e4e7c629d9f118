/// What each vendor does in its own way.
extension ProviderName {
    /// The vendor's issuer identifier.
    /// - Apple: https://appleid.apple.com/.well-known/openid-configuration
    /// - Google: https://developers.google.com/identity/openid-connect/openid-connect
    /// - Facebook: https://developers.facebook.com/documentation/facebook-login/guides/advanced/oidc-token
    package var standardIssuer: String? {
        switch self {
        case .apple: "https://appleid.apple.com"
        case .google: "https://accounts.google.com"
        case .facebook: "https://www.facebook.com"
        case .oidc: nil
        }
    }

    /// What is asked for. Apple knows `name` instead of `profile`; Facebook's permission for the name is
    /// `public_profile`, and comes with every sign-in.
    var scopes: String {
        switch self {
        case .apple: "openid name email"
        case .google, .oidc: "openid profile email"
        case .facebook: "openid public_profile email"
        }
    }

    /// How the answer comes back. Where name or email is asked for, Apple only answers by a form that the browser posts;
    /// see developer.apple.com/documentation/signinwithapple/request-an-authorization-to-the-sign-in-with-apple-server
    var responseMode: String? { self == .apple ? "form_post" : nil }

    /// What makes the provider ask again who is there, and say when (`max_age`: OpenID Connect Core 1.0, 3.1.2.1).
    /// Google refuses `prompt=login`, and lets people at least choose; Facebook has a parameter of its own
    /// (https://developers.facebook.com/documentation/facebook-login/guides/advanced/re-authentication);
    /// Apple asks each time, and knows none.
    var askingAgain: [(name: String, value: String)] {
        switch self {
        case .apple: []
        case .google: [("prompt", "select_account"), ("max_age", "0")]
        case .facebook: [("auth_type", "reauthenticate"), ("max_age", "0")]
        case .oidc: [("prompt", "login"), ("max_age", "0")]
        }
    }

    /// Whether it can show that it has just asked the person who they are, without which it confirms nothing. Any
    /// OpenID provider asks when it must and says when it did, and Apple does always. Google can't be made to ask
    /// (its `auth_time`, which verified apps may turn on, is that of a session which may be months old), and Facebook
    /// can, but its tokens don't say so.
    /// - Google: https://developers.google.com/identity/siwg/security-bundle
    /// - Facebook: https://developers.facebook.com/documentation/facebook-login/guides/advanced/oidc-token
    func asksAgain(at issuer: String) -> Bool {
        switch self {
        case .apple, .oidc: true
        case .google, .facebook: issuer != standardIssuer
        }
    }

    /// Further names by which the issuer calls itself in tokens. Google's documentation allows the one without https:
    /// https://developers.google.com/identity/openid-connect/openid-connect#validatinganidtoken
    func aliases(of issuer: String) -> Set<String> {
        self == .google && issuer == standardIssuer ? ["accounts.google.com"] : []
    }

    /// Where codes are exchanged, if the discovery document doesn't say. Facebook's doesn't, nor how clients show who
    /// they are; its guide sends them to the Graph API.
    func tokenEndpoint(of issuer: String) -> String? {
        self == .facebook && issuer == standardIssuer ? "https://graph.facebook.com/oauth/access_token" : nil
    }

    /// How the client shows its secret where the discovery document doesn't say: OpenID Connect means by HTTP Basic
    /// then, these by a field of the form.
    var postsSecret: Bool { self != .oidc }

    /// Whether an error that comes back means that the person changed their mind. `access_denied` is OAuth's (RFC 6749,
    /// 4.1.2.1), and Facebook's and Google's; Apple has a word of its own.
    func isCancellation(_ error: String) -> Bool {
        error == "access_denied" || error == "user_cancelled_authorize" || error == "user_denied"
    }
}
