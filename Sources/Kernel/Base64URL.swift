import Foundation

/// Base64url without padding (RFC 4648, section 5).
package enum Base64URL {
    /// Returns the text without padding.
    package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns the bytes; `nil` if the text is invalid. Accepts padding, which some libraries of browsers add.
    package static func decoded(_ text: String) -> [UInt8]? {
        var base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        while base64.utf8.last == UInt8(ascii: "=") { base64.removeLast() }
        guard base64.utf8.count % 4 != 1 else { return nil }
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        return Data(base64Encoded: base64).map(Array.init)
    }

    /// Returns the bytes; `nil` for any text that ``encoded(_:)`` doesn't return, such as one with padding.
    package static func strictlyDecoded(_ text: String) -> [UInt8]? {
        guard let bytes = decoded(text), encoded(bytes) == text else { return nil }
        return bytes
    }
}
