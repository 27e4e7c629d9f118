import Foundation
import Kernel

/// Exchanges authorization codes for tokens at a provider (OpenID Connect Core 1.0, 3.1.3.1; RFC 7636, 4.5).
struct ProviderTokenClient: Sendable {
    struct TokenResponse: Decodable, Sendable {
        private enum CodingKeys: String, CodingKey {
            case idToken = "id_token"
            case accessToken = "access_token"
        }

        let idToken: String
        let accessToken: String?
    }

    private struct ErrorResponse: Decodable {
        let error: String
    }

    /// An error of Facebook's Graph API, which doesn't use the codes of OAuth.
    /// See https://developers.facebook.com/docs/graph-api/guides/error-handling
    private struct GraphErrorResponse: Decodable {
        struct Details: Decodable {
            let message: String
            let type: String
            let code: Int
        }

        let error: Details
    }

    let providers: ProviderCatalog
    let transport: any ProviderTransport
    let clock: any WallClock

    /// Exchanges a code at the token endpoint.
    func exchange(
        _ code: String, _ secrets: AttemptSecrets, _ provider: ProviderSettings, _ metadata: ProviderMetadata
    ) async throws(ProviderFailure) -> TokenResponse {
        guard let endpoint = metadata.tokenEndpoint ?? provider.name.tokenEndpoint(of: provider.issuer) else {
            throw .unusable("discovery: no token endpoint")
        }
        var form: [(name: String, value: String)] = [
            ("grant_type", "authorization_code"), ("code", code),
            ("redirect_uri", providers.redirectURI(of: provider.name)), ("client_id", provider.clientID),
            ("code_verifier", secrets.verifier),
        ]
        var authorization: String?
        if let secret = try await secret(of: provider) {
            if postsSecret(provider, metadata) {
                form.append(("client_secret", secret))
            } else {
                // RFC 6749, 2.3.1: both are form-encoded before they are joined.
                let pair = "\(PercentEncoding.encoded(provider.clientID)):\(PercentEncoding.encoded(secret))"
                authorization = "Basic \(Data(pair.utf8).base64EncodedString())"
            }
        }
        let reply = try await transport.send(
            ProviderRequest(endpoint, of: provider.issuer, form: form, authorization: authorization))
        guard reply.status == 200 else { throw failure(reply, of: provider.name) }
        guard let response = JSONSyntax.decoded(TokenResponse.self, reply.body) else { throw .unusable("token") }
        return response
    }

    private func postsSecret(_ provider: ProviderSettings, _ metadata: ProviderMetadata) -> Bool {
        guard let methods = metadata.authenticationMethods else { return provider.name.postsSecret }
        return methods.contains("client_secret_post")
    }

    /// Returns the client secret; `nil` for a public client.
    private func secret(of provider: ProviderSettings) async throws(ProviderFailure) -> String? {
        switch provider.credential {
        case .none: return nil
        case .secret(let secret): return secret
        case .signed(let key):
            do {
                return try await key.secret(
                    clientID: provider.clientID, issuer: provider.issuer, now: clock.now.millisecondsSince1970 / 1_000)
            } catch {
                throw .clientKey
            }
        }
    }

    private func failure(_ reply: ProviderReply, of name: ProviderName) -> ProviderFailure {
        if name == .facebook, let response = JSONSyntax.decoded(GraphErrorResponse.self, reply.body) {
            let error = response.error
            return name.oauthError(graphCode: error.code, message: error.message).map(ProviderFailure.refused)
                ?? .unusable("token: \(error.type) \(error.code)")
        }
        guard (400..<500).contains(reply.status),
            let response = JSONSyntax.decoded(ErrorResponse.self, reply.body),
            response.error.utf8.count <= 60, response.error.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "_") })
        else { return .unusable("token: status \(reply.status)") }
        return .refused(response.error)
    }
}
