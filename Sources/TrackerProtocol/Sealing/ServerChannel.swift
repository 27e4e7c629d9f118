package import Kernel

/// What the server remembers of the last message that it took from a tracker.
package struct UplinkMark: Hashable, Sendable {
    /// Its counter.
    package let counter: Int64
    /// Its authentication tag, 32 bytes: tells a repeat of it from another message with the same counter.
    package let tag: [UInt8]

    /// Makes a mark of what was stored.
    package init(counter: Int64, tag: [UInt8]) {
        self.counter = counter
        self.tag = tag
    }
}

/// An authentic message, and what to do with it.
package enum UplinkReceipt: Hashable, Sendable {
    /// New: take it, and store the mark in the same transaction.
    case fresh(Uplink, UplinkMark)
    /// The last message once more, because its answer was lost: change nothing, answer afresh.
    case repeated(Uplink)
}

/// Why a message is not taken.
package enum UplinkRefusal: Error, Hashable, Sendable {
    /// No or a wrong signature; nothing in it can be believed.
    case unauthenticated
    /// Authentic, but it can't be read; `counter` as far as that could be.
    case malformed(counter: Int64?)
    /// Authentic, but its counter is not above the last one: a replay, or a tracker that lost its memory.
    case stale(counter: Int64, last: Int64)

    /// The HTTP status to answer with.
    package var status: Int {
        switch self {
        case .unauthenticated: 401
        case .malformed: 400
        case .stale: 409
        }
    }
}

/// The server's end of the conversation with one tracker.
package struct ServerChannel: Sendable {
    let tracker: TrackerID
    let keys: TrackerKeys

    /// Makes the end for a tracker and its keys.
    package init(tracker: TrackerID, keys: TrackerKeys) {
        self.tracker = tracker
        self.keys = keys
    }

    /// Checks and reads a message.
    /// - Parameters:
    ///   - body: the bytes as they arrived.
    ///   - signature: the value of the header ``TrackerHTTP/signatureHeader``.
    ///   - last: the mark of the last message that was taken from this tracker.
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

    /// The answer to a message that was taken.
    package func seal(_ downlink: Downlink) -> SealedMessage { seal(DownlinkJSON.encode(downlink)) }

    /// The answer to an authentic message that was not taken; `nil` when there is nothing to tie an answer to.
    package func seal(refusing refusal: UplinkRefusal, at: Instant) -> SealedMessage? {
        DownlinkJSON.encode(refusing: refusal, at: at).map(seal)
    }

    private func seal(_ body: [UInt8]) -> SealedMessage {
        let tag = Seal.tag(body, .downlink, tracker: tracker, key: keys.downlink)
        return SealedMessage(body: body, signature: Hex.encode(tag))
    }

    func pack(_ body: [UInt8], _ direction: Direction) -> [UInt8] {
        let tag = Seal.tag(body, direction, tracker: tracker, key: keys.downlink)
        return PackedMessage(tracker: tracker, sealed: SealedMessage(body: body, signature: Hex.encode(tag))).bytes
    }
}
