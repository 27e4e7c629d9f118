import Kernel

/// A directory of a PMTiles file: where the tiles are, or the leaf directories that say so.
struct PMTilesDirectory: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        /// The first tile.
        let tileID: UInt64
        let offset: UInt64
        let length: UInt64
        /// The number of tiles with the same content; 0 for a leaf directory.
        let runLength: UInt64
    }

    /// In the order of the tiles.
    let entries: [Entry]

    /// - Parameter bytes: unpacked.
    /// - Throws: ``MapFileError`` for bytes that aren't a directory.
    init(_ bytes: [UInt8]) throws(MapFileError) {
        var reader = VarintReader(bytes)
        let count = try reader.next()
        // Each entry has four numbers of at least one byte: a larger count would only reserve memory.
        guard count <= UInt64(Limits.mapDirectoryEntries), count <= UInt64(bytes.count / 4) else {
            throw .damaged("a directory has \(count) entries")
        }
        let total = Int(count)
        var ids: [UInt64] = []
        var runs: [UInt64] = []
        var lengths: [UInt64] = []
        var entries: [Entry] = []
        ids.reserveCapacity(total)
        var id: UInt64 = 0
        for index in 0..<total {
            let sum = id.addingReportingOverflow(try reader.next())
            guard !sum.overflow, index == 0 || sum.partialValue > id else {
                throw .damaged("the tiles of a directory aren't in order")
            }
            id = sum.partialValue
            ids.append(id)
        }
        for _ in 0..<total { runs.append(try reader.next()) }
        for _ in 0..<total {
            let length = try reader.next()
            guard length > 0 else { throw .damaged("an entry of a directory is empty") }
            lengths.append(length)
        }
        entries.reserveCapacity(total)
        for index in 0..<total {
            let value = try reader.next()
            var offset = value &- 1
            if value == 0 {
                guard let last = entries.last else { throw .damaged("the first entry of a directory has no offset") }
                let end = last.offset.addingReportingOverflow(last.length)
                guard !end.overflow else { throw .damaged("an offset of a directory is too large") }
                offset = end.partialValue
            }
            entries.append(
                Entry(tileID: ids[index], offset: offset, length: lengths[index], runLength: runs[index]))
        }
        self.entries = entries
    }

    /// Returns the entry of a tile, or the leaf directory that may have it; `nil` if there is none.
    func entry(for tileID: UInt64) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].tileID <= tileID { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        return entry.runLength == 0 || tileID - entry.tileID < entry.runLength ? entry : nil
    }
}

/// Reads numbers of seven bits a byte, the lowest first.
struct VarintReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Throws: ``MapFileError`` at the end of the bytes, and for a number of more than 64 bits.
    mutating func next() throws(MapFileError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            guard shift < 63 || (shift == 63 && byte <= 1) else { throw .damaged("a number is too large") }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw .damaged("a directory is too short")
    }
}
