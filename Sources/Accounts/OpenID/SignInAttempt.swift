import Crypto
import Foundation
import Kernel

/// The purpose of a sign-in at a provider.
package enum AttemptPurpose: String, Sendable {
    case signIn = "sign-in"
    /// Adds a way to sign in.
    case link
    /// Proves the person's presence for one act.
    case confirm
}

/// The secrets of one attempt. They are derived from a secret that only the browser has, and from `state`. The database
/// stores none of them, and only a client that has both can finish the attempt.
struct AttemptSecrets: Sendable {
    private static let secretBytes = 32
    /// 32 bytes in base64url.
    private static let textBytes = 43

    /// The `state` parameter. The provider returns it.
    let state: String
    private let key: SymmetricKey

    init(state: String, browser: String) {
        self.state = state
        key = SymmetricKey(data: Array(browser.utf8))
    }

    /// Returns the secret that the browser has from an earlier attempt, or a new one.
    static func browserSecret(reusing browser: String?, random: some RandomSource) -> String {
        if let browser, isWellFormed(browser) { return browser }
        return Token.make(random: random)
    }

    /// Returns whether the text has the form of a browser's secret.
    static func isWellFormed(_ browser: String) -> Bool {
        browser.utf8.count == textBytes && Base64URL.decoded(browser)?.count == secretBytes
    }

    /// The `nonce` parameter. The provider returns it inside the token.
    var nonce: String { derived("nonce") }

    /// The PKCE verifier. It is sent with the code; the authorization request has only the ``challenge`` (RFC 7636).
    var verifier: String { derived("verifier") }

    /// The SHA-256 hash of the verifier (method S256).
    var challenge: String { Base64URL.encoded(SHA256.hash(data: Array(verifier.utf8))) }

    /// Encrypts the destination, because it may contain an invitation's code. The key is used for this text alone, so a
    /// constant nonce is safe.
    func sealed(_ destination: String) throws -> String {
        let box = try AES.GCM.seal(Array(destination.utf8), using: destinationKey, nonce: Self.onlyNonce())
        return Base64URL.encoded(box.ciphertext + box.tag)
    }

    /// Returns the decrypted destination. `nil` for anything else.
    func opened(_ stored: String) -> String? {
        guard let bytes = Base64URL.decoded(stored), bytes.count >= Self.tagBytes, let nonce = try? Self.onlyNonce(),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce, ciphertext: bytes.dropLast(Self.tagBytes), tag: bytes.suffix(Self.tagBytes)),
            let text = try? AES.GCM.open(box, using: destinationKey)
        else { return nil }
        return String(validating: text, as: UTF8.self)
    }

    private static let tagBytes = 16

    private static func onlyNonce() throws -> AES.GCM.Nonce {
        try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12))
    }

    private var destinationKey: SymmetricKey {
        SymmetricKey(
            data: HMAC<SHA256>.authenticationCode(for: Array("destination \(state)".utf8), using: key)
        )
    }

    private func derived(_ purpose: String) -> String {
        Base64URL.encoded(HMAC<SHA256>.authenticationCode(for: Array("\(purpose) \(state)".utf8), using: key))
    }
}

/// The stored part of an attempt.
struct StoredAttempt: Sendable {
    let provider: ProviderName
    let purpose: AttemptPurpose
    /// The act that the sign-in confirms.
    let act: SensitiveAct?
    /// The person who links or proves, and their session.
    let actor: (person: PersonID, session: ID<Session>)?
    /// The hash of the code of the offered identity that the sign-in links.
    let offerHash: [UInt8]?
    /// The destination, sealed by ``AttemptSecrets``.
    let destination: String
    let begunAt: Instant

    /// Whether the provider must have authenticated the person since: for a proof, and where the sign-in links another
    /// identity.
    var requiresReauthentication: Bool { purpose == .confirm || offerHash != nil }
}

/// An identity that a provider's token proves.
struct ProvenIdentity: Sendable {
    let provider: ProviderName
    let issuer: String
    let subject: String
    var email: String?
    var isEmailVerified: Bool
    var name: String?
}
