import Kernel

/// `application/x-www-form-urlencoded` (WHATWG URL, 5.1), for bodies and queries.
package enum URLEncodedForm {
    /// The pairs in their order.
    /// - Parameter lenient: a broken percent sequence is kept as it stands and bytes that are no UTF-8 are replaced;
    ///   else either makes the whole unreadable.
    /// - Returns: `nil` when unreadable or more than ``Limits/formFields``.
    package static func pairs(of text: String, lenient: Bool = false) -> [(name: String, value: String)]? {
        pairs(of: Array(text.utf8), lenient: lenient)
    }

    /// The pairs of raw bytes, in their order.
    package static func pairs(of bytes: [UInt8], lenient: Bool = false) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for piece in bytes.split(separator: UInt8(ascii: "&")) {
            guard pairs.count < Limits.formFields else { return nil }
            let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            let rawValue = equals < piece.endIndex ? piece[(equals + 1)...] : []
            guard
                let name = decode(piece[..<equals], lenient: lenient), let value = decode(rawValue, lenient: lenient)
            else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, lenient: Bool) -> String? {
        // Most names and values hold nothing to decode.
        if !bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) {
            return lenient ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
        }
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
        return lenient ? String(decoding: decoded, as: UTF8.self) : String(validating: decoded, as: UTF8.self)
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
