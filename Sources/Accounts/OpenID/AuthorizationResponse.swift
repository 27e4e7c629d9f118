/// The parameters of a provider's authorization response. They are not verified.
package struct AuthorizationResponse: Sendable {
    /// The `state` of the request.
    package let state: String?
    /// The authorization code.
    package let code: String?
    /// The error, in place of a code.
    package let error: String?
    /// The `iss` parameter (RFC 9207).
    package let issuer: String?
    /// The person's name as JSON. Only Apple sends it, and only the first time.
    package let user: String?

    package init(
        state: String?, code: String? = nil, error: String? = nil, issuer: String? = nil, user: String? = nil
    ) {
        self.state = state
        self.code = code
        self.error = error
        self.issuer = issuer
        self.user = user
    }
}
