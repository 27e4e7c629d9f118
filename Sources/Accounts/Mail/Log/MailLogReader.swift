package import Kernel
import Storage

/// Reads the log of mails. For administrators only; the caller checks that.
package struct MailLogReader: Sendable {
    let database: Database

    /// Returns a page of the log, the latest attempt first.
    /// - Parameter after: `next` of the page before.
    /// - Throws: ``AppError`` `invalid` at `after` for a text that is no cursor.
    package func page(after: String? = nil, limit: Int) async throws -> ListPage<MailLogEntry> {
        let request = try PageRequest(after: after, limit: limit, cursor: MailLogCursor.init)
        return try await database.read { tx in
            request.page(try MailLogStore.page(after: request.after, limit: request.rows, in: tx), MailLogCursor.init)
        }
    }
}
