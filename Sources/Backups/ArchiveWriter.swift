import Kernel

/// Writes the entries of a backup, one after another: for each the length of its name, its name, its size, its bytes.
/// A name without length ends them.
final class ArchiveWriter {
    private let sealed: SealedWriter
    private var remaining: Int64 = 0
    private(set) var byteCount: Int64 = 0

    init(_ target: any BackupTarget, key: BackupKey) throws {
        sealed = try SealedWriter(target, key: key)
    }

    /// Writes a whole entry.
    func add(_ kind: ArchiveEntry.Kind, _ bytes: [UInt8]) async throws {
        try await begin(ArchiveEntry(kind, byteCount: Int64(bytes.count)))
        try await write(bytes)
    }

    /// Begins an entry, whose bytes follow.
    func begin(_ entry: ArchiveEntry) async throws {
        guard remaining == 0 else { throw BackupError.contradiction("an entry is shorter than announced") }
        let name = Array(entry.kind.name.utf8)
        try await sealed.write(Self.bigEndian(UInt16(name.count)) + name + Self.bigEndian(UInt64(entry.byteCount)))
        remaining = entry.byteCount
    }

    /// Writes bytes of the present entry.
    func write(_ bytes: [UInt8]) async throws {
        remaining -= Int64(bytes.count)
        guard remaining >= 0 else { throw BackupError.contradiction("an entry is longer than announced") }
        byteCount += Int64(bytes.count)
        try await sealed.write(bytes)
    }

    func finish() async throws {
        guard remaining == 0 else { throw BackupError.contradiction("an entry is shorter than announced") }
        try await sealed.write(Self.bigEndian(UInt16(0)))
        try await sealed.finish()
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
