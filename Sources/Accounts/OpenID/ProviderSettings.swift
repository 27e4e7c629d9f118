import Foundation
import JWTKit

/// An error in a provider's settings, reported to the administrator.
package enum ProviderSettingsError: Error, Equatable, Sendable {
    /// Neither an https URL with a host, nor http on this computer.
    case issuer
    /// Empty or too long.
    case clientID
    /// Not a private key in Apple's format (PKCS #8, PEM, curve P-256).
    case key
    /// Too long for a button.
    case label
}

/// The configuration of a provider, and of this server as its client.
package struct ProviderSettings: Sendable {
    /// The way in which the server authenticates to the provider as its client.
    package enum Credential: Sendable {
        /// No authentication: a public client, protected by PKCE alone.
        case none
        /// A shared client secret.
        case secret(String)
        /// A JWT signed for each request, as Apple requires.
        case signed(AppleKey)
    }

    static let longestClientID = 500
    static let longestLabel = 40

    package let name: ProviderName
    /// The provider's issuer identifier, exactly as in its tokens.
    package let issuer: String
    /// The displayed name.
    package let label: String
    let clientID: String
    let credential: Credential

    /// Validates a provider's settings.
    /// - Parameters:
    ///   - issuer: `nil` for the vendor's own. A generic provider has none.
    ///   - label: `nil` for the vendor's name.
    /// - Throws: ``ProviderSettingsError``.
    package init(
        _ name: ProviderName, issuer: String? = nil, clientID: String, credential: Credential, label: String? = nil
    ) throws(ProviderSettingsError) {
        guard let issuer = issuer ?? name.standardIssuer, let url = ProviderURL(issuer), url.isPlain else {
            throw .issuer
        }
        guard !clientID.isEmpty, clientID.utf8.count <= Self.longestClientID else { throw .clientID }
        let label = label ?? name.brand
        guard !label.isEmpty, label.count <= Self.longestLabel else { throw .label }
        self.name = name
        self.issuer = issuer
        self.label = label
        self.clientID = clientID
        self.credential = credential
    }

    /// The provider's name for pages.
    package var summary: ProviderSummary { ProviderSummary(name: name, label: label) }
}

/// The private key with which a client authenticates to Apple.
///
/// Apple's client secret is a JWT, signed by ES256 with a key of the developer's account: header `kid`; claims `iss`
/// (the team), `sub` (the client), `aud` (Apple), `iat`, `exp` (at most six months later).
/// See https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
package struct AppleKey: Sendable {
    private static let lifetimeSeconds: Int64 = 5 * 60

    private let teamID: String
    private let keyID: String
    private let key: ES256PrivateKey

    /// Reads the file that Apple issues for a key (`AuthKey_KEYID.p8`).
    /// - Parameters:
    ///   - teamID: the id of the developer team.
    ///   - keyID: the id of the key.
    ///   - pem: the contents of the file.
    /// - Throws: ``ProviderSettingsError/key``.
    package init(teamID: String, keyID: String, pem: String) throws(ProviderSettingsError) {
        guard !teamID.isEmpty, !keyID.isEmpty else { throw .key }
        do {
            key = try ES256PrivateKey(pem: pem)
        } catch {
            throw .key
        }
        self.teamID = teamID
        self.keyID = keyID
    }

    private struct Statement: JWTPayload {
        let iss: String
        let sub: String
        let aud: String
        let iat: Int64
        let exp: Int64

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// Returns a client secret that is valid for five minutes.
    /// - Parameter now: seconds since 1970.
    func secret(clientID: String, issuer: String, now: Int64) async throws -> String {
        let statement = Statement(
            iss: teamID, sub: clientID, aud: issuer, iat: now, exp: now + Self.lifetimeSeconds
        )
        return try await JWTKeyCollection().add(ecdsa: key).sign(statement, kid: JWKIdentifier(string: keyID))
    }
}

/// A URL of a provider: https, or http on this computer, where no other host can listen.
struct ProviderURL {
    private static let longest = 2_000

    let text: String
    /// The host in lowercase, without the brackets of an IPv6 address.
    let host: String
    /// Whether the URL is plain http to this computer.
    let isLocal: Bool
    /// Whether the URL has neither query nor fragment.
    let isPlain: Bool

    init?(_ text: String) {
        guard text.utf8.count <= Self.longest, let parts = URLComponents(string: text), let host = parts.host,
            !host.isEmpty, parts.user == nil, parts.password == nil, parts.fragment == nil
        else { return nil }
        self.host = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        switch parts.scheme {
        case "https": isLocal = false
        case "http":
            guard Self.isThisComputer(self.host) else { return nil }
            isLocal = true
        default: return nil
        }
        self.text = text
        isPlain = parts.query == nil
    }

    private static func isThisComputer(_ name: String) -> Bool {
        guard name != "localhost", name != "::1" else { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
