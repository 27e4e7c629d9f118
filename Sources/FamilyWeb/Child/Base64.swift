import Foundation

/// Bytes as text (RFC 4648, 4), for pictures inside a page.
enum Base64 {
    static func text(of bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
