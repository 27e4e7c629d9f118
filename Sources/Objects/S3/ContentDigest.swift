import Crypto
import Kernel

/// The SHA-256 of a request's or object's content, as S3 writes it.
enum ContentDigest {
    static func text(_ bytes: [UInt8]) -> String { Hexadecimal.encoded(SHA256.hash(data: bytes)) }
}
