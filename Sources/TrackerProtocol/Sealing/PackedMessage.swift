import Kernel

/// A sealed message on a road that knows no headers (Bluetooth, clouds that forward bytes):
/// `id (16 bytes) ‖ body ‖ signature (32 bytes)`.
package struct PackedMessage: Hashable, Sendable {
    /// Whose message it is, or for whom.
    package let tracker: TrackerID
    /// Body and signature, as over HTTP.
    package let sealed: SealedMessage

    /// Bytes that are not the body's.
    package static let overhead = 16 + Seal.tagLength

    /// Packs a message.
    package init(tracker: TrackerID, sealed: SealedMessage) {
        self.tracker = tracker
        self.sealed = sealed
    }

    /// Takes a message apart, without checking its signature; `nil` when it is too short or long, or the id is none.
    package init?(_ bytes: [UInt8]) {
        guard (Self.overhead...Limits.ingestBytes + Self.overhead).contains(bytes.count) else { return nil }
        guard let tracker = TrackerID(bytes: bytes.prefix(16)) else { return nil }
        self.tracker = tracker
        sealed = SealedMessage(
            body: Array(bytes.dropFirst(16).dropLast(Seal.tagLength)),
            signature: Hex.encode(bytes.suffix(Seal.tagLength))
        )
    }

    /// The packed form; a signature that isn't 64 hexadecimal digits is packed as zeros, which are no signature.
    package var bytes: [UInt8] {
        let tag = Hex.decode(sealed.signature, count: Seal.tagLength)
        return tracker.bytes + sealed.body + (tag ?? [UInt8](repeating: 0, count: Seal.tagLength))
    }
}
