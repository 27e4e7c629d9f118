import Crypto

/// The secret that the ledger's rows and batches are made with. It lives in a file of its own, outside the database and
/// its backups: who has only the database can change rows, but can't make them fit.
package struct LedgerKey: Sendable {
    /// What can be wrong with a key.
    package enum Failure: Error, Equatable, Sendable {
        /// It isn't 32 bytes long.
        case wrongLength
    }

    private static let byteCount = 32
    private static let salt = Array("homeward ledger".utf8)
    // Prepared once: each row's digest begins with a copy.
    private let rowCode: HMAC<SHA256>
    private let signingKey: Curve25519.Signing.PrivateKey

    /// Makes the key of 32 bytes; what signs batches and what guards rows are derived from it (HKDF, RFC 5869).
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

    /// The digest of a row: HMAC-SHA256.
    func digest(_ image: RowImage) -> [UInt8] { digest(image.bytes) }

    func digest(_ bytes: [UInt8]) -> [UInt8] {
        var code = rowCode
        code.update(data: bytes)
        return Array(code.finalize())
    }

    /// Whether `digest` is the row's; takes the same time wherever they differ.
    func isDigest(_ digest: [UInt8], of image: RowImage) -> Bool {
        var code = rowCode
        code.update(data: image.bytes)
        return code.finalize() == digest
    }

    /// Ed25519 (RFC 8032).
    func sign(_ message: [UInt8]) throws -> [UInt8] { Array(try signingKey.signature(for: message)) }

    func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        signingKey.publicKey.isValidSignature(signature, for: message)
    }
}
