import Kernel

/// One file of an archive.
struct ZipEntry: Sendable, Equatable {
    let path: String
    let isDeflated: Bool
    let checksum: UInt32
    let packedSize: Int
    let size: Int
    /// The offset of the file's local header.
    let offset: Int
    /// The offset of the next record: the file ends before it.
    fileprivate(set) var end: Int
}

/// Reads the central directory of a ZIP archive (APPNOTE.TXT 6.3.10), with ZIP64. Everything that isn't needed for our
/// own exports and common tools is refused.
struct ZipDirectory: Sendable {
    /// The files in the order of the directory, without folders.
    private(set) var entries: [ZipEntry] = []

    private struct End {
        let directory: Range<Int>
        let count: Int
    }

    private static let endBytes = 22
    private static let locatorBytes = 20
    private static let end64Bytes = 56
    private static let commentBytes = 0xffff

    /// - Throws: ``ZipError``, or an error of reading.
    init(_ bytes: any ArchiveBytes) async throws {
        let end = try await Self.end(of: bytes)
        guard end.count <= Limits.importEntries, end.directory.count <= Limits.importDirectoryBytes else {
            throw ZipError.tooLarge
        }
        let directory = try await bytes.read(from: end.directory.lowerBound, count: end.directory.count)
        var reader = LittleEndianReader(directory)
        for _ in 0..<end.count {
            try Task.checkCancellation()
            if let entry = try Self.entry(&reader, before: end.directory.lowerBound) { entries.append(entry) }
        }
        guard reader.isAtEnd else { throw ZipError.damaged }
        try Self.checkNames(entries)
        try checkSizes(directory: end.directory.lowerBound, archive: bytes.count)
    }

    // MARK: The end of the directory

    private static func end(of bytes: any ArchiveBytes) async throws -> End {
        let tailCount = min(bytes.count, endBytes + commentBytes + locatorBytes)
        guard tailCount >= endBytes else { throw ZipError.notAnArchive }
        let tailStart = bytes.count - tailCount
        let tail = try await bytes.read(from: tailStart, count: tailCount)
        guard let start = (0...tailCount - endBytes).last(where: { isEnd(tail, at: $0) }) else {
            throw ZipError.notAnArchive
        }
        var reader = LittleEndianReader(tail, from: start + 4)
        let (disk, directoryDisk) = (try reader.short(), try reader.short())
        let (countHere, count) = (try reader.short(), try reader.short())
        let (size, offset) = (try reader.word(), try reader.word())
        if count == Int(UInt16.max) || size == Int(UInt32.max) || offset == Int(UInt32.max) {
            if let large = try await end64(of: bytes, before: tailStart + start) { return large }
        }
        guard disk == 0, directoryDisk == 0, countHere == count else { throw ZipError.unsupported }
        guard offset + size <= tailStart + start else { throw ZipError.damaged }
        return End(directory: offset..<offset + size, count: count)
    }

    /// Whether the record's comment ends with the archive.
    private static func isEnd(_ tail: [UInt8], at start: Int) -> Bool {
        tail[start...].starts(with: [0x50, 0x4b, 0x05, 0x06])
            && start + endBytes + Int(tail[start + 20]) + Int(tail[start + 21]) << 8 == tail.count
    }

    /// - Returns: `nil` without a ZIP64 record.
    private static func end64(of bytes: any ArchiveBytes, before end: Int) async throws -> End? {
        guard end >= locatorBytes + end64Bytes else { return nil }
        var locator = LittleEndianReader(try await bytes.read(from: end - locatorBytes, count: locatorBytes))
        guard try locator.word() == 0x0706_4b50 else { return nil }
        guard try locator.word() == 0 else { throw ZipError.unsupported }
        let start = try locator.long()
        guard try locator.word() <= 1 else { throw ZipError.unsupported }
        guard start <= end - locatorBytes - end64Bytes else { throw ZipError.damaged }
        var reader = LittleEndianReader(try await bytes.read(from: start, count: end64Bytes))
        guard try reader.word() == 0x0606_4b50 else { throw ZipError.damaged }
        // The size of this record and both versions.
        _ = try reader.long()
        _ = try reader.word()
        guard try reader.word() == 0, try reader.word() == 0 else { throw ZipError.unsupported }
        let (countHere, count) = (try reader.long(), try reader.long())
        let (size, offset) = (try reader.long(), try reader.long())
        guard countHere == count else { throw ZipError.unsupported }
        guard size <= start, offset <= start - size else { throw ZipError.damaged }
        return End(directory: offset..<offset + size, count: count)
    }

    // MARK: Entries

    /// Reads one file. `nil` for a folder.
    private static func entry(_ reader: inout LittleEndianReader, before directory: Int) throws -> ZipEntry? {
        guard try reader.word() == 0x0201_4b50 else { throw ZipError.damaged }
        // The versions that made it and that it needs.
        _ = try reader.word()
        let (flags, method) = (try reader.short(), try reader.short())
        // Time and date.
        _ = try reader.word()
        let checksum = try reader.word()
        var (packedSize, size) = (try reader.word(), try reader.word())
        let (nameCount, extraCount, commentCount) = (try reader.short(), try reader.short(), try reader.short())
        let disk = try reader.short()
        // Internal and external attributes.
        _ = try reader.short()
        _ = try reader.word()
        var offset = try reader.word()
        let name = try reader.bytes(nameCount)
        let extra = try reader.bytes(extraCount)
        _ = try reader.bytes(commentCount)
        try readZip64(Array(extra), &size, &packedSize, &offset)
        // Bits 0, 6 and 13 are kinds of encryption; bit 5 is patched data.
        guard flags & (1 | 1 << 6 | 1 << 13) == 0 else { throw ZipError.encrypted }
        guard flags & 1 << 5 == 0, method == 0 || method == 8, disk == 0 else { throw ZipError.unsupported }
        // Before its text is compared: Swift compares a run of combining marks in quadratic time.
        guard name.count <= Limits.importNameBytes, StreamSafeText.isValid(name),
            let path = String(validating: name, as: UTF8.self)
        else { throw ZipError.badPath }
        guard offset < directory else { throw ZipError.damaged }
        if path.hasSuffix("/") {
            guard size == 0 else { throw ZipError.damaged }
            try checkPath(path.dropLast())
            return nil
        }
        try checkPath(path[...])
        guard method == 8 || packedSize == size else { throw ZipError.damaged }
        return ZipEntry(
            path: path, isDeflated: method == 8, checksum: UInt32(checksum), packedSize: packedSize, size: size,
            offset: offset, end: directory)
    }

    /// Replaces the values that 32 bits can't hold, in this order.
    private static func readZip64(_ extra: [UInt8], _ size: inout Int, _ packedSize: inout Int, _ offset: inout Int)
        throws
    {
        var fields = LittleEndianReader(extra)
        // Some tools pad the field with fewer bytes than a header takes.
        while fields.left >= 4 {
            let (kind, count) = (try fields.short(), try fields.short())
            var field = LittleEndianReader(Array(try fields.bytes(count)))
            guard kind == 1 else { continue }
            let unknown = Int(UInt32.max)
            if size == unknown { size = try field.long() }
            if packedSize == unknown { packedSize = try field.long() }
            if offset == unknown { offset = try field.long() }
            return
        }
    }

    private static func checkPath(_ path: Substring) throws {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isBad = parts.contains { $0.isEmpty || $0 == "." || $0 == ".." }
        let hasBadSign = path.unicodeScalars.contains { $0.value < 0x20 || $0 == "\\" || $0.value == 0x7f }
        guard !isBad, !hasBadSign else { throw ZipError.badPath }
    }

    private static func checkNames(_ entries: [ZipEntry]) throws {
        // By bytes: Swift compares composed and decomposed letters as equal.
        guard Set(entries.map { Array($0.path.utf8) }).count == entries.count else { throw ZipError.badPath }
    }

    /// Refuses files that are too large, expand too much, or share bytes with another one.
    private mutating func checkSizes(directory: Int, archive: Int) throws {
        var total = 0
        for entry in entries {
            guard entry.size <= Limits.importEntryBytes else { throw ZipError.tooLarge }
            total += entry.size
            let isBomb =
                entry.size > Limits.importRatioFreeBytes && entry.size / Limits.importRatio > entry.packedSize
            if isBomb { throw ZipError.suspicious }
        }
        guard total <= Limits.importExpandedBytes else { throw ZipError.tooLarge }
        // Many small files, each of them exempt, expand as much as a large one.
        let isBomb = total > Limits.importArchiveRatioFreeBytes && total / Limits.importArchiveRatio > archive
        if isBomb { throw ZipError.suspicious }
        let order = entries.indices.sorted { entries[$0].offset < entries[$1].offset }
        for (place, index) in order.enumerated() {
            let end = place + 1 < order.count ? entries[order[place + 1]].offset : directory
            let entry = entries[index]
            let room = end - entry.offset - ZipFormat.headerBytes - entry.path.utf8.count
            guard entry.packedSize <= room else { throw ZipError.suspicious }
            entries[index].end = end
        }
    }
}

/// Reads little-endian numbers, each below 2^63.
struct LittleEndianReader {
    private let all: [UInt8]
    private var position: Int

    init(_ bytes: [UInt8], from position: Int = 0) {
        all = bytes
        self.position = position
    }

    var left: Int { all.count - position }
    var isAtEnd: Bool { left == 0 }

    /// - Throws: ``ZipError/damaged`` if there are fewer bytes.
    mutating func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count <= left else { throw ZipError.damaged }
        defer { position += count }
        return all[position..<position + count]
    }

    mutating func short() throws -> Int { try number(2) }
    mutating func word() throws -> Int { try number(4) }
    mutating func long() throws -> Int { try number(8) }

    private mutating func number(_ count: Int) throws -> Int {
        let value = try bytes(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: value) else { throw ZipError.damaged }
        return number
    }
}
