package import Kernel
package import TrackerProtocol

/// What a tracker near tells of itself over Bluetooth, as it was handed on; checked by the service.
package struct RegistrationInput: Sendable, Hashable {
    /// The tracker's X25519 public key, 64 hexadecimal digits.
    package let publicKey: String
    /// The hash of its claim code, 64 hexadecimal digits.
    package let codeHash: String
    /// Its challenge, 32 hexadecimal digits.
    package let challenge: String

    /// Makes the input.
    package init(publicKey: String, codeHash: String, challenge: String) {
        self.publicKey = publicKey
        self.codeHash = codeHash
        self.challenge = challenge
    }
}

/// The command that frees a tracker which hasn't confirmed its release yet, to be handed to it over Bluetooth.
package struct TrackerRelease: Sendable, Hashable {
    /// The tracker's id.
    package let tracker: TrackerID
    /// The command as a compact frame.
    package let frame: [UInt8]
}

/// A register request, to be handed to the tracker over Bluetooth.
package struct TrackerRegistration: Sendable, Hashable {
    /// The tracker's id.
    package let tracker: TrackerID
    /// The signed request, packed.
    package let request: [UInt8]
    /// From this instant on neither the tracker nor the server takes it.
    package let expiresAt: Instant
}
