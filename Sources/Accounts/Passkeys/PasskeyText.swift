import Kernel

/// The encoding of bytes in `PublicKeyCredential.toJSON()`: base64url without padding (RFC 4648, 5).
package enum PasskeyText {
    /// The error message for a field with any other content.
    package static let malformed = "This is not base64url."

    /// Returns the bytes. `nil` for any other text.
    package static func decoded(_ text: String) -> [UInt8]? { Base64URL.strictlyDecoded(text) }
}
