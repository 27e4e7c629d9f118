import Kernel
import TrackerProtocol

/// The content of a sequence of compact frames that one tracker's keys authenticate.
struct CompactMessage: Equatable {
    private(set) var fixes: [TrackerFix] = []
    private(set) var acknowledgements: [Acknowledgement] = []
    /// Authentic fixes with invalid coordinates.
    private(set) var unusableFixes = 0
    /// Frames that these keys don't authenticate.
    private(set) var rejectedFrames = 0
    private(set) var lastCounter: Int64
    /// The radio that the tracker preferred last; `nil` without a fix that has a mode.
    private(set) var mode: TrackerMode?

    /// - Parameter lastCounter: The highest counter of earlier messages.
    init(_ frames: [[UInt8]], keys: TrackerKeys, lastCounter: Int64) {
        self.lastCounter = lastCounter
        for frame in frames {
            switch frame.first {
            case CompactFix.kind: appendFix(frame, keys)
            case CompactAcknowledgement.kind: appendAcknowledgement(frame, keys)
            default: rejectedFrames += 1
            }
        }
    }

    /// Whether the tracker sent at least one of the frames.
    var isAuthentic: Bool { !fixes.isEmpty || !acknowledgements.isEmpty || unusableFixes > 0 }

    /// Drops the fixes when the owner's history is full.
    mutating func dropFixes() { fixes = [] }

    private mutating func appendFix(_ frame: [UInt8], _ keys: TrackerKeys) {
        do throws(CompactFix.Failure) {
            let compact = try CompactFix(frame, keys: keys, lastCounter: lastCounter)
            fixes.append(compact.fix)
            if compact.counter >= lastCounter { mode = compact.mode }
            lastCounter = max(lastCounter, compact.counter)
        } catch {
            if error == .place { unusableFixes += 1 } else { rejectedFrames += 1 }
        }
    }

    private mutating func appendAcknowledgement(_ frame: [UInt8], _ keys: TrackerKeys) {
        do throws(CompactAcknowledgement.Failure) {
            acknowledgements.append(try CompactAcknowledgement(frame, keys: keys).acknowledgement)
        } catch {
            rejectedFrames += 1
        }
    }
}
