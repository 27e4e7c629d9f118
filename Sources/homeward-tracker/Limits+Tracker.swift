package import Kernel

extension Limits {
    /// Bytes of one line from gpsd.
    package static let gpsdLineBytes = 64 * 1024
    /// Bytes of one message from Hologram's cloud to a tracker.
    package static let cloudMessageBytes = 10 * 1024
    /// Simultaneous connections from Hologram's cloud that a tracker accepts.
    package static let cloudConnections = 4
    /// Bytes of the response of Hologram's socket.
    package static let cloudResponseBytes = 256
}
