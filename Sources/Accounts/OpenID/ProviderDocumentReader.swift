import Kernel

/// Reads what a provider publishes about itself.
struct ProviderDocumentReader: Sendable {
    let transport: any ProviderTransport

    /// Reads the discovery document.
    /// - Throws: ``ProviderFailure``. An issuer that differs from the configured one is unusable (Discovery, 4.3).
    func metadata(of provider: ProviderSettings) async throws(ProviderFailure) -> ProviderMetadata {
        let base = provider.issuer.hasSuffix("/") ? String(provider.issuer.dropLast()) : provider.issuer
        let found: ProviderMetadata = try await read(
            "\(base)/.well-known/openid-configuration", of: provider.issuer, "discovery")
        guard found.issuer == provider.issuer else { throw .otherIssuer(found.issuer) }
        for endpoint in [found.authorizationEndpoint, found.keysURL, found.tokenEndpoint, found.userinfoEndpoint] {
            if let endpoint { try check(endpoint, of: provider) }
        }
        return found
    }

    /// Reads the keys that sign the provider's tokens.
    func keys(_ metadata: ProviderMetadata) async throws(ProviderFailure) -> ProviderKeys {
        try await read(metadata.keysURL, of: metadata.issuer, "keys")
    }

    private func check(_ endpoint: String, of provider: ProviderSettings) throws(ProviderFailure) {
        guard let url = ProviderURL(endpoint) else { throw .endpoint(endpoint) }
        // A provider on the internet must not point to addresses of this computer.
        if url.isLocal, ProviderURL(provider.issuer)?.isLocal != true { throw .endpoint(endpoint) }
    }

    private func read<Value: Decodable>(
        _ url: String, of issuer: String, _ what: String
    ) async throws(ProviderFailure) -> Value {
        let reply = try await transport.send(ProviderRequest(url, of: issuer))
        guard reply.status == 200 else { throw .unusable("\(what): status \(reply.status)") }
        guard let value = JSONSyntax.decoded(Value.self, reply.body) else { throw .unusable(what) }
        return value
    }
}
