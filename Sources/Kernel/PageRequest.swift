/// The part of a list that a client requests.
package struct PageRequest<Cursor: Sendable>: Sendable {
    /// The end of the previous page; `nil` for the first page.
    package let after: Cursor?
    /// The maximum number of entries of the page.
    package let limit: Int

    /// - Parameter cursor: Reads `after`, which is the `next` of the previous page.
    /// - Throws: `AppError.invalid` at `after` for a text that is no cursor.
    package init(after text: String?, limit: Int, cursor: (String) -> Cursor?) throws {
        after = try text.map { text in
            guard let cursor = cursor(text) else {
                throw AppError.invalid("after", "This page doesn’t exist. Start again from the first one.")
            }
            return cursor
        }
        self.limit = min(max(limit, 1), Limits.pageSizeMaximum)
    }

    /// Creates a request whose cursor is an id.
    package init<Entity>(after: String?, limit: Int) throws where Cursor == ID<Entity> {
        try self.init(after: after, limit: limit) { ID($0) }
    }

    /// The number of rows to read: the last one only shows that another page follows.
    package var rows: Int { limit + 1 }

    /// Returns the page of up to ``rows`` entries.
    package func page<Entry>(
        _ read: [Entry], _ cursor: (Entry) -> some CustomStringConvertible
    ) -> ListPage<Entry> {
        ListPage(read, limit: limit) { cursor($0).description }
    }
}
