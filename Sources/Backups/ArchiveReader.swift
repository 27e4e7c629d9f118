import Kernel

/// Reads the entries of a backup, and validates their names and sizes.
final class ArchiveReader {
    private let sealed: SealedReader
    private var buffer: ArraySlice<UInt8> = []
    private var remaining: Int64 = 0

    init(_ source: any BackupSource, key: BackupKey) async throws {
        sealed = try await SealedReader(source, key: key)
    }

    /// Returns the next entry; `nil` after the last one, when the whole source is read.
    /// - Throws: ``BackupError``, or the source's error.
    func next() async throws -> ArchiveEntry? {
        while try await read() != nil {}
        let length = Int(Self.number(try await exactly(2)))
        guard length > 0 else {
            guard buffer.isEmpty, try await sealed.next() == nil else { throw Self.malformed }
            return nil
        }
        guard length <= Limits.backupNameBytes else { throw Self.malformed }
        let name = String(decoding: try await exactly(length), as: UTF8.self)
        let size = Self.number(try await exactly(8))
        guard let kind = ArchiveEntry.Kind(name: name), size <= UInt64(kind.maximumByteCount) else {
            throw BackupError.contradiction("it has an entry that isn't allowed")
        }
        remaining = Int64(size)
        return ArchiveEntry(kind, byteCount: remaining)
    }

    /// Returns further bytes of the present entry; `nil` at its end.
    func read() async throws -> [UInt8]? {
        guard remaining > 0 else { return nil }
        try await fill()
        let part = Array(buffer.prefix(Int(min(remaining, Int64(buffer.count)))))
        buffer = buffer.dropFirst(part.count)
        remaining -= Int64(part.count)
        return part
    }

    /// Returns all bytes of the present entry.
    func readAll() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let part = try await read() { bytes += part }
        return bytes
    }

    private func exactly(_ count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            try await fill()
            let part = buffer.prefix(count - bytes.count)
            bytes += part
            buffer = buffer.dropFirst(part.count)
        }
        return bytes
    }

    private func fill() async throws {
        while buffer.isEmpty {
            guard let chunk = try await sealed.next() else { throw Self.malformed }
            buffer = chunk[...]
        }
    }

    private static var malformed: BackupError { .contradiction("its entries can't be read") }

    private static func number(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
