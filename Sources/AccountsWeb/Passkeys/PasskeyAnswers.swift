import Accounts
import Foundation
import Hummingbird
import Kernel
import WebCore

/// Decodes the browser's `PublicKeyCredential.toJSON()` (WebAuthn Level 3, 5.1: `RegistrationResponseJSON`,
/// `AuthenticationResponseJSON`), from JSON or from form fields of the same names.
extension Fields {
    mutating func passkeyRegistration() -> PasskeyRegistration {
        PasskeyRegistration(
            clientData: requireBytes("response.clientDataJSON"),
            attestation: requireBytes("response.attestationObject"), credentialID: requireBytes("rawId"),
            transports: strings("response.transports").value ?? []
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
            note(name, PasskeyText.malformed)
            return []
        }
        return bytes
    }

    private mutating func optionalBytes(_ name: String) -> [UInt8]? {
        guard let text = string(name).value, !text.isEmpty else { return nil }
        guard let bytes = PasskeyText.decoded(text) else {
            note(name, PasskeyText.malformed)
            return nil
        }
        return bytes
    }
}

/// The cookie that binds a challenge to the browser that requested it before the sign-in.
enum PasskeyCookie {
    private static func name(_ site: Site) -> String { site.isSecure ? "__Host-homeward-passkey" : "homeward-passkey" }

    static func value(_ context: some WebContext) -> String? { context.cookie(name(context.site)) }

    static func set(_ value: String, on response: inout Response, _ context: some WebContext) {
        append("\(value); Max-Age=\(Limits.passkeyChallengeSeconds)", to: &response, context)
    }

    static func clear(on response: inout Response, _ context: some WebContext) {
        guard value(context) != nil else { return }
        append("; Max-Age=0", to: &response, context)
    }

    // Strict: no request with this cookie comes from another website.
    private static func append(_ content: String, to response: inout Response, _ context: some WebContext) {
        let security = context.site.isSecure ? "; Secure" : ""
        let cookie = "\(name(context.site))=\(content); Path=/; HttpOnly; SameSite=Strict\(security)"
        response.headers[values: .setCookie].append(cookie)
    }
}
