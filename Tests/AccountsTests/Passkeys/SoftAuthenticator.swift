import Accounts
import Crypto
import CryptoExtras
import Foundation

/// Encodes CBOR as authenticators do.
enum Written {
    static func head(_ major: UInt8, _ number: Int) -> [UInt8] {
        switch number {
        case ..<24: [major << 5 | UInt8(number)]
        case ..<256: [major << 5 | 24, UInt8(number)]
        default: [major << 5 | 25, UInt8(number >> 8), UInt8(number & 0xff)]
        }
    }

    static func integer(_ number: Int) -> [UInt8] { number < 0 ? head(1, -1 - number) : head(0, number) }
    static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, bytes.count) + bytes }
    static func text(_ text: String) -> [UInt8] { head(3, text.utf8.count) + Array(text.utf8) }
    static func list(_ values: [[UInt8]]) -> [UInt8] { head(4, values.count) + values.flatMap(\.self) }
    static func map(_ pairs: [([UInt8], [UInt8])]) -> [UInt8] {
        head(5, pairs.count) + pairs.flatMap { $0.0 + $0.1 }
    }
}

/// The parts of a response by an authenticator and its browser. Tests change them before they are encoded.
struct AuthenticatorResponseDraft {
    var type: String
    var challenge: [UInt8]
    var origin = "https://home.example"
    var crossOrigin: Bool?
    var topOrigin: String?
    var tokenBinding: String?
    var clientData: [UInt8]?

    var relyingParty = "home.example"
    /// User present and user verified. A registration adds the flag for a credential.
    var flags: UInt8 = 0x05
    var signCount: UInt32 = 0
    var credential: [UInt8] = []
    var extensions: [UInt8] = []
    /// Bytes after the end.
    var excess: [UInt8] = []

    var format = "none"
    var statement = Written.map([])
    var authenticatorData: [UInt8]?

    var credentialID: [UInt8]
    var handle: [UInt8]?
    /// Changes the signature.
    var spoil: ([UInt8]) -> [UInt8] = { $0 }

    func clientDataBytes() -> [UInt8] {
        if let clientData { return clientData }
        var members = [
            #""type":"\#(type)""#, #""challenge":"\#(Self.base64URL(challenge))""#, #""origin":"\#(origin)""#,
        ]
        if let crossOrigin { members.append(#""crossOrigin":\#(crossOrigin)"#) }
        if let topOrigin { members.append(#""topOrigin":"\#(topOrigin)""#) }
        if let tokenBinding { members.append(#""tokenBinding":{"status":"\#(tokenBinding)"}"#) }
        return Array("{\(members.joined(separator: ","))}".utf8)
    }

    func authenticatorDataBytes() -> [UInt8] {
        if let authenticatorData { return authenticatorData }
        let count = withUnsafeBytes(of: signCount.bigEndian) { Array($0) }
        let hash = Array(SHA256.hash(data: Array(relyingParty.utf8)))
        return hash + [flags] + count + credential + extensions + excess
    }

    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// An authenticator in software. It uses swift-crypto for keys, and the formats of WebAuthn Level 2, 6.
struct SoftAuthenticator: Sendable {
    enum Key: Sendable {
        case es256(P256.Signing.PrivateKey)
        case rs256(_RSA.Signing.PrivateKey)
    }

    let key: Key
    let credentialID: [UInt8]
    var signCount: UInt32 = 0

    init(credentialID: [UInt8] = Array(1...32), key: Key? = nil) {
        self.key = key ?? .es256(P256.Signing.PrivateKey())
        self.credentialID = credentialID
    }

    /// Returns the public key as a COSE_Key.
    func cose() throws -> [UInt8] {
        switch key {
        case .es256(let key): return Self.cose(point: Array(key.publicKey.rawRepresentation))
        case .rs256(let key):
            let parts = try key.publicKey.getKeyPrimitives()
            return Self.cose(modulus: Array(parts.modulus), exponent: Array(parts.publicExponent))
        }
    }

    static func cose(point: [UInt8], algorithm: Int = -7, curve: Int = 1) -> [UInt8] {
        Written.map([
            (Written.integer(1), Written.integer(2)), (Written.integer(3), Written.integer(algorithm)),
            (Written.integer(-1), Written.integer(curve)),
            (Written.integer(-2), Written.bytes(Array(point.prefix(32)))),
            (Written.integer(-3), Written.bytes(Array(point.dropFirst(32)))),
        ])
    }

    static func cose(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        Written.map([
            (Written.integer(1), Written.integer(3)), (Written.integer(3), Written.integer(-257)),
            (Written.integer(-1), Written.bytes(modulus)), (Written.integer(-2), Written.bytes(exponent)),
        ])
    }

    static func credential(id: [UInt8], cose: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: 16) + [UInt8(id.count >> 8), UInt8(id.count & 0xff)] + id + cose
    }

    /// Returns the response to `navigator.credentials.create`.
    func registration(
        _ challenge: [UInt8], change: (inout AuthenticatorResponseDraft) throws -> Void = { _ in }
    ) throws -> PasskeyRegistration {
        var said = AuthenticatorResponseDraft(type: "webauthn.create", challenge: challenge, credentialID: credentialID)
        said.flags = 0x45
        said.signCount = signCount
        said.credential = Self.credential(id: credentialID, cose: try cose())
        try change(&said)
        let attestation = Written.map([
            (Written.text("fmt"), Written.text(said.format)), (Written.text("attStmt"), said.statement),
            (Written.text("authData"), Written.bytes(said.authenticatorDataBytes())),
        ])
        return PasskeyRegistration(
            clientData: said.clientDataBytes(), attestation: attestation, credentialID: said.credentialID,
            transports: ["internal", "hybrid", "unheard-of"]
        )
    }

    /// Returns the response to `navigator.credentials.get`.
    func assertion(
        _ challenge: [UInt8], handle: [UInt8]? = nil, signedBy other: SoftAuthenticator? = nil,
        change: (inout AuthenticatorResponseDraft) throws -> Void = { _ in }
    ) throws -> PasskeyAssertion {
        var said = AuthenticatorResponseDraft(
            type: "webauthn.get", challenge: challenge, credentialID: credentialID, handle: handle)
        said.signCount = signCount
        try change(&said)
        let clientData = said.clientDataBytes()
        let data = said.authenticatorDataBytes()
        let signature = try (other ?? self).sign(data + Array(SHA256.hash(data: clientData)))
        return PasskeyAssertion(
            credentialID: said.credentialID, clientData: clientData, authenticatorData: data,
            signature: said.spoil(signature), userHandle: said.handle
        )
    }

    private func sign(_ message: [UInt8]) throws -> [UInt8] {
        switch key {
        case .es256(let key): Array(try key.signature(for: SHA256.hash(data: message)).derRepresentation)
        case .rs256(let key):
            Array(try key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }
}
