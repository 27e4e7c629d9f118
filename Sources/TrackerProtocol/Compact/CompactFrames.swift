import Kernel

/// Sequences of compact frames, as a cloud service delivers them. The first byte of each frame determines its length.
package enum CompactFrames {
    /// Returns a message's frames: its fixes, oldest first, then its acknowledgements. A fix before 2020 gets no frame.
    /// The same message gives the same frames.
    package static func frames(of uplink: Uplink, keys: TrackerKeys) -> [[UInt8]] {
        let fixes = uplink.fixes.enumerated().compactMap { index, fix in
            CompactFix(counter: counter(of: uplink, index), fix: fix, mode: uplink.mode)?.sealed(with: keys)
        }
        return fixes + uplink.acknowledgements.map { CompactAcknowledgement($0).sealed(with: keys) }
    }

    // Derived from the message's counter, so that a tracker stores no second one. A message holds fewer than 256 fixes.
    private static func counter(of uplink: Uplink, _ index: Int) -> Int64 {
        uplink.counter &* 256 &+ Int64(index)
    }

    /// Splits a sequence of frames without verifying them; returns `nil` when a frame begins with an unknown byte or
    /// the last one is truncated.
    package static func split(_ bytes: [UInt8]) -> [[UInt8]]? {
        var frames: [[UInt8]] = []
        var rest = bytes[...]
        while let kind = rest.first {
            guard let length = length(of: kind), rest.count >= length else { return nil }
            frames.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return frames
    }

    private static func length(of kind: UInt8) -> Int? {
        switch kind {
        case CompactFix.kind: CompactFix.length
        case CompactCommand.kind: CompactCommand.length
        case CompactAcknowledgement.kind: CompactAcknowledgement.length
        default: nil
        }
    }
}
