import Crypto
import Kernel

/// An authenticator's answer to being asked for a new passkey, as the browser gives it.
package struct PasskeyRegistration: Sendable {
    /// The browser's words.
    package let clientData: [UInt8]
    /// The authenticator's.
    package let attestation: [UInt8]
    /// The credential's id, which must be the authenticator's.
    package let credentialID: [UInt8]
    /// How browsers reach the authenticator; words that aren't known are left out.
    package let transports: [PasskeyTransport]

    /// Takes an answer.
    package init(
        clientData: [UInt8], attestation: [UInt8], credentialID: [UInt8], transports: [String]
    ) {
        self.clientData = clientData
        self.attestation = attestation
        self.credentialID = credentialID
        self.transports = PasskeyTransport.allCases.filter { transports.contains($0.rawValue) }
    }

    /// WebAuthn Level 2, 7.1, but for the challenge and whether the credential is new, which the store knows. We ask
    /// for no attestation, so a statement that comes all the same proves nothing to us and is not looked at (step 19).
    func verified(for party: RelyingParty) throws(PasskeyFault) -> NewPasskey {
        try ClientData(clientData).check(.create, for: party)
        guard attestation.count <= Limits.passkeyAttestationBytes,
            let object = (try? CBORReader.value(of: attestation))?.map, object.count == 3,
            let format = object[.text("fmt")]?.text, let statement = object[.text("attStmt")]?.map,
            let bytes = object[.text("authData")]?.bytes
        else { throw .attestation }
        // 8.7: "none" has nothing to state.
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

/// An authenticator's answer to being asked for a proof, as the browser gives it.
package struct PasskeyAssertion: Sendable {
    /// The credential's id.
    package let credentialID: [UInt8]
    /// The browser's words.
    package let clientData: [UInt8]
    /// The authenticator's.
    package let authenticatorData: [UInt8]
    /// Over both.
    package let signature: [UInt8]
    /// Whose the credential is, as the authenticator was told; `nil` when it doesn't say.
    package let userHandle: [UInt8]?

    /// Takes an answer.
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

    /// WebAuthn Level 2, 7.2 from step 9, but for the challenge, which the store knows.
    /// - Parameter signCount: what the store keeps of the times before.
    /// - Returns: what the store is to keep from now on.
    func verified(
        by key: PasskeyKey, signCount: UInt32, for party: RelyingParty
    ) throws(PasskeyFault) -> (signCount: UInt32, isBackedUp: Bool) {
        try ClientData(clientData).check(.get, for: party)
        guard authenticatorData.count <= Limits.passkeyAuthenticatorDataBytes else { throw .authenticatorData }
        let data = try AuthenticatorData(authenticatorData)
        // 6.1: a proof brings no credential along.
        guard data.credential == nil else { throw .authenticatorData }
        try data.check(for: party)
        let signed = authenticatorData + Array(SHA256.hash(data: clientData))
        guard key.isValid(signature, for: signed) else { throw .signature }
        // Step 21. Passkeys that are the same on several devices don't count, and always say 0.
        guard data.signCount > signCount || (data.signCount == 0 && signCount == 0) else { throw .signCount }
        return (data.signCount, data.isBackedUp)
    }
}

/// How a browser reaches an authenticator (WebAuthn Level 2, 5.8.4, and Level 3).
package enum PasskeyTransport: String, Sendable, CaseIterable {
    /// Part of the device.
    case `internal`
    /// Another device, by Bluetooth and network.
    case hybrid
    /// Plugged in.
    case usb
    /// Held to it.
    case nfc
    /// By Bluetooth alone.
    case ble
    /// A card in a reader.
    case smartCard = "smart-card"
}

/// A credential that was just made and is going to be kept.
struct NewPasskey: Sendable {
    let credentialID: [UInt8]
    let key: PasskeyKey
    let signCount: UInt32
    let isBackupEligible: Bool
    let isBackedUp: Bool
}
