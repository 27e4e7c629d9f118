package import Kernel

/// The public half of a key pair on a person's devices.
package struct Passkey: Sendable, Equatable {
    /// The server's id of it, not the credential's.
    package let id: ID<Passkey>
    package let person: PersonID
    /// The displayed name, after the device that created it: `Chrome on Android`.
    package let name: String
    /// Whether it is backed up, so that the owner's other devices have it too.
    package let isBackedUp: Bool
    package let createdAt: Instant
    /// `nil` before the first use.
    package let lastUsedAt: Instant?
    /// The id that the authenticator gave it.
    let credentialID: [UInt8]
    let transports: [PasskeyTransport]
}

/// The setting for unlocking by a passkey.
package struct TouchID: Sendable, Equatable {
    /// Whether a passcode is set, without which there is no lock.
    package let isAvailable: Bool
    /// Whether a passkey unlocks. True only if there is one.
    package let isOn: Bool
    /// Whether the person has made the choice.
    package let isDecided: Bool
}
