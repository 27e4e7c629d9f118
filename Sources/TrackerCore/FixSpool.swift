package import Kernel
package import TrackerProtocol

/// Fixes that the server has not confirmed yet, oldest first.
///
/// The ones at the front may be *out*: part of a message whose answer is awaited. They are neither changed nor
/// dropped until the answer is there, because the message must be repeated with the same bytes.
package struct FixSpool: Hashable, Sendable {
    /// The fixes, in the order in which they were taken.
    package private(set) var fixes: [TrackerFix] = []
    /// How many of them, from the front, are out.
    package private(set) var outCount = 0
    /// Fixes lost since the tracker was bound.
    package private(set) var droppedCount: Int64 = 0
    /// The time of the last fix taken in, delivered or not.
    package private(set) var lastAt: Instant?

    init() {}

    /// `nil` when the numbers don't fit together.
    init?(fixes: [TrackerFix], outCount: Int, droppedCount: Int64, lastAt: Instant?) {
        guard (0...fixes.count).contains(outCount), droppedCount >= 0 else { return nil }
        self.fixes = fixes
        self.outCount = outCount
        self.droppedCount = droppedCount
        self.lastAt = lastAt
    }

    /// Takes a fix in. One of the same second as the last is the same fix to the server, so the first counts.
    mutating func append(_ fix: TrackerFix, capacity: Int) {
        guard lastAt != fix.at else { return }
        lastAt = fix.at
        fixes.append(fix)
        while fixes.count > capacity, outCount < fixes.count {
            fixes.remove(at: outCount)
            droppedCount += 1
        }
    }

    /// Puts at most `limit` fixes from the front into a message.
    mutating func takeOut(limit: Int) { outCount = min(limit, fixes.count) }

    /// What is out, oldest first.
    var out: ArraySlice<TrackerFix> { fixes.prefix(outCount) }

    /// The message arrived: what was out is gone.
    mutating func confirmOut() {
        fixes.removeFirst(outCount)
        outCount = 0
    }

    /// The message did not arrive and never will in that form: what was out waits again.
    mutating func returnOut() { outCount = 0 }

    /// The server can't read what was out: gone for good.
    mutating func dropOut() {
        droppedCount += Int64(outCount)
        confirmOut()
    }

    /// Forgets everything.
    mutating func wipe() { self = FixSpool() }
}
