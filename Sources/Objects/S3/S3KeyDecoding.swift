import Kernel

/// Decoding of the keys in a list of objects.
enum S3KeyDecoding {
    /// Returns the key; `nil` for invalid percent-encoding or UTF-8.
    static func decoded(_ text: String) -> String? {
        var result: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let bytes = Hexadecimal.decoded(rest.prefix(2)), bytes.count == 1 else { return nil }
                result += bytes
                rest = rest.dropFirst(2)
            // Some services encode a space as in forms.
            case UInt8(ascii: "+"): result.append(UInt8(ascii: " "))
            default: result.append(byte)
            }
        }
        return String(validating: result, as: UTF8.self)
    }
}
