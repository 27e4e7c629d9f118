import Kernel

/// `application/x-www-form-urlencoded` (WHATWG URL, 5.1), for bodies and queries.
package enum URLEncodedForm {
    /// The pairs in their order.
    /// - Parameter lenient: keeps invalid percent sequences and replaces bytes that aren't UTF-8; otherwise either
    ///   makes the whole text unreadable.
    /// - Returns: `nil` when the text is unreadable, isn't in the Stream-Safe Text Format, or has more than
    ///   ``Limits/formFields`` pairs.
    package static func pairs(of text: String, lenient: Bool = false) -> [(name: String, value: String)]? {
        pairs(of: Array(text.utf8), lenient: lenient)
    }

    /// The pairs of raw bytes, in their order.
    package static func pairs(of bytes: [UInt8], lenient: Bool = false) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        let isWhole = forEachPair(of: bytes) { rawName, rawValue in
            guard let name = text(rawName, lenient: lenient), let value = text(rawValue, lenient: lenient) else {
                return false
            }
            pairs.append((name, value))
            return true
        }
        return isWhole ? pairs : nil
    }

    /// The pairs of a form's body. A value that isn't in the Stream-Safe Text Format is `.overmarked`, so that its
    /// field gets the error; such a name makes the whole body unreadable.
    static func fields(of bytes: [UInt8]) -> [(name: String, value: FieldValue)]? {
        var fields: [(name: String, value: FieldValue)] = []
        let isWhole = forEachPair(of: bytes) { rawName, rawValue in
            guard let name = text(rawName, lenient: false), let value = decode(rawValue, lenient: false),
                let field = FieldValue(typed: value)
            else { return false }
            fields.append((name, field))
            return true
        }
        return isWhole ? fields : nil
    }

    /// - Returns: false when `body` returned false, or for more than ``Limits/formFields``.
    private static func forEachPair(
        of bytes: [UInt8], _ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool
    ) -> Bool {
        var count = 0
        for piece in bytes.split(separator: UInt8(ascii: "&")) {
            count += 1
            let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            let value = equals < piece.endIndex ? piece[(equals + 1)...] : []
            guard count <= Limits.formFields, body(piece[..<equals], value) else { return false }
        }
        return true
    }

    private static func text(_ bytes: ArraySlice<UInt8>, lenient: Bool) -> String? {
        guard let decoded = decode(bytes, lenient: lenient), StreamSafeText.isValid(decoded) else { return nil }
        return lenient ? String(decoding: decoded, as: UTF8.self) : String(validating: decoded, as: UTF8.self)
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, lenient: Bool) -> ArraySlice<UInt8>? {
        // Most names and values contain nothing to decode.
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return bytes }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "+") {
                decoded.append(UInt8(ascii: " "))
            } else if byte != UInt8(ascii: "%") {
                decoded.append(byte)
            } else if index + 1 < bytes.endIndex, let high = nibble(bytes[index]), let low = nibble(bytes[index + 1]) {
                decoded.append(high << 4 | low)
                index += 2
            } else if lenient {
                decoded.append(byte)
            } else {
                return nil
            }
        }
        return decoded[...]
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
