/// Escapes text for markup and tables, byte by byte. Swift's `Character` includes the combining marks that follow: an
/// escape that searches for `Character("\"")` doesn't find the quotation mark in `"` + U+0301, but a parser does.
package enum MarkupText {
    /// Escapes a text for the content of an HTML element and for a quoted attribute value. U+0000, which HTML doesn't
    /// allow, becomes the replacement character.
    package static func html(_ text: String) -> String {
        escaped(text) { byte in
            switch byte {
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            case UInt8(ascii: "\""): "&quot;"
            case UInt8(ascii: "'"): "&#39;"
            case 0: "\u{fffd}"
            default: nil
            }
        }
    }

    /// Doubles each quotation mark and adds outer quotation marks, for a cell of comma-separated values (RFC 4180).
    package static func quotedCell(_ text: String) -> String {
        "\"" + escaped(text) { $0 == UInt8(ascii: "\"") ? "\"\"" : nil } + "\""
    }

    /// Replaces single ASCII bytes, which in UTF-8 are never part of another character.
    private static func escaped(_ text: String, _ replacement: (UInt8) -> StaticString?) -> String {
        guard text.utf8.contains(where: { replacement($0) != nil }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + text.utf8.count / 4)
        for byte in text.utf8 {
            if let replacement = replacement(byte) {
                replacement.withUTF8Buffer { bytes.append(contentsOf: $0) }
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
