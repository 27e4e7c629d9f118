extension Limits {
    /// Notices and changes that wait for the tracker's Bluetooth thread; the oldest go first. The longest message has room
    /// in the smallest frames.
    package static let bluetoothQueue = 4_096
    /// Devices connected to a tracker at once that are kept apart.
    package static let bluetoothCentrals = 8
    /// Seconds between a tracker's tries to get on with Bluetooth, at the most.
    package static let bluetoothRetrySecondsMaximum: UInt64 = 60
    /// Bytes of one line of gpsd.
    package static let gpsdLineBytes = 64 * 1024
    /// Bytes that one message from Hologram's cloud to a tracker may have.
    package static let cloudMessageBytes = 10 * 1024
    /// Connections from Hologram's cloud that a tracker holds at once.
    package static let cloudConnections = 4
    /// Bytes of the answer of Hologram's socket.
    package static let cloudAnswerBytes = 256
    /// Bytes of the tracker's configuration file.
    package static let boardSettingsBytes = 64 * 1024
}
