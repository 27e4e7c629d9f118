package import Kernel

extension Limits {
    /// Bytes of one frame over Bluetooth: fits into the smallest usual MTU that devices negotiate.
    package static let bluetoothFrameBytes = 180
    /// The minimum frame size in bytes over Bluetooth: fits on every link (Bluetooth Core, ATT_MTU 23).
    package static let bluetoothFrameBytesMinimum = 20
    /// Bytes of one message over Bluetooth: the longest one over HTTP plus id and signature.
    package static let bluetoothMessageBytes = ingestBytes + 48
    /// Bytes of a tracker's identity over Bluetooth; a characteristic holds no more.
    package static let bluetoothIdentityBytes = 512

    /// Fixes in one message of a tracker.
    package static let fixesPerMessage = 200
    /// Commands in one response to a tracker.
    package static let commandsPerMessage = 16
    /// Acknowledgements in one message of a tracker.
    package static let acknowledgementsPerMessage = 32
    /// ASCII characters of the reason for a command's failure.
    package static let commandReasonCharacters = 64
}
