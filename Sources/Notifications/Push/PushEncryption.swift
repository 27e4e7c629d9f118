import Crypto

/// End-to-end encryption of push messages: RFC 8291 (keys) and RFC 8188 (`aes128gcm`, the encoding).
enum PushEncryption {
    /// The length of an uncompressed public key on P-256.
    static let keyBytes = 65
    static let saltBytes = 16
    private static let recordBytes: UInt32 = 4_096
    private static let tagBytes = 16
    /// The delimiter after the text of the last record; padding zeroes may follow it (RFC 8188, 2).
    private static let lastRecordMark: UInt8 = 2

    /// Encrypts a message for the browser that subscribed.
    /// - Parameters:
    ///   - browserKey: the subscription's public key.
    ///   - secret: the subscription's secret.
    ///   - ownKey: a new random key for each message.
    ///   - salt: 16 new random bytes for each message.
    /// - Throws: the CryptoKit error if `browserKey` isn't a point on the curve.
    static func seal(
        _ message: [UInt8], browserKey: [UInt8], secret: [UInt8], ownKey: P256.KeyAgreement.PrivateKey, salt: [UInt8]
    ) throws -> [UInt8] {
        precondition(message.count + 1 + tagBytes <= recordBytes, "a message is one record")
        let ownPublicKey = Array(ownKey.publicKey.x963Representation)
        let shared = try ownKey.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: browserKey)
        )
        // RFC 8291, 3.4: the secret prevents the push service, which knows both public keys, from intercepting
        // messages.
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret, sharedInfo: Array("WebPush: info\0".utf8) + browserKey + ownPublicKey,
            outputByteCount: 32
        )
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), outputByteCount: 16
        )
        let nonce = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), outputByteCount: 12
        )
        // The first record's number is 0, so the nonce is unchanged (RFC 8188, 2.3).
        let sealed = try AES.GCM.seal(
            message + [lastRecordMark], using: key, nonce: AES.GCM.Nonce(data: nonce.withUnsafeBytes { Array($0) })
        )
        let size = withUnsafeBytes(of: recordBytes.bigEndian) { Array($0) }
        return salt + size + [UInt8(keyBytes)] + ownPublicKey + Array(sealed.ciphertext) + Array(sealed.tag)
    }
}
