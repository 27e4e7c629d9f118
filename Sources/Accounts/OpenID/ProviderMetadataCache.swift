import Kernel
import Synchronization

/// The discovery document of a provider (OpenID Connect Discovery 1.0, 3).
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
    /// Whether the authorization response contains `iss` (RFC 9207).
    let namesIssuer: Bool?
}

/// Caches the discovery documents and keys of providers, and reads them again when they expire. A provider that doesn't
/// respond, or responds with an unusable document, isn't asked again for a while. Concurrent calls share one request
/// per provider.
final class ProviderMetadataCache: Sendable {
    private struct Entry<Value: Sendable> {
        let value: Value
        let readAt: Instant
    }

    /// At most one entry per provider.
    private struct State {
        var metadata: [ProviderName: Entry<ProviderMetadata>] = [:]
        var keys: [ProviderName: Entry<ProviderKeys>] = [:]
        var failures: [ProviderName: Entry<ProviderFailure>] = [:]
        var keyFailures: [ProviderName: Entry<ProviderFailure>] = [:]
        var asked: [ProviderName: Task<Result<ProviderMetadata, ProviderFailure>, Never>] = [:]
    }

    private let documents: ProviderDocumentReader
    private let clock: any WallClock
    private let state = Mutex(State())

    init(transport: any ProviderTransport, clock: any WallClock) {
        documents = ProviderDocumentReader(transport: transport)
        self.clock = clock
    }

    /// Returns the provider's discovery document.
    /// - Throws: ``ProviderFailure``. An issuer that differs from the configured one is unusable (Discovery, 4.3).
    func metadata(of provider: ProviderSettings) async throws(ProviderFailure) -> ProviderMetadata {
        if let known = state.withLock({ fresh($0.metadata[provider.name]) }) { return known }
        if let failure = state.withLock({ recent($0.failures[provider.name]) }) { throw failure }
        let asked = state.withLock { state in
            if let asked = state.asked[provider.name] { return asked }
            let task = Task { await fetch(provider) }
            state.asked[provider.name] = task
            return task
        }
        return try await asked.value.get()
    }

    private func fetch(_ provider: ProviderSettings) async -> Result<ProviderMetadata, ProviderFailure> {
        let result: Result<ProviderMetadata, ProviderFailure>
        do throws(ProviderFailure) {
            result = .success(try await documents.metadata(of: provider))
        } catch {
            result = .failure(error)
        }
        let now = clock.now
        state.withLock { state in
            state.asked[provider.name] = nil
            switch result {
            case .success(let found): state.metadata[provider.name] = Entry(value: found, readAt: now)
            case .failure(let failure): state.failures[provider.name] = Entry(value: failure, readAt: now)
            }
        }
        return result
    }

    /// Returns the key that a token names. Keys rotate: an unknown one is looked up once more.
    /// - Throws: ``ProviderFailure``, `token(.unknownKey)` when there is none.
    func key(
        _ id: String?, _ algorithm: IDTokenAlgorithm, of provider: ProviderSettings
    ) async throws(ProviderFailure) -> ProviderKey {
        if let known = state.withLock({ fresh($0.keys[provider.name]) })?.key(id, algorithm) { return known }
        if let failure = state.withLock({ recent($0.keyFailures[provider.name]) }) { throw failure }
        let metadata = try await metadata(of: provider)
        let keys: ProviderKeys
        do throws(ProviderFailure) {
            keys = try await documents.keys(metadata)
        } catch {
            let failure = Entry(value: error, readAt: clock.now)
            state.withLock { $0.keyFailures[provider.name] = failure }
            throw error
        }
        let entry = Entry(value: keys, readAt: clock.now)
        state.withLock { $0.keys[provider.name] = entry }
        guard let key = keys.key(id, algorithm) else { throw .token(.unknownKey) }
        return key
    }

    private func fresh<Value>(_ entry: Entry<Value>?) -> Value? { value(of: entry, for: Limits.providerCacheSeconds) }

    private func recent(_ entry: Entry<ProviderFailure>?) -> ProviderFailure? {
        value(of: entry, for: Limits.providerFailureSeconds)
    }

    private func value<Value>(of entry: Entry<Value>?, for seconds: Int64) -> Value? {
        guard let entry, clock.now.seconds(since: entry.readAt) < Double(seconds) else { return nil }
        return entry.value
    }
}
