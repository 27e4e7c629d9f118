package import Kernel

extension Limits {
    /// Simultaneously connected devices that a tracker distinguishes.
    package static let bluetoothCentrals = 8
    /// The maximum number of seconds between a tracker's attempts to restore Bluetooth.
    package static let bluetoothRetrySecondsMaximum: UInt64 = 60
}
