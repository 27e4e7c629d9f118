/// The particularities of each vendor.
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

    /// The requested scopes. Apple has `name` instead of `profile`. Facebook's permission for the name is
    /// `public_profile`, which every sign-in includes.
    var scopes: String {
        switch self {
        case .apple: "openid name email"
        case .google, .oidc: "openid profile email"
        case .facebook: "openid public_profile email"
        }
    }

    /// How the response comes back. When name or email is requested, Apple responds only by a form that the browser
    /// posts:
    /// developer.apple.com/documentation/signinwithapple/request-an-authorization-to-the-sign-in-with-apple-server
    var responseMode: String? { self == .apple ? "form_post" : nil }

    /// The parameters that make the provider authenticate the person again and return the time (`max_age`: OpenID
    /// Connect Core 1.0, 3.1.2.1). Google refuses `prompt=login`, but at least lets people choose an account. Facebook
    /// has a parameter of its own
    /// (https://developers.facebook.com/documentation/facebook-login/guides/advanced/re-authentication). Apple
    /// authenticates each time, and has no such parameter.
    var reauthenticationParameters: [(name: String, value: String)] {
        switch self {
        case .apple: []
        case .google: [("prompt", "select_account"), ("max_age", "0")]
        case .facebook: [("auth_type", "reauthenticate"), ("max_age", "0")]
        case .oidc: [("prompt", "login"), ("max_age", "0")]
        }
    }

    /// Whether the provider can prove that it has just authenticated the person. Without that it gives no proof. Every
    /// OpenID provider authenticates when it must and returns the time, and Apple always does. Google can't be made to
    /// authenticate (its `auth_time`, which verified apps may turn on, is that of a session that may be months old).
    /// Facebook can, but its tokens don't say so.
    /// - Google: https://developers.google.com/identity/siwg/security-bundle
    /// - Facebook: https://developers.facebook.com/documentation/facebook-login/guides/advanced/oidc-token
    func canReauthenticate(at issuer: String) -> Bool {
        switch self {
        case .apple, .oidc: true
        case .google, .facebook: issuer != standardIssuer
        }
    }

    /// Other values of `iss` that the issuer uses in tokens. Google's documentation allows the one without https:
    /// https://developers.google.com/identity/openid-connect/openid-connect#validatinganidtoken
    func aliases(of issuer: String) -> Set<String> {
        self == .google && issuer == standardIssuer ? ["accounts.google.com"] : []
    }

    /// The token endpoint, if the discovery document doesn't contain one. Facebook's contains neither that nor the
    /// client authentication methods. Its guide uses the Graph API.
    func tokenEndpoint(of issuer: String) -> String? {
        self == .facebook && issuer == standardIssuer ? "https://graph.facebook.com/oauth/access_token" : nil
    }

    /// Whether the client sends its secret in the form when the discovery document doesn't list the methods. The
    /// default of OpenID Connect is HTTP Basic; these vendors expect a form field.
    var postsSecret: Bool { self != .oidc }

    /// Returns the OAuth error code of an error of Facebook's Graph API, for an exchange of a code; `nil` for other
    /// errors. Code 101 is an unknown app. The codes 1 and 100 have several causes, which only the message tells apart:
    /// "Error validating client secret." and "Invalid verification code format." are two of them.
    /// See https://developers.facebook.com/docs/graph-api/guides/error-handling
    func oauthError(graphCode code: Int, message: String) -> String? {
        switch code {
        case 101: "invalid_client"
        case 1 where message.contains("client secret"): "invalid_client"
        case 100 where message.contains("verification code"): "invalid_grant"
        default: nil
        }
    }

    /// Returns whether an error in the response means that the person cancelled. `access_denied` is the code of OAuth
    /// (RFC 6749, 4.1.2.1), Facebook and Google. Apple has its own.
    func isCancellation(_ error: String) -> Bool {
        error == "access_denied" || error == "user_cancelled_authorize" || error == "user_denied"
    }
}
