import Crypto

/// The keys shared by a tracker and the server, derived from one X25519 agreement by HKDF-SHA256 (RFC 5869).
///
/// The salt contains both public keys, which binds the keys to this pair. Each direction and format has its own key, by
/// its own `info`.
package struct TrackerKeys: Equatable, Sendable {
    private let root: SymmetricKey
    let uplink: SymmetricKey
    let downlink: SymmetricKey
    let compactUplink: SymmetricKey
    let compactDownlink: SymmetricKey
    let finder: SymmetricKey

    /// The `info` strings; the number is the protocol version.
    enum Purpose: String {
        case uplink = "homeward-tracker-1 uplink"
        case downlink = "homeward-tracker-1 downlink"
        case compactUplink = "homeward-tracker-1 compact uplink"
        case compactDownlink = "homeward-tracker-1 compact downlink"
        case finder = "homeward-tracker-1 finder"
    }

    /// Derives the keys on the server.
    package init(server: KeyPair, trackerPublicKey: [UInt8]) throws(KeyFailure) {
        let secret = try server.sharedSecret(with: trackerPublicKey)
        self.init(secret: secret, trackerPublicKey: trackerPublicKey, serverPublicKey: server.publicKey)
    }

    /// Derives the keys on the tracker.
    package init(tracker: KeyPair, serverPublicKey: [UInt8]) throws(KeyFailure) {
        let secret = try tracker.sharedSecret(with: serverPublicKey)
        self.init(secret: secret, trackerPublicKey: tracker.publicKey, serverPublicKey: serverPublicKey)
    }

    /// Restores the keys from ``stored``; returns `nil` unless it has 32 bytes.
    package init?(stored: [UInt8]) {
        guard stored.count == 32 else { return nil }
        self.init(root: SymmetricKey(data: stored))
    }

    private init(secret: SymmetricKey, trackerPublicKey: [UInt8], serverPublicKey: [UInt8]) {
        let salt = trackerPublicKey + serverPublicKey
        let root = HKDF<SHA256>.extract(inputKeyMaterial: secret, salt: salt)
        self.init(root: SymmetricKey(data: root))
    }

    private init(root: SymmetricKey) {
        func key(_ purpose: Purpose) -> SymmetricKey {
            HKDF<SHA256>.expand(pseudoRandomKey: root, info: Array(purpose.rawValue.utf8), outputByteCount: 32)
        }
        self.root = root
        uplink = key(.uplink)
        downlink = key(.downlink)
        compactUplink = key(.compactUplink)
        compactDownlink = key(.compactDownlink)
        finder = key(.finder)
    }

    /// HKDF's pseudorandom key, 32 bytes, secret. It is all that has to be stored; later versions can derive further
    /// keys from it.
    package var stored: [UInt8] { root.withUnsafeBytes { Array($0) } }
}
