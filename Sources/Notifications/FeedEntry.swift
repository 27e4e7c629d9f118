package import Kernel

/// A notification in a person's feed.
package struct FeedEntry: Sendable, Equatable {
    package let notice: Notice
    /// `nil` while it is unread.
    package let readAt: Instant?
}

/// A page of a person's feed with everything else that the list of notifications shows.
package struct FeedListing: Sendable {
    package let items: [FeedEntry]
    /// The cursor of the next page; `nil` at the end.
    package let next: String?
    package let unreadCount: Int
    /// Whether an app's offer is above the list.
    package let hasOffer: Bool
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

    /// Returns the cursor in a request; `nil` for none.
    /// - Throws: `AppError(.invalid)` at `after` if the text isn't a cursor.
    static func parsed(_ text: String?) throws -> FeedCursor? {
        guard let text else { return nil }
        guard let cursor = FeedCursor(text) else { throw AppError.invalid(field: "after", .unknownPlace) }
        return cursor
    }

    var text: String { "\(at.millisecondsSince1970).\(id)" }
}
