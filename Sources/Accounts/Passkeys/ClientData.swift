import Foundation
import Kernel

/// The browser's record of the request and its origin (WebAuthn Level 2, 5.8.1).
struct ClientData: Sendable {
    enum Kind: String, Sendable {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    private struct Content: Decodable {
        struct Binding: Decodable { let status: String }

        let type: String
        let challenge: String
        let origin: String
        let crossOrigin: Bool?
        let topOrigin: String?
        let tokenBinding: Binding?
    }

    private let content: Content
    /// The challenge of the request.
    let challenge: [UInt8]

    init(_ bytes: [UInt8]) throws(PasskeyError) {
        guard bytes.count <= Limits.passkeyClientDataBytes, JSONSyntax.isValid(bytes),
            let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
            let challenge = Base64URL.strictlyDecoded(content.challenge)
        else { throw .clientData }
        self.content = content
        self.challenge = challenge
    }

    /// Verifies WebAuthn Level 2, 7.1 steps 7 to 10 and 7.2 steps 11 to 14, except for the challenge, which is checked
    /// in the database. A frame inside another website is refused, as in Level 3: no other site may embed ours.
    func check(_ kind: Kind, for party: RelyingParty) throws(PasskeyError) {
        guard content.type == kind.rawValue else { throw .type }
        guard content.origin == party.origin else { throw .origin }
        guard content.crossOrigin != true, content.topOrigin == nil else { throw .crossOrigin }
        guard content.tokenBinding?.status != "present" else { throw .tokenBinding }
    }
}
