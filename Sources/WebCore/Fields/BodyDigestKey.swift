import Crypto

/// The key of the digests of bodies, which are stored with idempotency keys. Bodies contain PINs and short codes.
/// Without the key, a reader of the database could find them by trying all of them.
package struct BodyDigestKey: Sendable {
    private static let keyBytes = 32
    private static let purpose = "idempotent bodies"

    private let key: SymmetricKey

    /// Derives the key from the server's secret (HKDF, RFC 5869).
    package init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array(Self.purpose.utf8),
            outputByteCount: Self.keyBytes)
    }

    /// Returns the keyed digest (HMAC-SHA256) of the fields that were read so far; see ``Fields/plainDigest``.
    func digest(of fields: Fields) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: fields.plainDigest, using: key))
    }
}
