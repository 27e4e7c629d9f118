package import Kernel

/// A key pair on somebody's devices, of which we know the public half.
package struct Passkey: Sendable, Equatable {
    /// Our id of it; not the credential's.
    package let id: ID<Passkey>
    /// Whose it is.
    package let person: PersonID
    /// For people, after the device on which it was made: `Chrome on Android`.
    package let name: String
    /// Whether its owner's other devices have it, too.
    package let isBackedUp: Bool
    /// When it was made.
    package let createdAt: Instant
    /// When it was last used; `nil` before that.
    package let lastUsedAt: Instant?
    /// The authenticator's id of it.
    let credentialID: [UInt8]
    let transports: [PasskeyTransport]
}

/// What opening the lock by a passkey is set to.
package struct TouchID: Sendable, Equatable {
    /// There is a lock: a passcode is set.
    package let isAvailable: Bool
    /// The lock opens by a passkey; there is at least one.
    package let isOn: Bool
    /// Somebody has said whether it should.
    package let isDecided: Bool
}
