import Kernel

/// Writes a ZIP archive piece by piece (APPNOTE.TXT 6.3.10). Names are UTF-8. Streamed files are deflated, with a data
/// descriptor behind them. ZIP64 is used where 32 bits are not enough.
struct ZipWriter {
    enum Failure: Error, Equatable, Sendable {
        /// The path is absolute, contains an empty, `.` or `..` component or a backslash, or is too long.
        case badPath
        /// A file exceeds the size that its header allows.
        case tooLarge
    }

    private struct Entry {
        let path: [UInt8]
        let isDeflated: Bool
        /// Whether a data descriptor follows the file, because its sizes aren't known before.
        let isStreamed: Bool
        /// Whether the sizes in the data descriptor take 64 bits each.
        let isLarge: Bool
        let offset: UInt64
        var checksum: UInt32 = 0
        var size: UInt64 = 0
        var packedSize: UInt64 = 0
    }

    private static let version: UInt16 = 20
    private static let versionOfZip64: UInt16 = 45
    private static let sizesFollow: UInt16 = 1 << 3
    private static let utf8Names: UInt16 = 1 << 11
    private static let deflated: UInt16 = 8
    private static let regularFile: UInt32 = 0o100_600 << 16
    private static let madeOnUnix: UInt16 = 3 << 8
    private static let zip64Field: UInt16 = 1
    private static let pathBytes = 1_000

    private var entries: [Entry] = []
    private var current: (entry: Entry, deflater: Deflater)?
    private var written: UInt64 = 0
    private let time: UInt16
    private let date: UInt16
    private let largest: UInt64

    /// - Parameters:
    ///   - instant: the modification time of all files, in UTC.
    ///   - largest: the first number that ZIP can't store in 32 bits. Tests pass a lower one.
    init(at instant: Instant, largest: UInt64 = UInt64(UInt32.max)) {
        self.largest = largest
        let digits = instant.rfc3339.utf8.compactMap { (0x30...0x39).contains($0) ? UInt16($0 - 0x30) : nil }
        func number(_ range: Range<Int>) -> UInt16 { digits[range].reduce(0) { $0 * 10 + $1 } }
        time = number(8..<10) << 11 | number(10..<12) << 5 | number(12..<14) / 2
        date = (max(number(0..<4), 1980) - 1980) << 9 | number(4..<6) << 5 | number(6..<8)
    }

    /// Returns the record of a whole file, stored without compression because its contents are already compressed.
    mutating func store(_ path: String, _ contents: [UInt8]) throws -> [UInt8] {
        guard UInt64(contents.count) < largest else { throw Failure.tooLarge }
        var entry = Entry(
            path: try Self.checked(path), isDeflated: false, isStreamed: false, isLarge: false, offset: written
        )
        entry.checksum = Deflater.checksum(0, contents)
        entry.size = UInt64(contents.count)
        entry.packedSize = entry.size
        entries.append(entry)
        let bytes = header(of: entry) + contents
        written += UInt64(bytes.count)
        return bytes
    }

    /// Begins a compressed file.
    /// - Parameter mayBeLarge: whether the file may reach 4 GiB.
    mutating func begin(_ path: String, mayBeLarge: Bool) throws -> [UInt8] {
        let entry = Entry(
            path: try Self.checked(path), isDeflated: true, isStreamed: true, isLarge: mayBeLarge, offset: written
        )
        current = (entry, try Deflater())
        let bytes = header(of: entry)
        written += UInt64(bytes.count)
        return bytes
    }

    /// Returns the compressed bytes of more contents of the current file. Empty while the deflater buffers them.
    mutating func append(_ contents: [UInt8]) throws -> [UInt8] {
        guard var entry = current?.entry, let deflater = current?.deflater else { return [] }
        entry.checksum = Deflater.checksum(entry.checksum, contents)
        entry.size += UInt64(contents.count)
        let packed = try deflater.append(contents)
        entry.packedSize += UInt64(packed.count)
        written += UInt64(packed.count)
        current = (entry, deflater)
        return packed
    }

    /// Returns the end of the current file.
    mutating func end() throws -> [UInt8] {
        guard var entry = current?.entry, let deflater = current?.deflater else { return [] }
        current = nil
        let rest = try deflater.finish()
        entry.packedSize += UInt64(rest.count)
        guard entry.isLarge || max(entry.size, entry.packedSize) < largest else { throw Failure.tooLarge }
        entries.append(entry)
        var bytes = LittleEndian()
        bytes.append(UInt32(0x0807_4b50))
        bytes.append(entry.checksum)
        for size in [entry.packedSize, entry.size] {
            if entry.isLarge { bytes.append(size) } else { bytes.append(UInt32(truncatingIfNeeded: size)) }
        }
        written += UInt64(rest.count + bytes.bytes.count)
        return rest + bytes.bytes
    }

    /// Returns the central directory, which ends the archive.
    func finish() -> [UInt8] {
        var bytes = LittleEndian()
        for entry in entries { list(entry, in: &bytes) }
        let size = UInt64(bytes.bytes.count)
        let isLarge = entries.count >= Int(UInt16.max) || written >= largest || size >= largest
        if isLarge { endLarge(size: size, in: &bytes) }
        let count = isLarge ? UInt16.max : UInt16(entries.count)
        bytes.append(UInt32(0x0605_4b50))
        for _ in 0..<2 { bytes.append(UInt16(0)) }
        for _ in 0..<2 { bytes.append(count) }
        bytes.append(isLarge ? UInt32.max : UInt32(size))
        bytes.append(isLarge ? UInt32.max : UInt32(written))
        bytes.append(UInt16(0))
        return bytes.bytes
    }

    private static func checked(_ path: String) throws(Failure) -> [UInt8] {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isBad = parts.contains { $0.isEmpty || $0 == "." || $0 == ".." } || path.contains("\\")
        guard !isBad, path.utf8.count <= pathBytes else { throw .badPath }
        return Array(path.utf8)
    }

    // MARK: Records

    private func header(of entry: Entry) -> [UInt8] {
        var extra = LittleEndian()
        if entry.isLarge {
            // Announces 64-bit sizes in the data descriptor. The values aren't known yet.
            extra.append(Self.zip64Field)
            extra.append(UInt16(16))
            for _ in 0..<2 { extra.append(UInt64(0)) }
        }
        var bytes = LittleEndian()
        bytes.append(UInt32(0x0403_4b50))
        bytes.append(entry.isLarge ? Self.versionOfZip64 : Self.version)
        appendCommon(entry, to: &bytes)
        bytes.append(entry.isLarge ? UInt32.max : UInt32(truncatingIfNeeded: entry.packedSize))
        bytes.append(entry.isLarge ? UInt32.max : UInt32(truncatingIfNeeded: entry.size))
        bytes.append(UInt16(entry.path.count))
        bytes.append(UInt16(extra.bytes.count))
        return bytes.bytes + entry.path + extra.bytes
    }

    private func list(_ entry: Entry, in bytes: inout LittleEndian) {
        var extra = LittleEndian()
        // In this order. Each is present only where its 32-bit field is too small.
        let large = [entry.size, entry.packedSize, entry.offset].filter { $0 >= largest }
        if !large.isEmpty {
            extra.append(Self.zip64Field)
            extra.append(UInt16(large.count * 8))
            for number in large { extra.append(number) }
        }
        let version = entry.isLarge || !large.isEmpty ? Self.versionOfZip64 : Self.version
        bytes.append(UInt32(0x0201_4b50))
        bytes.append(Self.madeOnUnix | version)
        bytes.append(version)
        appendCommon(entry, to: &bytes)
        bytes.append(short(entry.packedSize))
        bytes.append(short(entry.size))
        bytes.append(UInt16(entry.path.count))
        bytes.append(UInt16(extra.bytes.count))
        // The length of the comment, the disk number, and the internal attributes.
        for _ in 0..<3 { bytes.append(UInt16(0)) }
        bytes.append(Self.regularFile)
        bytes.append(short(entry.offset))
        bytes.bytes += entry.path + extra.bytes
    }

    /// Appends the ZIP64 end-of-central-directory record and its locator.
    private func endLarge(size: UInt64, in bytes: inout LittleEndian) {
        let start = written + size
        bytes.append(UInt32(0x0606_4b50))
        bytes.append(UInt64(44))
        bytes.append(Self.madeOnUnix | Self.versionOfZip64)
        bytes.append(Self.versionOfZip64)
        for _ in 0..<2 { bytes.append(UInt32(0)) }
        for _ in 0..<2 { bytes.append(UInt64(entries.count)) }
        bytes.append(size)
        bytes.append(written)
        bytes.append(UInt32(0x0706_4b50))
        bytes.append(UInt32(0))
        bytes.append(start)
        bytes.append(UInt32(1))
    }

    private func short(_ number: UInt64) -> UInt32 { number >= largest ? .max : UInt32(number) }

    private func appendCommon(_ entry: Entry, to bytes: inout LittleEndian) {
        bytes.append(Self.utf8Names | (entry.isStreamed ? Self.sizesFollow : 0))
        bytes.append(entry.isDeflated ? Self.deflated : UInt16(0))
        bytes.append(time)
        bytes.append(date)
        bytes.append(entry.checksum)
    }
}

private struct LittleEndian {
    var bytes: [UInt8] = []

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
