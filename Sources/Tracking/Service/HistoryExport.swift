import Kernel
import Storage

/// An item's history as a file, created page by page while it is sent.
package struct HistoryExport: AsyncSequence, Sendable {
    package typealias Element = [UInt8]

    private let item: Item
    private let database: Database
    package let format: ExportFormat
    private let span: ClosedRange<Instant>?

    /// - Parameter span: Only positions of this time; `nil` for all.
    init(item: Item, format: ExportFormat, database: Database, span: ClosedRange<Instant>? = nil) {
        self.item = item
        self.format = format
        self.database = database
        self.span = span
    }

    /// The file's name in ASCII.
    package var fileName: String { HistoryWriter.fileName(itemName: item.name, format: format) }

    /// Returns an iterator that starts at the oldest position.
    package func makeAsyncIterator() -> Iterator {
        Iterator(
            item: item.id, writer: HistoryWriter(format: format, itemName: item.name), database: database, span: span)
    }

    /// Reads the history one page at a time.
    package struct Iterator: AsyncIteratorProtocol {
        private enum Stage {
            case head
            case rows(after: ID<Fix>?)
            case done
        }

        private let item: ID<Item>
        private var writer: HistoryWriter
        private let database: Database
        private let span: ClosedRange<Instant>
        private var stage = Stage.head

        init(item: ID<Item>, writer: HistoryWriter, database: Database, span: ClosedRange<Instant>?) {
            self.item = item
            self.writer = writer
            self.database = database
            self.span = span ?? Instant(millisecondsSince1970: 1)...Instant(millisecondsSince1970: .max - 1)
        }

        /// Returns the next part of the file; `nil` at the end.
        /// - Throws: Errors of the database.
        package mutating func next() async throws -> [UInt8]? {
            switch stage {
            case .head:
                stage = .rows(after: ID(at: span.lowerBound.previous, series: .max))
                return Array(writer.head().utf8)
            case .rows(let after):
                let (item, end) = (item, span.upperBound.next)
                let page = try await database.read { tx in
                    try HistoryStore.page(
                        of: item, .oldestFirst, after: after, until: end, limit: Limits.exportPage, in: tx)
                }
                let rows = writer.rows(page)
                guard page.count == Limits.exportPage, let last = page.last else {
                    stage = .done
                    let end = rows + writer.tail()
                    return end.isEmpty ? nil : Array(end.utf8)
                }
                stage = .rows(after: last.id)
                return Array(rows.utf8)
            case .done: return nil
            }
        }
    }
}
