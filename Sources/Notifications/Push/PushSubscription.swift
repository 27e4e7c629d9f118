package import Kernel

/// A device that gets push messages, as its browser described it (RFC 8030, RFC 8291).
package struct PushSubscription: Sendable, Equatable {
    package let id: ID<PushSubscription>
    /// The URL at the push service. Anyone who knows it can send messages, so it is never shown or logged.
    package let endpoint: String
    /// The browser's public key: an uncompressed point on P-256, 65 bytes.
    let publicKey: [UInt8]
    /// The shared authentication secret, 16 bytes.
    let secret: [UInt8]
    /// The language of the page that subscribed, for accounts without a language setting.
    let language: String
}
