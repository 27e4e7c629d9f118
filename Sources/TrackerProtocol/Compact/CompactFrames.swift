import Kernel

/// Compact frames one after the other, as a cloud carries them. The first byte of each says how long it is.
package enum CompactFrames {
    /// What a message says, as frames: its fixes, oldest first, then its acknowledgements. A fix from before 2020 has
    /// no frame. The same message gives the same frames.
    package static func frames(of uplink: Uplink, keys: TrackerKeys) -> [[UInt8]] {
        let fixes = uplink.fixes.enumerated().compactMap { index, fix in
            CompactFix(counter: counter(of: uplink, index), fix: fix, mode: uplink.mode)?.sealed(with: keys)
        }
        return fixes + uplink.acknowledgements.map { CompactAcknowledgement($0).sealed(with: keys) }
    }

    // The message's counter stands for the series, so that a tracker has no second one to remember: a message has room
    // for fewer fixes than this.
    private static func counter(of uplink: Uplink, _ index: Int) -> Int64 {
        uplink.counter &* 256 &+ Int64(index)
    }

    /// Takes a run of frames apart, without checking any; `nil` when a byte that should begin one doesn't, or the last
    /// is cut short.
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
