import CSodium
import Foundation

/// OwnTracks' payload encryption: base64 of a 24-byte nonce and a libsodium secretbox (XSalsa20-Poly1305). The key is
/// the passphrase, padded with zeros to 32 bytes.
enum SecretBoxMessage {
    /// The maximum length of a passphrase in bytes.
    static let passphraseBytes = 32
    private static let nonceBytes = 24
    private static let tagBytes = 16

    /// Returns the message; `nil` when it was altered or sealed with another passphrase.
    static func open(base64: String, passphrase: String) -> [UInt8]? {
        guard let sealed = Data(base64Encoded: base64, options: .ignoreUnknownCharacters),
            sealed.count >= nonceBytes + tagBytes, let key = key(passphrase)
        else { return nil }
        let nonce = [UInt8](sealed.prefix(nonceBytes))
        let box = [UInt8](sealed.dropFirst(nonceBytes))
        var message = [UInt8](repeating: 0, count: box.count - tagBytes)
        let status = crypto_secretbox_open_easy(&message, box, UInt64(box.count), nonce, key)
        return status == 0 ? message : nil
    }

    private static func key(_ passphrase: String) -> [UInt8]? {
        let bytes = [UInt8](passphrase.utf8)
        guard bytes.count <= passphraseBytes else { return nil }
        return bytes + [UInt8](repeating: 0, count: passphraseBytes - bytes.count)
    }
}
