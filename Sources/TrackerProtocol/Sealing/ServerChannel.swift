package import Kernel

/// The server's record of the last accepted message of a tracker.
package struct UplinkMark: Hashable, Sendable {
    package let counter: Int64
    /// The message's authentication tag, 32 bytes. Distinguishes a repeat from another message with the same counter.
    package let tag: [UInt8]

    package init(counter: Int64, tag: [UInt8]) {
        self.counter = counter
        self.tag = tag
    }
}

/// An authentic message and how to process it.
package enum UplinkReceipt: Hashable, Sendable {
    /// A new message: process it and store the mark in the same transaction.
    case fresh(Uplink, UplinkMark)
    /// A repeat of the last message because its response was lost: change nothing, send a new response.
    case repeated(Uplink)
}

/// Thrown when a message is rejected.
package enum UplinkRefusal: Error, Hashable, Sendable {
    /// The signature is missing or wrong; no content can be trusted.
    case unauthenticated
    /// Authentic, but it can't be read; `counter` if that could be read.
    case malformed(counter: Int64?)
    /// Authentic, but its counter is not above the last one: a replay, or a tracker that lost its memory.
    case stale(counter: Int64, last: Int64)

    /// The HTTP status of the response.
    package var status: Int {
        switch self {
        case .unauthenticated: 401
        case .malformed: 400
        case .stale: 409
        }
    }
}

/// The server's end of the channel to one tracker.
package struct ServerChannel: Sendable {
    let tracker: TrackerID
    let keys: TrackerKeys

    package init(tracker: TrackerID, keys: TrackerKeys) {
        self.tracker = tracker
        self.keys = keys
    }

    /// Verifies and reads a message.
    /// - Parameters:
    ///   - body: the bytes as received.
    ///   - signature: the value of the header ``TrackerHTTP/signatureHeader``.
    ///   - last: the mark of the last accepted message of this tracker.
    package func receive(
        _ body: [UInt8], signature: String?, last: UplinkMark?
    ) throws(UplinkRefusal) -> UplinkReceipt {
        guard let tag = Seal.verify(body, signature: signature, .uplink, tracker: tracker, key: keys.uplink) else {
            throw .unauthenticated
        }
        let uplink = try UplinkJSON.decode(body)
        guard let last, uplink.counter <= last.counter else {
            return .fresh(uplink, UplinkMark(counter: uplink.counter, tag: tag))
        }
        guard uplink.counter == last.counter, tag == last.tag else {
            throw .stale(counter: uplink.counter, last: last.counter)
        }
        return .repeated(uplink)
    }

    /// Returns the signed response to an accepted message.
    package func seal(_ downlink: Downlink) -> SealedMessage { seal(DownlinkJSON.encode(downlink)) }

    /// Returns the signed response to a rejected authentic message; `nil` when its counter is unknown.
    package func seal(refusing refusal: UplinkRefusal, at: Instant) -> SealedMessage? {
        DownlinkJSON.encode(refusing: refusal, at: at).map(seal)
    }

    private func seal(_ body: [UInt8]) -> SealedMessage {
        let tag = Seal.tag(body, .downlink, tracker: tracker, key: keys.downlink)
        return SealedMessage(body: body, signature: Hexadecimal.encoded(tag))
    }

    func pack(_ body: [UInt8], _ direction: Direction) -> [UInt8] {
        let tag = Seal.tag(body, direction, tracker: tracker, key: keys.downlink)
        return PackedMessage(tracker: tracker, sealed: SealedMessage(body: body, signature: Hexadecimal.encoded(tag)))
            .bytes
    }
}
