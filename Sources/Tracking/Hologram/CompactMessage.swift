import Kernel
import TrackerProtocol

/// What a run of compact frames says, as far as one tracker's keys vouch for it.
struct CompactMessage: Equatable {
    private(set) var fixes: [TrackerFix] = []
    private(set) var acknowledgements: [Acknowledgement] = []
    /// Authentic fixes with a place that is none.
    private(set) var unusableFixes = 0
    /// Frames that these keys don't vouch for.
    private(set) var foreignFrames = 0
    /// The highest counter so far.
    private(set) var lastCounter: Int64
    /// The radio that the tracker preferred last; `nil` when no fix said so.
    private(set) var mode: TrackerMode?

    /// - Parameter lastCounter: the highest counter that was seen before.
    init(_ frames: [[UInt8]], keys: TrackerKeys, lastCounter: Int64) {
        self.lastCounter = lastCounter
        for frame in frames {
            switch frame.first {
            case CompactFix.kind: takeFix(frame, keys)
            case CompactAcknowledgement.kind: takeAcknowledgement(frame, keys)
            default: foreignFrames += 1
            }
        }
    }

    /// Whether anything in it is the tracker's.
    var isAuthentic: Bool { !fixes.isEmpty || !acknowledgements.isEmpty || unusableFixes > 0 }

    /// Forgets the fixes, for which there is no room.
    mutating func dropFixes() { fixes = [] }

    private mutating func takeFix(_ frame: [UInt8], _ keys: TrackerKeys) {
        do throws(CompactFix.Failure) {
            let compact = try CompactFix(frame, keys: keys, lastCounter: lastCounter)
            fixes.append(compact.fix)
            if compact.counter >= lastCounter { mode = compact.mode }
            lastCounter = max(lastCounter, compact.counter)
        } catch {
            if error == .place { unusableFixes += 1 } else { foreignFrames += 1 }
        }
    }

    private mutating func takeAcknowledgement(_ frame: [UInt8], _ keys: TrackerKeys) {
        do throws(CompactAcknowledgement.Failure) {
            acknowledgements.append(try CompactAcknowledgement(frame, keys: keys).acknowledgement)
        } catch {
            foreignFrames += 1
        }
    }
}
