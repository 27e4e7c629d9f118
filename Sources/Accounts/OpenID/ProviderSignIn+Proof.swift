import Foundation
import Kernel
import Storage

/// The exchange of an authorization code for a verified identity.
extension ProviderSignIn {
    private struct TokenResponse: Decodable {
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

    private struct UserInfo: Decodable {
        private enum CodingKeys: String, CodingKey {
            case sub
        }

        let subject: String
        let profile: ProviderProfile

        init(from decoder: any Decoder) throws {
            subject = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .sub)
            profile = try ProviderProfile(from: decoder)
        }
    }

    /// The verified result of an exchange.
    struct Proof: Sendable {
        let identity: ProvenIdentity
        fileprivate let profile: ProviderProfile
        fileprivate let accessToken: String?
    }

    /// Exchanges a code for a token and verifies it.
    func prove(
        _ provider: ProviderSettings, code: String, answerIssuer: String?, _ secrets: AttemptSecrets,
        _ attempt: StoredAttempt
    ) async throws(ProviderFailure) -> Proof {
        let metadata = try await directory.metadata(of: provider)
        // RFC 9207: the response comes from another provider, which only wants to obtain the code.
        guard answerIssuer == nil || answerIssuer == provider.issuer,
            metadata.namesIssuer != true || answerIssuer != nil
        else { throw .token(.issuer) }
        let answer = try await exchange(code, secrets, provider, metadata)
        let claims = try await claims(of: answer.idToken, provider)
        let check = IDTokenCheck(
            issuers: provider.name.aliases(of: provider.issuer).union([provider.issuer]), clientID: provider.clientID,
            nonce: secrets.nonce, now: accounts.clock.now,
            freshSince: attempt.requiresReauthentication ? Double(attempt.begunAt.millisecondsSince1970) / 1_000 : nil
        )
        do throws(IDTokenError) {
            try check.check(claims)
        } catch {
            throw .token(error)
        }
        let identity = ProvenIdentity(
            provider: provider.name, issuer: provider.issuer, subject: claims.subject, email: claims.profile.email,
            isEmailVerified: claims.profile.isEmailVerified, name: claims.profile.name
        )
        return Proof(identity: identity, profile: claims.profile, accessToken: answer.accessToken)
    }

    /// Returns the identity, completed with the claims of the userinfo endpoint (OpenID Connect Core 1.0, 5.3).
    func completed(_ proof: Proof, _ provider: ProviderSettings) async throws(ProviderFailure) -> ProvenIdentity {
        guard proof.profile.email == nil || proof.profile.name == nil, let accessToken = proof.accessToken,
            let endpoint = try await directory.metadata(of: provider).userinfoEndpoint
        else { return proof.identity }
        let reply = try await transport.send(ProviderRequest(endpoint, authorization: "Bearer \(accessToken)"))
        guard reply.status == 200, let info = try? JSONDecoder().decode(UserInfo.self, from: Data(reply.body)) else {
            throw .unusable("userinfo: status \(reply.status)")
        }
        guard info.subject == proof.identity.subject else { throw .token(.subject) }
        var profile = proof.profile
        profile.complete(by: info.profile)
        var identity = proof.identity
        identity.email = profile.email
        identity.isEmailVerified = profile.isEmailVerified
        identity.name = profile.name
        return identity
    }

    private func claims(
        of token: String, _ provider: ProviderSettings
    ) async throws(ProviderFailure) -> IDTokenClaims {
        let header: IDTokenHeader
        do throws(IDTokenError) {
            header = try IDTokenHeader.of(token)
        } catch {
            throw .token(error)
        }
        let key = try await directory.key(header.keyID, header.algorithm, of: provider)
        do {
            return try await key.verified(token)
        } catch is DecodingError {
            throw .token(.malformed)
        } catch {
            throw .token(.signature)
        }
    }

    /// Exchanges the code at the token endpoint (OpenID Connect Core 1.0, 3.1.3.1; RFC 7636, 4.5).
    private func exchange(
        _ code: String, _ secrets: AttemptSecrets, _ provider: ProviderSettings, _ metadata: ProviderMetadata
    ) async throws(ProviderFailure) -> TokenResponse {
        guard let endpoint = metadata.tokenEndpoint ?? provider.name.tokenEndpoint(of: provider.issuer) else {
            throw .unusable("discovery: no token endpoint")
        }
        var form: [(name: String, value: String)] = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", callback(provider.name)),
            ("client_id", provider.clientID), ("code_verifier", secrets.verifier),
        ]
        var authorization: String?
        if let secret = try await secret(of: provider) {
            if postsSecret(provider, metadata) {
                form.append(("client_secret", secret))
            } else {
                // RFC 6749, 2.3.1: both are form-encoded before they are joined.
                let pair = "\(FormText.encoded(provider.clientID)):\(FormText.encoded(secret))"
                authorization = "Basic \(Data(pair.utf8).base64EncodedString())"
            }
        }
        let request = ProviderRequest(endpoint, form: form, authorization: authorization)
        let reply = try await transport.send(request)
        guard reply.status == 200 else { throw refusal(reply) }
        do {
            return try JSONDecoder().decode(TokenResponse.self, from: Data(reply.body))
        } catch {
            throw .unusable("token")
        }
    }

    private func postsSecret(_ provider: ProviderSettings, _ metadata: ProviderMetadata) -> Bool {
        guard let methods = metadata.authenticationMethods else { return provider.name.postsSecret }
        return methods.contains("client_secret_post")
    }

    private func secret(of provider: ProviderSettings) async throws(ProviderFailure) -> String? {
        switch provider.credential {
        case .none: return nil
        case .secret(let secret): return secret
        case .signed(let key):
            do {
                return try await key.secret(
                    clientID: provider.clientID, issuer: provider.issuer,
                    now: accounts.clock.now.millisecondsSince1970 / 1_000
                )
            } catch {
                throw .unusable("the client's own key")
            }
        }
    }

    private func refusal(_ reply: ProviderReply) -> ProviderFailure {
        guard (400..<500).contains(reply.status),
            let answer = try? JSONDecoder().decode(ErrorResponse.self, from: Data(reply.body)),
            answer.error.utf8.count <= 60, answer.error.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "_") })
        else { return .unusable("token: status \(reply.status)") }
        return .refused(answer.error)
    }
}
