import Crypto
import Foundation
import Kernel

/// What an attempt to sign in with a provider is for.
enum AttemptPurpose: String, Sendable {
    /// To come in.
    case signIn = "sign-in"
    /// To come in this way as well from now on.
    case link
    /// To show once more who one is.
    case confirm
}

/// The secrets of one attempt. They are made from one that only the browser has, and from `state`; so the store needs
/// to know none of them, and only who has both can finish what was begun.
struct AttemptSecrets: Sendable {
    private static let secretBytes = 32
    /// 32 bytes in base 64 for URLs.
    private static let textBytes = 43

    /// Goes to the provider and comes back.
    let state: String
    private let key: SymmetricKey

    init(state: String, browser: String) {
        self.state = state
        key = SymmetricKey(data: Array(browser.utf8))
    }

    /// Whether the browser's secret can be one of ours.
    static func isWellFormed(_ browser: String) -> Bool {
        browser.utf8.count == textBytes && Base64URL.decoded(browser)?.count == secretBytes
    }

    /// Goes to the provider and comes back inside the token.
    var nonce: String { derived("nonce") }

    /// Goes to the provider with the code; until then it only gets the ``challenge`` (RFC 7636).
    var verifier: String { derived("verifier") }

    /// S256 of the verifier.
    var challenge: String { Base64URL.encoded(SHA256.hash(data: Array(verifier.utf8))) }

    /// The way on, so that the store can't read it: it may hold an invitation's code. The key is for this text alone,
    /// hence the nonce that is always the same.
    func sealed(_ destination: String) throws -> String {
        let box = try AES.GCM.seal(Array(destination.utf8), using: destinationKey, nonce: Self.onlyNonce())
        return Base64URL.encoded(box.ciphertext + box.tag)
    }

    /// What was sealed; `nil` for anything else.
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

/// What the store keeps of an attempt.
struct StoredAttempt: Sendable {
    let provider: ProviderName
    let purpose: AttemptPurpose
    /// The act that the sign-in confirms.
    let act: SensitiveAct?
    /// Who links or confirms, and on which device.
    let actor: (person: PersonID, session: ID<Session>)?
    /// The hash of the identity that waits to be linked to the account that is going to be entered.
    let offerHash: [UInt8]?
    /// Where to go then, sealed by ``AttemptSecrets``.
    let destination: String
    let begunAt: Instant

    /// Whether the provider must have asked the person since: for a proof, and where signing in links another identity.
    var mustBeFresh: Bool { purpose == .confirm || offerHash != nil }
}

/// What a provider has vouched for.
struct ProvenIdentity: Sendable {
    let provider: ProviderName
    let issuer: String
    let subject: String
    var email: String?
    var isEmailVerified: Bool
    var name: String?
}
