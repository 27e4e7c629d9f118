package import Kernel
package import TrackerProtocol

/// The data that a nearby tracker sent to the phone over Bluetooth, before validation.
package struct RegistrationInput: Sendable, Hashable {
    /// The tracker's X25519 public key, 64 hexadecimal digits.
    package let publicKey: String
    /// The hash of its claim code, 64 hexadecimal digits.
    package let codeHash: String
    /// Its challenge, 32 hexadecimal digits.
    package let challenge: String

    package init(publicKey: String, codeHash: String, challenge: String) {
        self.publicKey = publicKey
        self.codeHash = codeHash
        self.challenge = challenge
    }
}

/// The command that releases an unconfirmed tracker, for transmission over Bluetooth.
package struct TrackerRelease: Sendable, Hashable {
    package let tracker: TrackerID
    /// The command as a compact frame.
    package let frame: [UInt8]
}

/// A register request, for transmission to the tracker over Bluetooth.
package struct TrackerRegistration: Sendable, Hashable {
    package let tracker: TrackerID
    /// The signed request, packed.
    package let request: [UInt8]
    /// The time from which neither the tracker nor the server accepts it.
    package let expiresAt: Instant
}
