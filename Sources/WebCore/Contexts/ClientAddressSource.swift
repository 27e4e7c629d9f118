/// How the server knows a client's address. `/health/live` returns it, so that checks see a missing setting.
package enum ClientAddressSource: String, Codable, Sendable {
    /// The peer of the connection is the client, or a proxy that doesn't name the client.
    case connection
    /// A trusted proxy named it.
    case proxy
    /// A proxy named it that isn't trusted, so the proxy itself counts as the client.
    case untrustedProxy
}
