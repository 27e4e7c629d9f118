import Crypto
import Kernel

/// An authenticator's response to the request for a new passkey.
package struct PasskeyRegistration: Sendable {
    /// The browser's JSON.
    package let clientData: [UInt8]
    /// The attestation object of the authenticator, in CBOR.
    package let attestation: [UInt8]
    /// The credential's id. It must match the authenticator data.
    package let credentialID: [UInt8]
    /// The transports by which browsers reach the authenticator. Unknown ones are left out.
    package let transports: [PasskeyTransport]

    /// Creates a registration from the decoded response.
    package init(
        clientData: [UInt8], attestation: [UInt8], credentialID: [UInt8], transports: [String]
    ) {
        self.clientData = clientData
        self.attestation = attestation
        self.credentialID = credentialID
        self.transports = PasskeyTransport.allCases.filter { transports.contains($0.rawValue) }
    }

    /// Verifies the registration by WebAuthn Level 2, 7.1, except for the challenge and the uniqueness of the
    /// credential, which are checked in the database. No attestation is requested, so a statement proves nothing and is
    /// ignored (step 19).
    func verified(for party: RelyingParty) throws(PasskeyError) -> NewPasskey {
        try ClientData(clientData).check(.create, for: party)
        guard attestation.count <= Limits.passkeyAttestationBytes,
            let object = (try? CBORReader.value(of: attestation))?.map, object.count == 3,
            let format = object[.text("fmt")]?.text, let statement = object[.text("attStmt")]?.map,
            let bytes = object[.text("authData")]?.bytes
        else { throw .attestation }
        // 8.7: the format `none` has an empty statement.
        guard format != "none" || statement.isEmpty else { throw .attestation }
        let data = try AuthenticatorData(bytes)
        try data.check(for: party)
        guard let credential = data.credential, credential.id == credentialID else { throw .credential }
        return NewPasskey(
            credentialID: credential.id, key: credential.key, signCount: data.signCount,
            isBackupEligible: data.isBackupEligible, isBackedUp: data.isBackedUp
        )
    }
}

/// An authenticator's response to the request for an assertion.
package struct PasskeyAssertion: Sendable {
    package let credentialID: [UInt8]
    /// The browser's JSON.
    package let clientData: [UInt8]
    /// The bytes that the authenticator signed.
    package let authenticatorData: [UInt8]
    /// The signature of the authenticator data and the hash of the client data.
    package let signature: [UInt8]
    /// The id of the credential's person. `nil` when the authenticator sends none.
    package let userHandle: [UInt8]?

    /// Creates an assertion from the decoded response.
    package init(
        credentialID: [UInt8], clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8],
        userHandle: [UInt8]?
    ) {
        self.credentialID = credentialID
        self.clientData = clientData
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
    }

    /// Verifies the assertion by WebAuthn Level 2, 7.2 from step 9, except for the challenge, which is checked in the
    /// database.
    /// - Parameter signCount: the stored counter.
    /// - Returns: the values to store from now on.
    func verified(
        by key: PasskeyKey, signCount: UInt32, for party: RelyingParty
    ) throws(PasskeyError) -> (signCount: UInt32, isBackedUp: Bool) {
        try ClientData(clientData).check(.get, for: party)
        guard authenticatorData.count <= Limits.passkeyAuthenticatorDataBytes else { throw .authenticatorData }
        let data = try AuthenticatorData(authenticatorData)
        // 6.1: an assertion contains no credential.
        guard data.credential == nil else { throw .authenticatorData }
        try data.check(for: party)
        let signed = authenticatorData + Array(SHA256.hash(data: clientData))
        guard key.isValid(signature, for: signed) else { throw .signature }
        // Step 21. Passkeys that are synchronized between devices don't count, and always send 0.
        guard data.signCount > signCount || (data.signCount == 0 && signCount == 0) else { throw .signCount }
        return (data.signCount, data.isBackedUp)
    }
}

/// The connection between a browser and an authenticator (WebAuthn Level 2, 5.8.4, and Level 3).
package enum PasskeyTransport: String, Sendable, CaseIterable {
    /// Part of the device.
    case `internal`
    /// Another device, over Bluetooth and network.
    case hybrid
    case usb
    case nfc
    /// Bluetooth Low Energy.
    case ble
    /// A smart card in a reader.
    case smartCard = "smart-card"
}

/// A verified credential that isn't stored yet.
struct NewPasskey: Sendable {
    let credentialID: [UInt8]
    let key: PasskeyKey
    let signCount: UInt32
    let isBackupEligible: Bool
    let isBackedUp: Bool
}
