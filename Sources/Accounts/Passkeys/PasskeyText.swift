/// Bytes as `PublicKeyCredential.toJSON()` writes them: base 64 for URLs, without padding (RFC 4648, 5).
package enum PasskeyText {
    /// What is said at a field that holds anything else.
    package static let malformed = "This is not base64url."

    /// The bytes; `nil` for any other text.
    package static func decoded(_ text: String) -> [UInt8]? { Base64URL.strictlyDecoded(text) }
}
