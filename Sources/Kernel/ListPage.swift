/// One page of a list.
package struct ListPage<Entry: Sendable>: Sendable {
    package let items: [Entry]
    /// The value of `after` for the next page; `nil` for the last page.
    package let next: String?

    package init(items: [Entry], next: String?) {
        self.items = items
        self.next = next
    }

    /// Creates a page from up to `limit` + 1 entries. The extra entry shows that a next page exists.
    package init(_ read: [Entry], limit: Int, cursor: (Entry) -> String) {
        items = Array(read.prefix(limit))
        next = read.count > limit ? items.last.map(cursor) : nil
    }
}
