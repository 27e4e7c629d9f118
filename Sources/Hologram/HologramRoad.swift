package import Kernel

/// A message to a device, as bytes that arrive at a TCP port of it.
package struct HologramMessage: Sendable, Equatable {
    /// The port at which devices listen for messages of Hologram's cloud.
    package static let port = 4010

    /// The device's id at Hologram.
    package let device: Int64
    /// What it gets.
    package let payload: [UInt8]

    /// Makes a message.
    package init(device: Int64, payload: [UInt8]) {
        self.device = device
        self.payload = payload
    }
}

/// Which records of devices are asked for. Hologram answers with the newest first.
package struct HologramQuery: Sendable, Equatable {
    /// Only records of this topic.
    package let topic: String
    /// Only records from then on, to the second.
    package let from: Instant
    /// Only records up to then, to the second; `nil` for no end.
    package let until: Instant?
    /// Only records older than that one: the last of the page before.
    package let after: Int64?

    /// Makes a query.
    package init(topic: String, from: Instant, until: Instant? = nil, after: Int64? = nil) {
        self.topic = topic
        self.from = from
        self.until = until
        self.after = after
    }
}

/// Why Hologram did not do what it was asked.
package enum HologramFailure: Error, Hashable, Sendable {
    /// No answer in time, or no connection; says which.
    case unreachable(String)
    /// Too many requests of this account; seconds to wait where the answer says so.
    case busy(seconds: Int64?)
    /// It is not well (a status from 500 on, or one that asks to come again).
    case unavailable(status: Int)
    /// The key is none of theirs.
    case wrongKey
    /// It says no, and would say so again: the device is not the account's, or paused.
    case refused(status: Int)
    /// An answer that is none of the documented ones.
    case unreadable
    /// The message is larger than ``Limits/hologramMessageBytes``.
    case tooLarge
}

/// The road to Hologram's cloud and from there to devices: the REST API at `https://dashboard.hologram.io/api/1`.
package protocol HologramRoad: Sendable {
    /// Hands a message to the cloud. When it returns, the cloud has queued the message; whether the device gets it,
    /// only the device can say.
    /// - Throws: ``HologramFailure``.
    func send(_ message: HologramMessage) async throws(HologramFailure)
    /// Reads a page of what devices have sent.
    /// - Throws: ``HologramFailure``.
    func records(_ query: HologramQuery) async throws(HologramFailure) -> HologramPage
}
