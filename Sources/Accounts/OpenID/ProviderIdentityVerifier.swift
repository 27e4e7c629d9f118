import Kernel

/// Obtains the identity that an authorization code stands for, and verifies it.
struct ProviderIdentityVerifier: Sendable {
    /// The verified result of an exchange.
    struct VerifiedToken: Sendable {
        let identity: ProvenIdentity
        fileprivate let profile: ProviderProfile
        fileprivate let accessToken: String?
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

    let tokens: ProviderTokenClient
    let metadata: ProviderMetadataCache
    let transport: any ProviderTransport
    let clock: any WallClock

    /// Exchanges a code for a token and verifies it.
    /// - Parameter responseIssuer: the issuer that the authorization response names.
    func verify(
        _ code: String, from provider: ProviderSettings, responseIssuer: String?, _ secrets: AttemptSecrets,
        _ attempt: StoredAttempt
    ) async throws(ProviderFailure) -> VerifiedToken {
        let metadata = try await metadata.metadata(of: provider)
        // RFC 9207: the response comes from another provider, which only wants to obtain the code.
        guard responseIssuer == nil || responseIssuer == provider.issuer,
            metadata.namesIssuer != true || responseIssuer != nil
        else { throw .token(.issuer) }
        let response = try await tokens.exchange(code, secrets, provider, metadata)
        let claims = try await claims(of: response.idToken, provider)
        let check = IDTokenCheck(
            issuers: provider.name.aliases(of: provider.issuer).union([provider.issuer]), clientID: provider.clientID,
            nonce: secrets.nonce, now: clock.now,
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
        return VerifiedToken(identity: identity, profile: claims.profile, accessToken: response.accessToken)
    }

    /// Returns the identity, completed with the claims of the userinfo endpoint (OpenID Connect Core 1.0, 5.3).
    func completeIdentity(
        of token: VerifiedToken, _ provider: ProviderSettings
    ) async throws(ProviderFailure) -> ProvenIdentity {
        guard token.profile.email == nil || token.profile.name == nil, let accessToken = token.accessToken,
            let endpoint = try await metadata.metadata(of: provider).userinfoEndpoint
        else { return token.identity }
        let reply = try await transport.send(
            ProviderRequest(endpoint, of: provider.issuer, authorization: "Bearer \(accessToken)"))
        guard reply.status == 200, let info = JSONSyntax.decoded(UserInfo.self, reply.body) else {
            throw .unusable("userinfo: status \(reply.status)")
        }
        guard info.subject == token.identity.subject else { throw .token(.subject) }
        var profile = token.profile
        profile.complete(by: info.profile)
        var identity = token.identity
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
        let key = try await metadata.key(header.keyID, header.algorithm, of: provider)
        do {
            return try await key.verified(token)
        } catch is DecodingError {
            throw .token(.malformed)
        } catch {
            throw .token(.signature)
        }
    }
}
