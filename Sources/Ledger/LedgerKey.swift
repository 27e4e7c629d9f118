import Crypto

/// The secret that authenticates the ledger's rows and batches. Its file is outside the database and the backups, so
/// an attacker with only the database can't forge rows.
package struct LedgerKey: Sendable {
    /// Thrown when a key is invalid.
    package enum Failure: Error, Equatable, Sendable {
        /// The key isn't 32 bytes long.
        case wrongLength
    }

    private static let byteCount = 32
    private static let salt = Array("homeward ledger".utf8)
    // Prepared once; each digest copies it.
    private let rowCode: HMAC<SHA256>
    private let signingKey: Curve25519.Signing.PrivateKey

    /// Derives the signing key for batches and the HMAC key for rows from 32 bytes (HKDF, RFC 5869).
    /// - Throws: ``Failure/wrongLength``.
    package init(bytes: [UInt8]) throws {
        guard bytes.count == Self.byteCount else { throw Failure.wrongLength }
        let secret = SymmetricKey(data: bytes)
        func derived(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: secret, salt: Self.salt, info: Array(purpose.utf8), outputByteCount: Self.byteCount
            )
        }
        rowCode = HMAC<SHA256>(key: derived("rows"))
        let seed = derived("batches").withUnsafeBytes { Array($0) }
        signingKey = try Curve25519.Signing.PrivateKey(rawRepresentation: seed)
    }

    /// Returns the row's digest (HMAC-SHA256).
    func digest(_ image: RowImage) -> [UInt8] { digest(image.bytes) }

    func digest(_ bytes: [UInt8]) -> [UInt8] {
        var code = rowCode
        code.update(data: bytes)
        return Array(code.finalize())
    }

    /// Whether `digest` is the row's digest; compares in constant time.
    func isDigest(_ digest: [UInt8], of image: RowImage) -> Bool {
        var code = rowCode
        code.update(data: image.bytes)
        return code.finalize() == digest
    }

    /// Returns the Ed25519 signature (RFC 8032).
    func sign(_ message: [UInt8]) throws -> [UInt8] { Array(try signingKey.signature(for: message)) }

    func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        signingKey.publicKey.isValidSignature(signature, for: message)
    }
}
