import Kernel

/// Writes a ZIP archive piece by piece, without compressing (photos are compressed already), as APPNOTE.TXT 6.3.10
/// describes it. Names are UTF-8; no ZIP64, so an archive stays below 4 GiB and 65,535 files.
struct ZipWriter: Sendable {
    enum Failure: Error, Equatable, Sendable {
        /// The archive would need ZIP64.
        case tooLarge
        /// An absolute path, one that climbs, or an overlong one.
        case badPath
    }

    private struct Entry {
        let path: [UInt8]
        let checksum: UInt32
        let size: UInt32
        let offset: UInt32
    }

    private static let version: UInt16 = 20
    private static let utf8Names: UInt16 = 1 << 11
    private static let regularFile: UInt32 = 0o100_600 << 16
    private static let madeOnUnix: UInt16 = 3 << 8
    private static let pathBytes = 1_000

    private var entries: [Entry] = []
    private var written: UInt64 = 0
    private let time: UInt16
    private let date: UInt16

    /// - Parameter instant: the time that all files bear, in UTC.
    init(at instant: Instant) {
        let digits = instant.rfc3339.utf8.compactMap { (0x30...0x39).contains($0) ? UInt16($0 - 0x30) : nil }
        func number(_ range: Range<Int>) -> UInt16 { digits[range].reduce(0) { $0 * 10 + $1 } }
        time = number(8..<10) << 11 | number(10..<12) << 5 | number(12..<14) / 2
        date = (max(number(0..<4), 1980) - 1980) << 9 | number(4..<6) << 5 | number(6..<8)
    }

    /// One whole file: its header and its contents.
    mutating func file(_ path: String, _ contents: [UInt8]) throws(Failure) -> [UInt8] {
        let name = Array(path.utf8)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard name.count <= Self.pathBytes, !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }),
            !path.contains("\\")
        else { throw .badPath }
        let isRoom =
            entries.count < Int(UInt16.max) - 1 && written + UInt64(contents.count) < UInt64(UInt32.max) - 1 << 24
        guard isRoom else { throw .tooLarge }
        let entry = Entry(
            path: name, checksum: CRC32.checksum(contents), size: UInt32(contents.count), offset: UInt32(written)
        )
        entries.append(entry)
        var bytes = LittleEndian()
        bytes.append(UInt32(0x0403_4b50))
        bytes.append(Self.version)
        append(common: entry, to: &bytes)
        bytes.bytes += entry.path
        bytes.bytes += contents
        written += UInt64(bytes.bytes.count)
        return bytes.bytes
    }

    /// The list of all files, with which the archive ends.
    func finish() throws(Failure) -> [UInt8] {
        var bytes = LittleEndian()
        for entry in entries {
            bytes.append(UInt32(0x0201_4b50))
            bytes.append(Self.madeOnUnix | Self.version)
            bytes.append(Self.version)
            append(common: entry, to: &bytes)
            // Comment's length, disk, internal attributes.
            for _ in 0..<3 { bytes.append(UInt16(0)) }
            bytes.append(Self.regularFile)
            bytes.append(entry.offset)
            bytes.bytes += entry.path
        }
        guard written + UInt64(bytes.bytes.count) < UInt64(UInt32.max) else { throw .tooLarge }
        let size = UInt32(bytes.bytes.count)
        bytes.append(UInt32(0x0605_4b50))
        for _ in 0..<2 { bytes.append(UInt16(0)) }
        for _ in 0..<2 { bytes.append(UInt16(entries.count)) }
        bytes.append(size)
        bytes.append(UInt32(written))
        bytes.append(UInt16(0))
        return bytes.bytes
    }

    private func append(common entry: Entry, to bytes: inout LittleEndian) {
        bytes.append(Self.utf8Names)
        // Method 0: stored.
        bytes.append(UInt16(0))
        bytes.append(time)
        bytes.append(date)
        bytes.append(entry.checksum)
        bytes.append(entry.size)
        bytes.append(entry.size)
        bytes.append(UInt16(entry.path.count))
        // No extra field.
        bytes.append(UInt16(0))
    }
}

private struct LittleEndian {
    var bytes: [UInt8] = []

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
