import Kernel

/// A part of a list.
package struct TrackingPage<Entry: Sendable>: Sendable {
    /// The entries of this part.
    package let items: [Entry]
    /// What to hand in as `after` for the next part; `nil` at the end.
    package let next: String?

    /// Makes a page.
    package init(items: [Entry], next: String?) {
        self.items = items
        self.next = next
    }
}

extension TrackingPage {
    /// A page of what was read with one entry more than asked for, which says whether there is a next one.
    init(_ read: [Entry], limit: Int, cursor: (Entry) -> String) {
        let items = Array(read.prefix(limit))
        let next = read.count > limit ? items.last.map(cursor) : nil
        self.init(items: items, next: next)
    }
}

/// Where a page begins: the id of the last entry of the page before.
enum Cursor {
    static func id<Entity>(_ text: String?, of _: Entity.Type = Entity.self) throws -> ID<Entity>? {
        guard let text else { return nil }
        guard let id = ID<Entity>(text) else { throw AppError(.invalid, .cursorUnknown, field: "after") }
        return id
    }

    static func limit(_ wanted: Int) -> Int { min(max(wanted, 1), Limits.pageSizeMaximum) }
}
