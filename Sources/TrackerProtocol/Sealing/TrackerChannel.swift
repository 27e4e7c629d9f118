import Kernel

/// Thrown when a tracker rejects a response.
package enum DownlinkFailure: Error, Hashable, Sendable {
    /// The signature is missing or wrong.
    case unauthenticated
    /// Authentic, but the response to another message.
    case otherMessage
    /// Authentic, but it can't be read.
    case malformed
}

/// The tracker's end of the channel to its server.
package struct TrackerChannel: Sendable {
    let tracker: TrackerID
    let keys: TrackerKeys

    package init(tracker: TrackerID, keys: TrackerKeys) {
        self.tracker = tracker
        self.keys = keys
    }

    /// Returns the signed message. The same content gives the same bytes, so a repeat needs no stored copy.
    package func seal(_ uplink: Uplink) -> SealedMessage {
        let body = UplinkJSON.encode(uplink)
        let tag = Seal.tag(body, .uplink, tracker: tracker, key: keys.uplink)
        return SealedMessage(body: body, signature: Hexadecimal.encoded(tag))
    }

    /// Verifies and reads the response to the message with this counter.
    package func open(
        _ body: [UInt8], signature: String?, counter: Int64
    ) throws(DownlinkFailure) -> DownlinkResponse {
        let tag = Seal.verify(body, signature: signature, .downlink, tracker: tracker, key: keys.downlink)
        guard tag != nil else { throw .unauthenticated }
        return try DownlinkJSON.decode(body, counter: counter)
    }

    /// Returns the signed message, packed for a transport without headers.
    package func pack(_ uplink: Uplink) -> [UInt8] {
        PackedMessage(tracker: tracker, sealed: seal(uplink)).bytes
    }

    /// Verifies and reads a packed response to the message with this counter.
    package func open(_ answer: PackedMessage, counter: Int64) throws(DownlinkFailure) -> DownlinkResponse {
        guard answer.tracker == tracker else { throw .unauthenticated }
        return try open(answer.sealed.body, signature: answer.sealed.signature, counter: counter)
    }

    func pack(_ body: [UInt8], _ direction: Direction) -> [UInt8] {
        let tag = Seal.tag(body, direction, tracker: tracker, key: keys.uplink)
        return PackedMessage(tracker: tracker, sealed: SealedMessage(body: body, signature: Hexadecimal.encoded(tag)))
            .bytes
    }
}
