import Kernel

/// The authenticator data, which the authenticator signs (WebAuthn Level 2, 6.1).
struct AuthenticatorData: Sendable {
    /// A new credential (6.5.1).
    struct Credential: Sendable {
        let id: [UInt8]
        let key: PasskeyKey
    }

    private enum Flag {
        static let userPresent: UInt8 = 0x01
        static let userVerified: UInt8 = 0x04
        // Level 3, 6.1.3; reserved in Level 2.
        static let backupEligible: UInt8 = 0x08
        static let backedUp: UInt8 = 0x10
        static let hasCredential: UInt8 = 0x40
        static let hasExtensions: UInt8 = 0x80
    }

    private static let hashBytes = 32
    /// The length of hash, flags and counter.
    private static let headBytes = 37
    /// The length of the AAGUID and of the length of the credential's id.
    private static let credentialHeadBytes = 18

    private let relyingPartyHash: [UInt8]
    private let flags: UInt8
    /// The authenticator's signature counter; 0 when it doesn't count.
    let signCount: UInt32
    /// Present only in registrations.
    let credential: Credential?

    init(_ bytes: [UInt8]) throws(PasskeyError) {
        guard bytes.count >= Self.headBytes else { throw .authenticatorData }
        relyingPartyHash = Array(bytes[..<Self.hashBytes])
        flags = bytes[Self.hashBytes]
        signCount = bytes[(Self.hashBytes + 1)..<Self.headBytes].reduce(0) { $0 << 8 | UInt32($1) }
        var end = Self.headBytes
        if flags & Flag.hasCredential != 0 {
            (credential, end) = try Self.credential(in: bytes, at: end)
        } else {
            credential = nil
        }
        if flags & Flag.hasExtensions != 0 {
            var reader = CBORReader(bytes, at: end)
            guard let extensions = try? reader.value(), extensions.map != nil else { throw .authenticatorData }
            end = reader.position
        }
        guard end == bytes.count else { throw .authenticatorData }
    }

    var isBackupEligible: Bool { flags & Flag.backupEligible != 0 }
    var isBackedUp: Bool { flags & Flag.backedUp != 0 }

    /// Verifies the relying party and the flags (WebAuthn Level 2, 7.1 steps 13 to 15 and 7.2 steps 15 to 17).
    func check(for party: RelyingParty) throws(PasskeyError) {
        guard relyingPartyHash == party.idHash else { throw .relyingParty }
        guard flags & Flag.userPresent != 0 else { throw .userPresence }
        guard flags & Flag.userVerified != 0 else { throw .userVerification }
        guard isBackupEligible || !isBackedUp else { throw .backupState }
    }

    private static func credential(
        in bytes: [UInt8], at start: Int
    ) throws(PasskeyError) -> (Credential, end: Int) {
        let idStart = start + credentialHeadBytes
        guard bytes.count >= idStart else { throw .authenticatorData }
        let length = Int(bytes[idStart - 2]) << 8 | Int(bytes[idStart - 1])
        guard Limits.passkeyIDBytes.contains(length), bytes.count - idStart >= length else { throw .authenticatorData }
        var reader = CBORReader(bytes, at: idStart + length)
        guard let value = try? reader.value() else { throw .authenticatorData }
        let key = try PasskeyKey(cose: value)
        return (Credential(id: Array(bytes[idStart..<idStart + length]), key: key), reader.position)
    }
}
