import Kernel
import Storage

/// An item's history as a file, created page by page while it is sent.
package struct HistoryExport: AsyncSequence, Sendable {
    package typealias Element = [UInt8]

    private let item: Item
    /// The reader, whose access may end during a long download.
    private let person: PersonID
    private let database: Database
    package let format: ExportFormat
    private let span: ClosedRange<Instant>?

    /// - Parameter span: Only positions of this time; `nil` for all.
    init(
        item: Item, for person: PersonID, format: ExportFormat, database: Database,
        span: ClosedRange<Instant>? = nil
    ) {
        self.item = item
        self.person = person
        self.format = format
        self.database = database
        self.span = span
    }

    /// The file's name in ASCII.
    package var fileName: String { HistoryWriter.fileName(itemName: item.name, format: format) }

    /// Returns an iterator that starts at the oldest position.
    package func makeAsyncIterator() -> Iterator {
        Iterator(
            item: item.id, person: person, writer: HistoryWriter(format: format, itemName: item.name),
            database: database, span: span)
    }

    /// Reads the history one page at a time.
    package struct Iterator: AsyncIteratorProtocol {
        private enum Stage {
            case head
            case rows(after: ID<Fix>?)
            case done
        }

        private let item: ID<Item>
        private let person: PersonID
        private var writer: HistoryWriter
        private let database: Database
        private let span: ClosedRange<Instant>
        private var stage = Stage.head

        init(
            item: ID<Item>, person: PersonID, writer: HistoryWriter, database: Database,
            span: ClosedRange<Instant>?
        ) {
            self.item = item
            self.person = person
            self.writer = writer
            self.database = database
            self.span = span ?? Instant(millisecondsSince1970: 1)...Instant(millisecondsSince1970: .max - 1)
        }

        /// Returns the next part of the file; `nil` at the end.
        /// - Throws: `AppError.notFound` when the reader can't see the item any more; errors of the database.
        package mutating func next() async throws -> [UInt8]? {
            switch stage {
            case .head:
                stage = .rows(after: ID(at: span.lowerBound.previous, series: .max))
                return Array(writer.head().utf8)
            case .rows(let after):
                let (item, person, end) = (item, person, span.upperBound.next)
                let page = try await database.read { tx in
                    try ItemStore.require(.see, of: person, to: item, in: tx)
                    return try HistoryStore.page(
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
