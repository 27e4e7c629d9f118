import CSodium
import Kernel

/// Reads and decrypts what ``SealedWriter`` wrote.
final class SealedReader {
    private let source: any BackupSource
    private let header: [UInt8]
    private var state = crypto_secretstream_xchacha20poly1305_state()
    private var position: Int64
    private var isFinished = false

    /// - Throws: ``BackupError`` if the source isn't a backup, or was made with another key.
    init(_ source: any BackupSource, key: BackupKey) async throws {
        guard sodium_init() >= 0 else { throw BackupError.contradiction("libsodium can't be used") }
        self.source = source
        header = try await source.read(upTo: SealedFormat.headerByteCount)
        position = Int64(header.count)
        let magic = SealedFormat.magic
        guard header.starts(with: magic) else { throw BackupError.notABackup }
        guard header.count == SealedFormat.headerByteCount else { throw BackupError.cutOff }
        let version = UInt16(header[magic.count]) << 8 | UInt16(header[magic.count + 1])
        guard version == SealedFormat.version else { throw BackupError.newerFormat(Int(version)) }
        let id = Array(header[magic.count + 2..<SealedFormat.prefixByteCount])
        guard id == key.idBytes else {
            throw BackupError.wrongKey(backup: Hexadecimal.encoded(id), given: key.id)
        }
        let own = Array(header[SealedFormat.prefixByteCount...])
        guard crypto_secretstream_xchacha20poly1305_init_pull(&state, own, key.encryption) == 0 else {
            throw BackupError.damaged(byte: Int64(SealedFormat.prefixByteCount))
        }
    }

    /// Returns the next decrypted bytes; `nil` at the end, which is the marked one.
    /// - Throws: ``BackupError/cutOff``, ``BackupError/damaged(byte:)``, or the source's error.
    func next() async throws -> [UInt8]? {
        guard !isFinished else { return nil }
        let sealed = try await source.read(upTo: SealedFormat.sealedChunkByteCount)
        let additional = crypto_secretstream_xchacha20poly1305_abytes()
        guard sealed.count >= additional else { throw BackupError.cutOff }
        var chunk = [UInt8](repeating: 0, count: sealed.count - additional)
        var tag: UInt8 = 0
        let result = crypto_secretstream_xchacha20poly1305_pull(
            &state, &chunk, nil, &tag, sealed, UInt64(sealed.count), header, UInt64(header.count))
        guard result == 0 else {
            // The chunk that lost its end can't be decrypted either.
            let isShort = sealed.count < SealedFormat.sealedChunkByteCount
            throw isShort ? BackupError.cutOffOrDamaged(byte: position) : BackupError.damaged(byte: position)
        }
        position += Int64(sealed.count)
        if tag == UInt8(crypto_secretstream_xchacha20poly1305_tag_final()) {
            isFinished = true
            guard try await source.read(upTo: 1).isEmpty else { throw BackupError.damaged(byte: position) }
        }
        return chunk
    }
}
