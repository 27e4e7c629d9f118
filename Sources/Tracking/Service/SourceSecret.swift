import Crypto
import Kernel

/// The secrets of sources: random, easy to type, and safe in a URL.
enum SourceSecret {
    static let secretBytes = 20
    static let userBytes = 5
    /// 16 bytes make 26 characters; a passphrase may have 32 bytes.
    static let passphraseBytes = 16

    // Crockford's alphabet: without i, l, o and u, which are easily misread.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// Returns the base32 text of random bytes.
    static func make(byteCount: Int, random: any RandomSource) -> String {
        var text: [UInt8] = []
        var buffer = 0
        var bits = 0
        for byte in random.bytes(byteCount) {
            buffer = (buffer << 8 | Int(byte)) & 0xffff
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[buffer >> bits & 31])
            }
        }
        if bits > 0 { text.append(alphabet[buffer << (5 - bits) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the SHA-256 of a secret: 160 random bits need no slow hash.
    static func hash(_ secret: String) -> [UInt8] { Array(SHA256.hash(data: Array(secret.utf8))) }
}
