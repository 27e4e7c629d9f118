/// One page of a list.
package struct FamilyPage<Entry: Sendable>: Sendable {
    package let items: [Entry]
    /// The value of `after` for the next page; `nil` on the last one.
    package let next: String?

    package init(items: [Entry], next: String?) {
        self.items = items
        self.next = next
    }
}

extension FamilyPage {
    /// Makes a page from entries that were read with a limit of `limit + 1`: one entry too many means that there is a
    /// next page.
    init(_ read: [Entry], limit: Int, cursor: (Entry) -> String) {
        let items = Array(read.prefix(limit))
        self.init(items: items, next: read.count > limit ? items.last.map(cursor) : nil)
    }
}
