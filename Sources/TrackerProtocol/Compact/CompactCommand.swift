import Kernel

/// One authenticated command in 38 bytes, for transports that carry few bytes and no response.
///
/// Numbers are big-endian; times are milliseconds since 1970-01-01T00:00:00Z in 48 bits.
///
///     0      1  kind and version of the frame, 0xF2
///     1      16 id of the command
///     17     1  kind: 1 activate, 2 locate, 3 on, 4 off, 5 ring, 6 releaseOff
///     18     6  issuedAt
///     24     6  expiresAt; all ones: never
///     30     8  first 8 bytes of HMAC-SHA256(compact downlink key, bytes 0…29)
package struct CompactCommand: Hashable, Sendable {
    package let command: TrackerCommand

    /// The length of a frame in bytes.
    package static let length = 38
    /// The first byte of a frame.
    package static let kind: UInt8 = 0xF2
    private static let contentLength = 30
    private static let never: UInt64 = 0xffff_ffff_ffff

    /// Thrown when a frame is rejected.
    package enum Failure: Error, Hashable, Sendable {
        /// Not 38 bytes of this kind and version.
        case shape
        /// The authentication tag is wrong.
        case unauthenticated
    }

    /// Returns `nil` when the command's kind is unknown, or a time is before 1970 or too late for 48 bits.
    package init?(_ command: TrackerCommand) {
        let times = [command.issuedAt, command.expiresAt].compactMap { $0?.millisecondsSince1970 }
        guard command.kind != nil, times.allSatisfy({ (0..<Int64(Self.never)).contains($0) }) else { return nil }
        self.command = command
    }

    /// Returns the frame with its tag.
    package func sealed(with keys: TrackerKeys) -> [UInt8] {
        var frame: [UInt8] = [Self.kind]
        frame += command.id.bytes
        frame.append(command.kind.map(Self.code) ?? 0)
        frame.appendBigEndian48(UInt64(command.issuedAt.millisecondsSince1970))
        frame.appendBigEndian48((command.expiresAt?.millisecondsSince1970).map(UInt64.init) ?? Self.never)
        return frame + CompactTag.tag(frame, key: keys.compactDownlink)
    }

    /// Verifies and reads a frame. An unknown kind gives a command whose kind is `nil`.
    package init(_ frame: [UInt8], keys: TrackerKeys) throws(Failure) {
        guard frame.count == Self.length, frame[0] == Self.kind else { throw .shape }
        let content = Array(frame.prefix(Self.contentLength))
        let tag = Array(frame.suffix(CompactTag.length))
        guard CompactTag.areEqual(tag, CompactTag.tag(content, key: keys.compactDownlink)) else {
            throw .unauthenticated
        }
        guard let id = TrackerCommandID(bytes: content[1..<17]) else { throw .shape }
        let expiresAt = content.bigEndian48(at: 24)
        command = TrackerCommand(
            id: id, kind: TrackerCommandKind.allCases.first { Self.code($0) == content[17] },
            issuedAt: Instant(millisecondsSince1970: Int64(content.bigEndian48(at: 18))),
            expiresAt: expiresAt == Self.never ? nil : Instant(millisecondsSince1970: Int64(expiresAt))
        )
    }

    private static func code(_ kind: TrackerCommandKind) -> UInt8 {
        switch kind {
        case .activate: 1
        case .locate: 2
        case .on: 3
        case .off: 4
        case .ring: 5
        case .releaseOff: 6
        }
    }
}
