package import Kernel

/// A message to a TCP port of a device.
package struct HologramMessage: Sendable, Equatable {
    /// The port at which devices listen for messages of Hologram's cloud.
    package static let port = 4010

    /// The device's id at Hologram.
    package let device: Int64
    package let payload: [UInt8]

    package init(device: Int64, payload: [UInt8]) {
        self.device = device
        self.payload = payload
    }
}

/// A query for device records. Hologram returns the newest first.
package struct HologramQuery: Sendable, Equatable {
    package let topic: String
    /// The earliest time of a record, in whole seconds.
    package let from: Instant
    /// The latest time of a record, in whole seconds; `nil` for no limit.
    package let until: Instant?
    /// Returns only records older than this one, the last of the previous page.
    package let after: Int64?

    package init(topic: String, from: Instant, until: Instant? = nil, after: Int64? = nil) {
        self.topic = topic
        self.from = from
        self.until = until
        self.after = after
    }
}

/// The reason that a request to Hologram failed.
package enum HologramFailure: Error, Hashable, Sendable {
    /// No connection, or no response in time; with a description.
    case unreachable(String)
    /// Too many requests of this account; the seconds to wait if the response names them.
    case busy(seconds: Int64?)
    /// A temporary failure: a status from 500 on, or one that asks for a retry.
    case unavailable(status: Int)
    /// Hologram rejects the API key.
    case wrongKey
    /// A permanent refusal: the device isn't the account's, or it is paused.
    case refused(status: Int)
    /// The response doesn't match the documentation.
    case unreadable
    /// The message is larger than ``Limits/hologramMessageBytes``.
    case tooLarge
}

/// A client for Hologram's REST API at `https://dashboard.hologram.io/api/1`, which reaches devices through Hologram's
/// cloud.
package protocol HologramClient: Sendable {
    /// Sends a message to the cloud. On return the cloud has queued the message; only the device can confirm its
    /// delivery.
    /// - Throws: ``HologramFailure``.
    func send(_ message: HologramMessage) async throws(HologramFailure)
    /// Returns a page of the devices' messages.
    /// - Throws: ``HologramFailure``.
    func records(_ query: HologramQuery) async throws(HologramFailure) -> HologramPage
}
