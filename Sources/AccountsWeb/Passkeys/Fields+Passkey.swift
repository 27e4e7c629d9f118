import Accounts
import Kernel
import WebCore

/// Decodes the browser's `PublicKeyCredential.toJSON()` (WebAuthn Level 3, 5.1: `RegistrationResponseJSON`,
/// `AuthenticationResponseJSON`), from JSON or from form fields of the same names.
extension Fields {
    mutating func passkeyRegistration() -> PasskeyRegistration {
        PasskeyRegistration(
            clientData: requireBytes("response.clientDataJSON"),
            attestation: requireBytes("response.attestationObject"), credentialID: requireBytes("rawId"),
            transports: strings("response.transports", atMost: Limits.passkeyTransports).value ?? []
        )
    }

    mutating func passkeyAssertion() -> PasskeyAssertion {
        PasskeyAssertion(
            credentialID: requireBytes("rawId"), clientData: requireBytes("response.clientDataJSON"),
            authenticatorData: requireBytes("response.authenticatorData"),
            signature: requireBytes("response.signature"), userHandle: optionalBytes("response.userHandle")
        )
    }

    private mutating func requireBytes(_ name: String) -> [UInt8] {
        let text = require(name)
        guard !text.isEmpty else { return [] }
        guard let bytes = PasskeyText.decoded(text) else {
            addError(name, PasskeyText.malformed)
            return []
        }
        return bytes
    }

    private mutating func optionalBytes(_ name: String) -> [UInt8]? {
        guard let text = string(name).value, !text.isEmpty else { return nil }
        guard let bytes = PasskeyText.decoded(text) else {
            addError(name, PasskeyText.malformed)
            return nil
        }
        return bytes
    }
}
