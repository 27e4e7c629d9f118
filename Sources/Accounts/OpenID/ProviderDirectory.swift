import Foundation
import Kernel
import Synchronization

/// What a provider publishes about itself (OpenID Connect Discovery 1.0, 3).
struct ProviderMetadata: Decodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case userinfoEndpoint = "userinfo_endpoint"
        case keysURL = "jwks_uri"
        case authenticationMethods = "token_endpoint_auth_methods_supported"
        case namesIssuer = "authorization_response_iss_parameter_supported"
    }

    let issuer: String
    let authorizationEndpoint: String
    let tokenEndpoint: String?
    let userinfoEndpoint: String?
    let keysURL: String
    let authenticationMethods: [String]?
    /// Whether it names itself in the answer of its authorization endpoint (RFC 9207).
    let namesIssuer: Bool?
}

/// Knows what providers publish, and asks again when that may have changed.
final class ProviderDirectory: Sendable {
    private struct Entry<Value: Sendable> {
        let value: Value
        let readAt: Instant
    }

    private struct State {
        var metadata: [ProviderName: Entry<ProviderMetadata>] = [:]
        var keys: [ProviderName: Entry<ProviderKeys>] = [:]
    }

    private let transport: any ProviderTransport
    private let clock: any WallClock
    private let state = Mutex(State())

    init(transport: any ProviderTransport, clock: any WallClock) {
        self.transport = transport
        self.clock = clock
    }

    /// The provider's endpoints.
    /// - Throws: ``ProviderFailure``; an issuer that calls itself otherwise is unusable (Discovery, 4.3).
    func metadata(of provider: ProviderSettings) async throws(ProviderFailure) -> ProviderMetadata {
        if let known = state.withLock({ fresh($0.metadata[provider.name]) }) { return known }
        let base = provider.issuer.hasSuffix("/") ? String(provider.issuer.dropLast()) : provider.issuer
        let found: ProviderMetadata = try await read("\(base)/.well-known/openid-configuration", "discovery")
        guard found.issuer == provider.issuer else { throw .unusable("another issuer") }
        for endpoint in [found.authorizationEndpoint, found.keysURL, found.tokenEndpoint, found.userinfoEndpoint] {
            if let endpoint { try check(endpoint, of: provider) }
        }
        let entry = Entry(value: found, readAt: clock.now)
        state.withLock { $0.metadata[provider.name] = entry }
        return found
    }

    /// The key that a token names. Keys change from time to time: one that isn't known is looked for once more.
    /// - Throws: ``ProviderFailure``, `token(.unknownKey)` when there is none.
    func key(
        _ id: String?, _ algorithm: IDTokenAlgorithm, of provider: ProviderSettings
    ) async throws(ProviderFailure) -> ProviderKey {
        if let known = state.withLock({ fresh($0.keys[provider.name]) })?.key(id, algorithm) { return known }
        let metadata = try await metadata(of: provider)
        let keys: ProviderKeys = try await read(metadata.keysURL, "keys")
        let entry = Entry(value: keys, readAt: clock.now)
        state.withLock { $0.keys[provider.name] = entry }
        guard let key = keys.key(id, algorithm) else { throw .token(.unknownKey) }
        return key
    }

    private func fresh<Value>(_ entry: Entry<Value>?) -> Value? {
        guard let entry, clock.now.seconds(since: entry.readAt) < Double(Limits.providerCacheSeconds) else {
            return nil
        }
        return entry.value
    }

    private func check(_ endpoint: String, of provider: ProviderSettings) throws(ProviderFailure) {
        guard let url = ProviderURL(endpoint) else { throw .unusable("an endpoint's address") }
        // What is on the internet has no business with addresses of this computer.
        if url.isLocal, ProviderURL(provider.issuer)?.isLocal != true { throw .unusable("an endpoint's address") }
    }

    private func read<Value: Decodable>(_ url: String, _ what: String) async throws(ProviderFailure) -> Value {
        let reply = try await transport.send(ProviderRequest(url))
        guard reply.status == 200 else { throw .unusable("\(what): status \(reply.status)") }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(reply.body))
        } catch {
            throw .unusable(what)
        }
    }
}
