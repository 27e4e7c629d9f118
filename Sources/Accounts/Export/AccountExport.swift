import Kernel

/// Everything that is kept of a person, as the pieces of a zip. Large files are read only when it is their turn.
package struct AccountExport: AsyncSequence, Sendable {
    /// A piece of the archive.
    package typealias Element = [UInt8]

    /// What to call it: `homeward-2026-03-01.zip`.
    package let fileName: String
    private let files: [ExportAttachment]
    private let madeAt: Instant

    init(files: [ExportAttachment], madeAt: Instant) {
        self.files = files
        self.madeAt = madeAt
        fileName = "homeward-\(madeAt.rfc3339.prefix(10)).zip"
    }

    /// Starts from the beginning.
    package func makeAsyncIterator() -> Iterator { Iterator(files: files, writer: ZipWriter(at: madeAt)) }

    /// Reads file after file.
    package struct Iterator: AsyncIteratorProtocol {
        private var files: ArraySlice<ExportAttachment>
        private var writer: ZipWriter
        private var isFinished = false

        fileprivate init(files: [ExportAttachment], writer: ZipWriter) {
            self.files = files[...]
            self.writer = writer
        }

        /// The next file with its header, then the archive's list of files.
        package mutating func next() async throws -> [UInt8]? {
            while let file = files.popFirst() {
                guard let contents = try await file.load() else { continue }
                return try writer.file(file.path, contents)
            }
            guard !isFinished else { return nil }
            isFinished = true
            return try writer.finish()
        }
    }
}
