package import Kernel

/// A device that messages are sent to, as its browser described it (RFC 8030, RFC 8291).
package struct PushSubscription: Sendable, Equatable {
    /// Its id in the store.
    package let id: ID<PushSubscription>
    /// Where its push service takes messages for it. Whoever knows it can send there: it is never shown or logged.
    package let endpoint: String
    /// The browser's public key: a point on P-256, uncompressed, 65 bytes.
    let publicKey: [UInt8]
    /// The secret that the browser shares with us, 16 bytes.
    let secret: [UInt8]
    /// The language of the page that subscribed, for people who chose none in their account.
    let language: String
}
