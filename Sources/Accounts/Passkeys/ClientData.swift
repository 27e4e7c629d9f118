import Kernel

/// The browser's record of the request and its origin (WebAuthn Level 2, 5.8.1).
struct ClientData: Sendable {
    enum Kind: String, Sendable {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    private let type: String
    private let origin: String
    private let isEmbedded: Bool
    private let hasTokenBinding: Bool
    /// The challenge of the request.
    let challenge: [UInt8]

    init(_ bytes: [UInt8]) throws(PasskeyError) {
        guard bytes.count <= Limits.passkeyClientDataBytes, let json = JSONReader.value(of: bytes) else {
            throw .clientData
        }
        do {
            type = try json.required("type", \.text)
            origin = try json.required("origin", \.text)
            challenge = try json.required("challenge") { $0.text.flatMap(Base64URL.strictlyDecoded) }
            let isCrossOrigin = try json.optional("crossOrigin", \.boolean) ?? false
            let topOrigin = try json.optional("topOrigin", \.text)
            isEmbedded = isCrossOrigin || topOrigin != nil
            let status = try json.optional("tokenBinding", \.object)?.required("status", \.text)
            hasTokenBinding = status == "present"
        } catch {
            throw .clientData
        }
    }

    /// Verifies WebAuthn Level 2, 7.1 steps 7 to 10 and 7.2 steps 11 to 14, except for the challenge, which is checked
    /// in the database. A frame inside another website is refused, as in Level 3: no other site may embed ours.
    func check(_ kind: Kind, for party: RelyingParty) throws(PasskeyError) {
        guard type == kind.rawValue else { throw .type }
        guard origin == party.origin else { throw .origin }
        guard !isEmbedded else { throw .crossOrigin }
        guard !hasTokenBinding else { throw .tokenBinding }
    }
}
