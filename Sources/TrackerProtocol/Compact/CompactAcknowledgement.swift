import Kernel

/// A tracker's authenticated acknowledgement of one command in 26 bytes.
///
///     0      1  kind and version of the frame, 0xF3
///     1      16 id of the command
///     17     1  result: 1 applied, 2 expired, 3 superseded, 4 failed
///     18     8  first 8 bytes of HMAC-SHA256(compact uplink key, bytes 0…17)
package struct CompactAcknowledgement: Hashable, Sendable {
    /// The acknowledgement. The frame has no field for the reason.
    package let acknowledgement: Acknowledgement

    /// The length of a frame in bytes.
    package static let length = 26
    /// The first byte of a frame.
    package static let kind: UInt8 = 0xF3
    private static let contentLength = 18

    /// Thrown when a frame is rejected.
    package enum Failure: Error, Hashable, Sendable {
        /// Not 26 bytes of this kind and version.
        case shape
        /// The authentication tag is wrong.
        case unauthenticated
    }

    /// Drops the reason, which a frame doesn't carry.
    package init(_ acknowledgement: Acknowledgement) {
        self.acknowledgement = Acknowledgement(id: acknowledgement.id, result: acknowledgement.result)
    }

    /// Returns the frame with its tag.
    package func sealed(with keys: TrackerKeys) -> [UInt8] {
        let frame = [Self.kind] + acknowledgement.id.bytes + [Self.code(acknowledgement.result)]
        return frame + CompactTag.tag(frame, key: keys.compactUplink)
    }

    /// Verifies and reads a frame.
    package init(_ frame: [UInt8], keys: TrackerKeys) throws(Failure) {
        guard frame.count == Self.length, frame[0] == Self.kind else { throw .shape }
        let content = Array(frame.prefix(Self.contentLength))
        let tag = Array(frame.suffix(CompactTag.length))
        guard CompactTag.areEqual(tag, CompactTag.tag(content, key: keys.compactUplink)) else {
            throw .unauthenticated
        }
        guard
            let id = TrackerCommandID(bytes: content[1..<17]),
            let result = TrackerCommandResult.allCases.first(where: { Self.code($0) == content[17] })
        else { throw .shape }
        acknowledgement = Acknowledgement(id: id, result: result)
    }

    private static func code(_ result: TrackerCommandResult) -> UInt8 {
        switch result {
        case .applied: 1
        case .expired: 2
        case .superseded: 3
        case .failed: 4
        }
    }
}
