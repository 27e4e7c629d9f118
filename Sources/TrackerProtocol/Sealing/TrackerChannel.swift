/// Why a tracker doesn't believe an answer.
package enum DownlinkFailure: Error, Hashable, Sendable {
    /// No or a wrong signature.
    case unauthenticated
    /// Authentic, but the answer to another message.
    case otherMessage
    /// Authentic, but it can't be read.
    case malformed
}

/// The tracker's end of the conversation with its server.
package struct TrackerChannel: Sendable {
    let tracker: TrackerID
    let keys: TrackerKeys

    /// Makes the end for a tracker and its keys.
    package init(tracker: TrackerID, keys: TrackerKeys) {
        self.tracker = tracker
        self.keys = keys
    }

    /// The message, ready to be sent. The same content gives the same bytes, so a repeat needs no copy of them.
    package func seal(_ uplink: Uplink) -> SealedMessage {
        let body = UplinkJSON.encode(uplink)
        let tag = Seal.tag(body, .uplink, tracker: tracker, key: keys.uplink)
        return SealedMessage(body: body, signature: Hex.encode(tag))
    }

    /// Checks and reads the answer to the message with that counter.
    package func open(
        _ body: [UInt8], signature: String?, counter: Int64
    ) throws(DownlinkFailure) -> DownlinkAnswer {
        let tag = Seal.verify(body, signature: signature, .downlink, tracker: tracker, key: keys.downlink)
        guard tag != nil else { throw .unauthenticated }
        return try DownlinkJSON.decode(body, counter: counter)
    }

    /// The message, packed for a road without headers.
    package func pack(_ uplink: Uplink) -> [UInt8] {
        PackedMessage(tracker: tracker, sealed: seal(uplink)).bytes
    }

    /// Checks and reads a packed answer to the message with that counter.
    package func open(_ answer: PackedMessage, counter: Int64) throws(DownlinkFailure) -> DownlinkAnswer {
        guard answer.tracker == tracker else { throw .unauthenticated }
        return try open(answer.sealed.body, signature: answer.sealed.signature, counter: counter)
    }

    func pack(_ body: [UInt8], _ direction: Direction) -> [UInt8] {
        let tag = Seal.tag(body, direction, tracker: tracker, key: keys.uplink)
        return PackedMessage(tracker: tracker, sealed: SealedMessage(body: body, signature: Hex.encode(tag))).bytes
    }
}
