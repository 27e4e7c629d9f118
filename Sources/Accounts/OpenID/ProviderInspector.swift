import Kernel

/// The result of one check of a provider.
package enum ProviderFinding: Sendable, Equatable {
    /// The discovery document and its endpoints can be used.
    case documentWorks(issuer: String)
    case unreachable(issuer: String, reason: String)
    /// The discovery document can't be used.
    case documentFails(issuer: String, reason: String)
    case issuerDiffers(configured: String, published: String)
    case endpointRefused(String)
    /// The number of keys that sign tokens.
    case keysWork(count: Int)
    case keysFail(String)
    /// The provider accepted the client and its secret.
    case clientWorks
    /// The provider doesn't know the client, or its secret is wrong; with the OAuth error code.
    case clientFails(code: String)
    /// The redirect URI isn't registered at the provider.
    case redirectFails(uri: String)
    /// The client secret can't be signed with the client's private key.
    case clientKeyFails
    /// Only a sign-in shows whether the client works.
    case clientUntested(reason: String)
    case tokenEndpointFails(String)

    /// The name of the check, for programs.
    package var check: String {
        switch self {
        case .documentWorks, .unreachable, .documentFails, .issuerDiffers, .endpointRefused: "discovery"
        case .keysWork, .keysFail: "keys"
        case .clientWorks, .clientFails, .redirectFails, .clientKeyFails, .clientUntested, .tokenEndpointFails: "client"
        }
    }

    package var isProblem: Bool {
        switch self {
        case .documentWorks, .keysWork, .clientWorks, .clientUntested: false
        case .unreachable, .documentFails, .issuerDiffers, .endpointRefused, .keysFail, .clientFails, .redirectFails,
            .clientKeyFails, .tokenEndpointFails:
            true
        }
    }
}

/// Examines a provider without signing anyone in: what it publishes, and whether it accepts this server as its client.
struct ProviderInspector: Sendable {
    /// The error codes for a code that the provider didn't issue, which it only checks for a client that it accepts
    /// (RFC 6749, 5.2).
    private static let codeErrors: Set<String> = ["invalid_grant", "invalid_code", "bad_verification_code"]
    private static let clientErrors: Set<String> = ["invalid_client", "unauthorized_client"]
    private static let redirectErrors: Set<String> = ["redirect_uri_mismatch", "invalid_redirect_uri"]

    let documents: ProviderDocumentReader
    let tokens: ProviderTokenClient
    let catalog: ProviderCatalog
    let random: any RandomSource

    /// Returns the findings, up to the first that prevents further checks. Takes a few seconds at most.
    func findings(_ provider: ProviderSettings) async -> [ProviderFinding] {
        let metadata: ProviderMetadata
        do throws(ProviderFailure) {
            metadata = try await documents.metadata(of: provider)
        } catch {
            return [documentFinding(error, provider)]
        }
        async let keys = keysFinding(metadata)
        async let client = clientFinding(provider, metadata)
        return [.documentWorks(issuer: provider.issuer), await keys, await client]
    }

    private func documentFinding(_ failure: ProviderFailure, _ provider: ProviderSettings) -> ProviderFinding {
        switch failure {
        case .unreachable(let reason): .unreachable(issuer: provider.issuer, reason: reason)
        case .otherIssuer(let issuer): .issuerDiffers(configured: provider.issuer, published: issuer)
        case .endpoint(let url): .endpointRefused(url)
        case .unusable(let reason): .documentFails(issuer: provider.issuer, reason: reason)
        case .refused, .token, .clientKey: .documentFails(issuer: provider.issuer, reason: "\(failure)")
        }
    }

    private func keysFinding(_ metadata: ProviderMetadata) async -> ProviderFinding {
        do throws(ProviderFailure) {
            let keys = try await documents.keys(metadata)
            return keys.count > 0 ? .keysWork(count: keys.count) : .keysFail("no RS256 or ES256 key")
        } catch {
            if case .endpoint(let url) = error { return .endpointRefused(url) }
            return .keysFail(Self.reason(error))
        }
    }

    /// Asks for the tokens of a code that the provider never issued. The provider checks the client first.
    private func clientFinding(_ provider: ProviderSettings, _ metadata: ProviderMetadata) async -> ProviderFinding {
        let secrets = AttemptSecrets(state: Token.make(random: random), browser: Token.make(random: random))
        do throws(ProviderFailure) {
            _ = try await tokens.exchange(Token.make(random: random), secrets, provider, metadata)
            return .clientUntested(reason: "a token for an unknown code")
        } catch {
            switch error {
            case .refused(let code) where Self.codeErrors.contains(code): return .clientWorks
            case .refused(let code) where Self.clientErrors.contains(code): return .clientFails(code: code)
            case .refused(let code) where Self.redirectErrors.contains(code):
                return .redirectFails(uri: catalog.redirectURI(of: provider.name))
            case .refused(let code): return .clientUntested(reason: code)
            case .clientKey: return .clientKeyFails
            case .unreachable(let reason): return .tokenEndpointFails(reason)
            case .unusable(let reason): return .clientUntested(reason: reason)
            case .endpoint(let url): return .endpointRefused(url)
            case .otherIssuer, .token: return .clientUntested(reason: Self.reason(error))
            }
        }
    }

    private static func reason(_ failure: ProviderFailure) -> String {
        switch failure {
        case .unreachable(let reason), .unusable(let reason), .refused(let reason): reason
        case .otherIssuer, .endpoint, .token, .clientKey: "\(failure)"
        }
    }
}
