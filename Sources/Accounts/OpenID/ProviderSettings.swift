import Foundation
import JWTKit

/// What is wrong with a provider's settings; the words are for who runs the server.
package enum ProviderProblem: Error, Equatable, Sendable {
    /// Not https with a name, nor http on this very computer.
    case issuer
    /// Nothing there, or more than fits into a request.
    case clientID
    /// Not the private key (PKCS #8, PEM, curve P-256) that Apple gives out.
    case key
    /// Longer than fits on a button.
    case label
}

/// How this server knows a provider, and the provider this server.
package struct ProviderSettings: Sendable {
    /// How the server proves to the provider that it is the client which was set up there.
    package enum Credential: Sendable {
        /// Not at all: a public client, protected by PKCE alone.
        case none
        /// A word that both know.
        case secret(String)
        /// A statement that is signed anew for each request, as Apple wants it.
        case signed(AppleKey)
    }

    static let longestClientID = 500
    static let longestLabel = 40

    /// Which one it is.
    package let name: ProviderName
    /// Its issuer identifier, exactly as its tokens say it.
    package let issuer: String
    /// What people call it.
    package let label: String
    let clientID: String
    let credential: Credential

    /// Checks a provider's settings.
    /// - Parameters:
    ///   - issuer: `nil` for the vendor's own; a generic provider has none.
    ///   - label: `nil` for the vendor's name.
    /// - Throws: ``ProviderProblem``.
    package init(
        _ name: ProviderName, issuer: String? = nil, clientID: String, credential: Credential, label: String? = nil
    ) throws(ProviderProblem) {
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

    /// The provider as pages name it.
    package var face: ProviderFace { ProviderFace(name: name, label: label) }
}

/// The private key with which a client proves to Apple who it is.
///
/// Apple's client secret is a JWT, signed by ES256 with a key of the developer's account: header `kid`; claims `iss`
/// (the team), `sub` (the client), `aud` (Apple), `iat`, `exp` (at most six months later).
/// See https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
package struct AppleKey: Sendable {
    private static let lifetimeSeconds: Int64 = 5 * 60

    private let teamID: String
    private let keyID: String
    private let key: ES256PrivateKey

    /// Reads the file that Apple gives out for a key (`AuthKey_KEYID.p8`).
    /// - Parameters:
    ///   - teamID: of the developer's account.
    ///   - keyID: of the key.
    ///   - pem: the file's content.
    /// - Throws: ``ProviderProblem/key``.
    package init(teamID: String, keyID: String, pem: String) throws(ProviderProblem) {
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

    /// A client secret that is good for a few minutes.
    /// - Parameter now: seconds since 1970.
    func secret(clientID: String, issuer: String, now: Int64) async throws -> String {
        let statement = Statement(
            iss: teamID, sub: clientID, aud: issuer, iat: now, exp: now + Self.lifetimeSeconds
        )
        return try await JWTKeyCollection().add(ecdsa: key).sign(statement, kid: JWKIdentifier(string: keyID))
    }
}

/// An address of a provider: https, or http on this very computer, where nobody can listen on the way.
struct ProviderURL {
    private static let longest = 2_000

    let text: String
    /// Plain http to this computer itself.
    let isLocal: Bool
    /// Neither query nor fragment.
    let isPlain: Bool

    init?(_ text: String) {
        guard text.utf8.count <= Self.longest, let parts = URLComponents(string: text), let host = parts.host,
            !host.isEmpty, parts.user == nil, parts.password == nil, parts.fragment == nil
        else { return nil }
        switch parts.scheme {
        case "https": isLocal = false
        case "http":
            guard Self.isThisComputer(host) else { return nil }
            isLocal = true
        default: return nil
        }
        self.text = text
        isPlain = parts.query == nil
    }

    private static func isThisComputer(_ host: String) -> Bool {
        let name = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        guard name != "localhost", name != "::1" else { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
