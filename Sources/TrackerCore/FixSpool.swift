package import Kernel
package import TrackerProtocol

/// The fixes that the server has not confirmed yet, oldest first.
///
/// The first ones may be *out*: part of a message that waits for its response. They are neither changed nor dropped
/// until the response arrives, because the message must be repeated with the same bytes.
package struct FixSpool: Hashable, Sendable {
    /// The fixes in the order in which they were measured.
    package private(set) var fixes: [TrackerFix] = []
    /// The number of fixes, from the front, that are out.
    package private(set) var outCount = 0
    /// Fixes lost since the tracker was bound.
    package private(set) var droppedCount: Int64 = 0
    /// The time of the last added fix, delivered or not.
    package private(set) var lastAt: Instant?

    init() {}

    /// Returns `nil` when the counts are out of range.
    init?(fixes: [TrackerFix], outCount: Int, droppedCount: Int64, lastAt: Instant?) {
        guard (0...fixes.count).contains(outCount), droppedCount >= 0 else { return nil }
        self.fixes = fixes
        self.outCount = outCount
        self.droppedCount = droppedCount
        self.lastAt = lastAt
    }

    /// Adds a fix. The server treats two fixes of the same second as one, so only the first is kept.
    mutating func append(_ fix: TrackerFix, capacity: Int) {
        guard lastAt != fix.at else { return }
        lastAt = fix.at
        fixes.append(fix)
        while fixes.count > capacity, outCount < fixes.count {
            fixes.remove(at: outCount)
            droppedCount += 1
        }
    }

    /// Marks at most `limit` fixes from the front as out.
    mutating func takeOut(limit: Int) { outCount = min(limit, fixes.count) }

    /// The fixes that are out, oldest first.
    var out: ArraySlice<TrackerFix> { fixes.prefix(outCount) }

    /// Removes the fixes of a delivered message.
    mutating func confirmOut() {
        fixes.removeFirst(outCount)
        outCount = 0
    }

    /// Makes the fixes of a discarded message available for the next one.
    mutating func returnOut() { outCount = 0 }

    /// Removes the fixes of a message that the server can't read, and counts them as dropped.
    mutating func dropOut() {
        droppedCount += Int64(outCount)
        confirmOut()
    }

    mutating func wipe() { self = FixSpool() }
}
