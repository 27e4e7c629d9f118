package import Kernel

/// A notice as it stands in somebody's feed.
package struct FeedEntry: Sendable, Equatable {
    /// What they were told.
    package let notice: Notice
    /// When they read it; `nil` while they haven't.
    package let readAt: Instant?
}

/// Where a page of the feed begins: after this entry.
struct FeedCursor: Sendable, Equatable {
    let at: Instant
    let id: ID<Notice>

    init(_ entry: FeedEntry) {
        at = entry.notice.at
        id = entry.notice.id
    }

    /// Reads what ``text`` wrote.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let id = ID<Notice>(parts[1]) else { return nil }
        at = Instant(millisecondsSince1970: milliseconds)
        self.id = id
    }

    var text: String { "\(at.millisecondsSince1970).\(id)" }
}
