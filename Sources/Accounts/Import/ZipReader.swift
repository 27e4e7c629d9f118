import Kernel

/// Reads the files of a ZIP archive piece by piece. Sizes and checksums are verified.
struct ZipReader: Sendable {
    let entries: [ZipEntry]
    private let bytes: any ArchiveBytes

    /// - Throws: ``ZipError``, or an error of reading.
    init(_ bytes: any ArchiveBytes) async throws {
        self.bytes = bytes
        entries = try await ZipDirectory(bytes).entries
    }

    /// Returns the contents of a file as they are read.
    func contents(of entry: ZipEntry) -> ZipContents { ZipContents(entry: entry, bytes: bytes) }
}

enum ZipFormat {
    /// Bytes of a local header without the name and the extra field.
    static let headerBytes = 30
}

/// The contents of one file in pieces of at most ``Limits/importPieceBytes``. The last call of `next` verifies them.
struct ZipContents: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    let entry: ZipEntry
    let bytes: any ArchiveBytes

    func makeAsyncIterator() -> Iterator { Iterator(entry: entry, bytes: bytes) }

    struct Iterator: AsyncIteratorProtocol {
        private let entry: ZipEntry
        private let bytes: any ArchiveBytes
        private var inflater: Inflater?
        /// The rest of the file's packed bytes; `nil` before the local header was read.
        private var rest: Range<Int>?
        private var size = 0
        private var checksum: UInt32 = 0
        private var isOver = false

        fileprivate init(entry: ZipEntry, bytes: any ArchiveBytes) {
            self.entry = entry
            self.bytes = bytes
        }

        /// - Throws: ``ZipError``, or an error of reading.
        mutating func next() async throws -> [UInt8]? {
            if isOver { return nil }
            if rest == nil { try await begin() }
            while true {
                let piece = try await entry.isDeflated ? nextDeflated() : nextStored()
                guard let piece else { break }
                if piece.isEmpty { continue }
                size += piece.count
                // Before the checksum: a file mustn't expand without an end.
                guard size <= entry.size else { throw ZipError.damaged }
                checksum = Deflater.checksum(checksum, piece)
                return piece
            }
            isOver = true
            guard size == entry.size, checksum == entry.checksum else { throw ZipError.damaged }
            return nil
        }

        /// Compares the local header with the directory.
        private mutating func begin() async throws {
            var header = LittleEndianReader(try await bytes.read(from: entry.offset, count: ZipFormat.headerBytes))
            guard try header.word() == 0x0403_4b50 else { throw ZipError.damaged }
            _ = try header.short()
            let (flags, method) = (try header.short(), try header.short())
            guard flags & 1 == 0 else { throw ZipError.encrypted }
            guard method == (entry.isDeflated ? 8 : 0) else { throw ZipError.damaged }
            // Time and date, checksum, and both sizes. These may follow the file, so the directory's count.
            _ = try header.bytes(16)
            let (nameCount, extraCount) = (try header.short(), try header.short())
            let name = Array(entry.path.utf8)
            let start = entry.offset + ZipFormat.headerBytes + nameCount + extraCount
            guard nameCount == name.count, start + entry.packedSize <= entry.end else { throw ZipError.damaged }
            let found = try await bytes.read(from: entry.offset + ZipFormat.headerBytes, count: nameCount)
            guard found == name else { throw ZipError.damaged }
            rest = start..<start + entry.packedSize
            if entry.isDeflated { inflater = try Inflater() }
        }

        /// - Returns: `nil` at the end.
        private mutating func nextStored() async throws -> [UInt8]? {
            guard let rest, !rest.isEmpty else { return nil }
            return try await readPacked(rest)
        }

        /// - Returns: `nil` at the end; an empty piece while the inflater needs more input.
        private mutating func nextDeflated() async throws -> [UInt8]? {
            guard let inflater, let rest else { return nil }
            let piece: [UInt8]
            do {
                piece = try inflater.next(limit: Limits.importPieceBytes)
            } catch {
                throw ZipError.damaged
            }
            if !piece.isEmpty { return piece }
            if inflater.isFinished {
                guard inflater.unreadCount == 0, rest.isEmpty else { throw ZipError.damaged }
                return nil
            }
            guard inflater.unreadCount == 0, !rest.isEmpty else { throw ZipError.damaged }
            inflater.append(try await readPacked(rest))
            return []
        }

        private mutating func readPacked(_ rest: Range<Int>) async throws -> [UInt8] {
            let count = Swift.min(rest.count, Limits.importPieceBytes)
            let piece = try await bytes.read(from: rest.lowerBound, count: count)
            self.rest = rest.lowerBound + count..<rest.upperBound
            return piece
        }
    }
}
