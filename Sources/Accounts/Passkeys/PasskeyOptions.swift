import Kernel

/// The options for the browser's WebAuthn call, in the JSON that `PublicKeyCredential` parses
/// (`parseCreationOptionsFromJSON`, `parseRequestOptionsFromJSON`; WebAuthn Level 3, 5.1.8 and 5.1.9).
package enum PasskeyOptions: Encodable, Sendable {
    /// Creates a passkey.
    case creation(PasskeyCreation)
    /// Uses a passkey.
    case request(PasskeyRequest)

    /// Encodes the options without a wrapper.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .creation(let creation): try creation.encode(to: encoder)
        case .request(let request): try request.encode(to: encoder)
        }
    }
}

/// Corresponds to `PublicKeyCredentialCreationOptionsJSON`.
package struct PasskeyCreation: Encodable, Sendable {
    struct Party: Encodable { let id: String; let name: String }
    struct User: Encodable { let id: String; let name: String; let displayName: String }
    struct Parameter: Encodable { var type = "public-key"; let alg: Int64 }
    struct Selection: Encodable {
        let authenticatorAttachment: String?
        // A sign-in doesn't name the account, so only a discoverable credential can be found.
        let residentKey = "required"
        let requireResidentKey = true
        let userVerification = "required"
    }
    struct Extensions: Encodable { let credProps = true }

    let rp: Party
    let user: User
    let challenge: String
    let pubKeyCredParams = PasskeyAlgorithm.allCases.map { Parameter(alg: $0.rawValue) }
    let timeout = Limits.passkeyChallengeSeconds * 1_000
    let excludeCredentials: [CredentialDescriptor]
    let authenticatorSelection: Selection
    let attestation = "none"
    let extensions = Extensions()

    init(for account: Account, at party: RelyingParty, challenge: [UInt8], known: [Passkey], isForLock: Bool) {
        rp = Party(id: party.id, name: "Homeward")
        user = User(
            id: Base64URL.encoded(UserHandle.of(account.id)), name: account.email ?? account.name,
            displayName: account.name
        )
        self.challenge = Base64URL.encoded(challenge)
        excludeCredentials = known.map(CredentialDescriptor.init)
        // A passkey for the lock must be on this device. A sign-in may use another device's key.
        authenticatorSelection = Selection(authenticatorAttachment: isForLock ? "platform" : nil)
    }
}

/// Corresponds to `PublicKeyCredentialRequestOptionsJSON`.
package struct PasskeyRequest: Encodable, Sendable {
    let challenge: String
    let timeout = Limits.passkeyChallengeSeconds * 1_000
    let rpId: String
    let allowCredentials: [CredentialDescriptor]
    let userVerification = "required"

    init(at party: RelyingParty, challenge: [UInt8], allowed: [Passkey]) {
        self.challenge = Base64URL.encoded(challenge)
        rpId = party.id
        allowCredentials = allowed.map(CredentialDescriptor.init)
    }
}

/// Corresponds to `PublicKeyCredentialDescriptorJSON`.
struct CredentialDescriptor: Encodable, Sendable {
    let type = "public-key"
    let id: String
    let transports: [String]

    init(_ passkey: Passkey) {
        id = Base64URL.encoded(passkey.credentialID)
        transports = passkey.transports.map(\.rawValue)
    }
}

/// The user handle that authenticators store. It is the person's id, without name or email (WebAuthn Level 2, 14.6.1).
enum UserHandle {
    static func of(_ person: PersonID) -> [UInt8] { Array(person.description.utf8) }
}
