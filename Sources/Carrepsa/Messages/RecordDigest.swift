import Crypto
import Kernel

/// Digests of texts that can be deleted later. They include random bytes, which are deleted with the text, so that the
/// remaining digest says nothing about it.
enum RecordDigest {
    /// Returns the bytes of a content, in which no field can be shifted into another.
    static func image(_ salt: [UInt8], _ fields: [String?]) -> [UInt8] {
        fields.reduce(into: salt) { bytes, field in
            guard let field else { return bytes += Array("-\n".utf8) }
            bytes += Array("\(field.utf8.count) ".utf8) + Array(field.utf8) + [UInt8(ascii: "\n")]
        }
    }
}
