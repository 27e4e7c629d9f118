import CSodium
import Kernel

/// The layout of an encrypted stream: a header in the clear, then chunks of libsodium's `secretstream`. Each chunk
/// authenticates the header and all chunks before it, and the last one is marked.
enum SealedFormat {
    static let magic = Array("HWBACKUP".utf8)
    static let version: UInt16 = 1
    /// The bytes before the stream's own header: magic, version, key id.
    static let prefixByteCount = magic.count + 2 + BackupKey.idByteCount
    static var headerByteCount: Int { prefixByteCount + crypto_secretstream_xchacha20poly1305_headerbytes() }
    /// The bytes of a full chunk when encrypted.
    static var sealedChunkByteCount: Int { Limits.backupChunkBytes + crypto_secretstream_xchacha20poly1305_abytes() }
}

/// Encrypts bytes in chunks and writes them to a target.
final class SealedWriter {
    private let target: any BackupTarget
    private let header: [UInt8]
    private var state = crypto_secretstream_xchacha20poly1305_state()
    private var waiting: [UInt8] = []
    private var isHeaderWritten = false

    init(_ target: any BackupTarget, key: BackupKey) throws {
        guard sodium_init() >= 0 else { throw BackupError.contradiction("libsodium can't be used") }
        self.target = target
        var own = [UInt8](repeating: 0, count: crypto_secretstream_xchacha20poly1305_headerbytes())
        crypto_secretstream_xchacha20poly1305_init_push(&state, &own, key.encryption)
        let version = [UInt8(SealedFormat.version >> 8), UInt8(truncatingIfNeeded: SealedFormat.version)]
        header = SealedFormat.magic + version + key.idBytes + own
    }

    func write(_ bytes: [UInt8]) async throws {
        waiting += bytes
        var start = 0
        // A full chunk waits until more bytes follow: it may be the last one.
        while waiting.count - start > Limits.backupChunkBytes {
            try await send(Array(waiting[start..<start + Limits.backupChunkBytes]), isLast: false)
            start += Limits.backupChunkBytes
        }
        if start > 0 { waiting.removeFirst(start) }
    }

    /// Writes the last chunk.
    func finish() async throws {
        try await send(waiting, isLast: true)
        waiting = []
    }

    private func send(_ chunk: [UInt8], isLast: Bool) async throws {
        if !isHeaderWritten {
            isHeaderWritten = true
            try await target.write(header)
        }
        let tag =
            isLast
            ? crypto_secretstream_xchacha20poly1305_tag_final() : crypto_secretstream_xchacha20poly1305_tag_message()
        var sealed = [UInt8](repeating: 0, count: chunk.count + crypto_secretstream_xchacha20poly1305_abytes())
        let result = crypto_secretstream_xchacha20poly1305_push(
            &state, &sealed, nil, chunk, UInt64(chunk.count), header, UInt64(header.count), UInt8(tag))
        guard result == 0 else { throw BackupError.contradiction("libsodium can't encrypt") }
        try await target.write(sealed)
    }
}
