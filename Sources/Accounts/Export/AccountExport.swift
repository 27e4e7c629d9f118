import Kernel

/// The export of a person's data as the pieces of a zip. Large files are read while the zip is sent, a piece at a time.
package struct AccountExport: AsyncSequence, Sendable {
    /// A piece of the archive.
    package typealias Element = [UInt8]

    /// The suggested file name: `homeward-2026-03-01.zip`.
    package let fileName: String
    private let files: [ExportAttachment]
    private let madeAt: Instant

    init(files: [ExportAttachment], madeAt: Instant) {
        self.files = files
        self.madeAt = madeAt
        fileName = "homeward-\(madeAt.rfc3339.prefix(10)).zip"
    }

    /// Returns an iterator that starts from the beginning.
    package func makeAsyncIterator() -> Iterator { Iterator(files: files, writer: ZipWriter(at: madeAt)) }

    /// Reads one file after another.
    package struct Iterator: AsyncIteratorProtocol {
        private var files: ArraySlice<ExportAttachment>
        private var writer: ZipWriter
        private var pieces: (any AsyncIteratorProtocol<[UInt8], any Error>)?
        private var isFinished = false

        fileprivate init(files: [ExportAttachment], writer: ZipWriter) {
            self.files = files[...]
            self.writer = writer
        }

        /// Returns the next piece of the archive. `nil` after the last.
        /// - Throws: what reading a file throws.
        package mutating func next() async throws -> [UInt8]? {
            while true {
                let piece = try await pieces == nil ? nextFile() : nextPiece()
                guard let piece else { return nil }
                if !piece.isEmpty { return piece }
            }
        }

        private mutating func nextFile() async throws -> [UInt8]? {
            guard let file = files.popFirst() else {
                guard !isFinished else { return nil }
                isFinished = true
                return writer.finish()
            }
            guard let sequence = try await file.open() else { return [] }
            var pieces = sequence.makeAsyncIterator()
            if file.isCompressed { return try writer.store(file.path, await pieces.next(isolation: nil) ?? []) }
            self.pieces = pieces
            return try writer.begin(file.path, mayBeLarge: file.mayBeLarge)
        }

        private mutating func nextPiece() async throws -> [UInt8] {
            guard let contents = try await pieces?.next(isolation: nil) else {
                pieces = nil
                return try writer.end()
            }
            return try writer.append(contents)
        }
    }
}
