import Kernel

/// A page of a list.
package struct TrackingPage<Entry: Sendable>: Sendable {
    package let items: [Entry]
    /// The value of `after` for the next page; `nil` for the last page.
    package let next: String?

    package init(items: [Entry], next: String?) {
        self.items = items
        self.next = next
    }
}

extension TrackingPage {
    /// Creates a page from `limit` + 1 entries; the extra entry shows that a next page exists.
    init(_ read: [Entry], limit: Int, cursor: (Entry) -> String) {
        let items = Array(read.prefix(limit))
        let next = read.count > limit ? items.last.map(cursor) : nil
        self.init(items: items, next: next)
    }
}

/// The start of a page: the id of the last entry of the previous page.
enum Cursor {
    static func id<Entity>(_ text: String?, of _: Entity.Type = Entity.self) throws -> ID<Entity>? {
        guard let text else { return nil }
        guard let id = ID<Entity>(text) else { throw AppError(.invalid, .cursorUnknown, field: "after") }
        return id
    }

    static func limit(_ wanted: Int) -> Int { min(max(wanted, 1), Limits.pageSizeMaximum) }
}
