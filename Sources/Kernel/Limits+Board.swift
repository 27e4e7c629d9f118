extension Limits {
    /// Notifications and changes that wait for the tracker's Bluetooth thread; the oldest are dropped. The longest
    /// message fits even in the smallest frames.
    package static let bluetoothQueue = 4_096
    /// Simultaneously connected devices that a tracker distinguishes.
    package static let bluetoothCentrals = 8
    /// The maximum number of seconds between a tracker's attempts to restore Bluetooth.
    package static let bluetoothRetrySecondsMaximum: UInt64 = 60
    /// Bytes of one line from gpsd.
    package static let gpsdLineBytes = 64 * 1024
    /// Bytes of one message from Hologram's cloud to a tracker.
    package static let cloudMessageBytes = 10 * 1024
    /// Simultaneous connections from Hologram's cloud that a tracker accepts.
    package static let cloudConnections = 4
    /// Bytes of the response of Hologram's socket.
    package static let cloudAnswerBytes = 256
    /// Bytes of the tracker's configuration file.
    package static let trackerConfigurationBytes = 64 * 1024
}
