import Kernel

/// A sealed message for transports without headers (Bluetooth, cloud services that forward bytes): `id (16 bytes) ‖
/// body ‖ signature (32 bytes)`.
package struct PackedMessage: Hashable, Sendable {
    /// The tracker that sends or receives the message.
    package let tracker: TrackerID
    /// Body and signature, as over HTTP.
    package let sealed: SealedMessage

    /// The number of bytes besides the body.
    package static let overhead = 16 + Seal.tagLength

    package init(tracker: TrackerID, sealed: SealedMessage) {
        self.tracker = tracker
        self.sealed = sealed
    }

    /// Splits a message without verifying its signature; returns `nil` when its length is out of range or the id is
    /// invalid.
    package init?(_ bytes: [UInt8]) {
        guard (Self.overhead...Limits.ingestBytes + Self.overhead).contains(bytes.count) else { return nil }
        guard let tracker = TrackerID(bytes: bytes.prefix(16)) else { return nil }
        self.tracker = tracker
        sealed = SealedMessage(
            body: Array(bytes.dropFirst(16).dropLast(Seal.tagLength)),
            signature: Hexadecimal.encoded(bytes.suffix(Seal.tagLength))
        )
    }

    /// The packed form. A signature that isn't 64 hexadecimal digits is packed as zeros, which never verify.
    package var bytes: [UInt8] {
        let tag = Hexadecimal.decoded(sealed.signature, count: Seal.tagLength)
        return tracker.bytes + sealed.body + (tag ?? [UInt8](repeating: 0, count: Seal.tagLength))
    }
}
