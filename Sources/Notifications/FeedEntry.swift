package import Kernel

/// A notification in a person's feed.
package struct FeedEntry: Sendable, Equatable {
    package let notice: Notice
    /// `nil` while it is unread.
    package let readAt: Instant?
}

/// The cursor of a feed page: the last entry of the previous page.
struct FeedCursor: Sendable, Equatable {
    let at: Instant
    let id: ID<Notice>

    init(_ entry: FeedEntry) {
        at = entry.notice.at
        id = entry.notice.id
    }

    /// Parses the text form.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let id = ID<Notice>(parts[1]) else { return nil }
        at = Instant(millisecondsSince1970: milliseconds)
        self.id = id
    }

    var text: String { "\(at.millisecondsSince1970).\(id)" }
}
