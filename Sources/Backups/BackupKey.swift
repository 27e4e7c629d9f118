import Crypto
import Foundation
package import Kernel

/// The key that encrypts backups. It isn't part of any backup: people keep it apart from the server as a recovery key.
package struct BackupKey: Sendable, Hashable {
    package static let byteCount = 32
    /// The file in the data folder. The server starts without it.
    package static let fileName = "backup.key"
    static let idByteCount = 8

    package let bytes: [UInt8]

    /// - Throws: ``BackupError/malformedKey`` for another number of bytes.
    package init(bytes: [UInt8]) throws(BackupError) {
        guard bytes.count == Self.byteCount else { throw .malformedKey }
        self.bytes = bytes
    }

    /// Returns the key in the data folder; creates it if it doesn't exist.
    package static func open(
        in folder: String, random: any RandomSource
    ) throws -> (key: BackupKey, isNew: Bool) {
        if let key = try read("\(folder)/\(fileName)") { return (key, false) }
        let own = random.bytes(byteCount)
        try own.store(at: "\(folder)/\(fileName)", random: random)
        // Another process may have been first.
        guard let key = try read("\(folder)/\(fileName)") else { throw BackupError.malformedKey }
        return (key, key.bytes == own)
    }

    /// Returns the key in a file, as bytes or as a recovery key; `nil` if there is no file.
    package static func read(_ path: String) throws -> BackupKey? {
        let bytes: [UInt8]?
        do throws(DurableFile.Failure) {
            bytes = try DurableFile(path).read(limit: Limits.backupSmallEntryBytes)
        } catch {
            throw BackupError(error, path)
        }
        guard let bytes else { return nil }
        if bytes.count == byteCount { return try BackupKey(bytes: bytes) }
        return try BackupKey(recoveryKey: String(decoding: bytes, as: UTF8.self))
    }

    /// Stores the key in a data folder that has none.
    package func store(in folder: String, random: any RandomSource) throws {
        try bytes.store(at: "\(folder)/\(Self.fileName)", random: random)
    }

    /// A name of the key that doesn't reveal it.
    package var id: String { Hexadecimal.encoded(idBytes) }

    var idBytes: [UInt8] { Array(derived("id").prefix(Self.idByteCount)) }

    /// The key of the encryption.
    var encryption: [UInt8] { derived("encryption") }

    /// The key of the names of contents in a repository.
    var names: [UInt8] { derived("names") }

    private func derived(_ purpose: String) -> [UInt8] {
        let text = Array("homeward backup \(purpose) 1".utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: bytes)))
    }
}

extension [UInt8] {
    fileprivate func store(at path: String, random: any RandomSource) throws {
        do throws(DurableFile.Failure) {
            try DurableFile(path).create(self, draft: "\(path).\(String(random.uint64(), radix: 16)).new")
        } catch {
            throw BackupError(error, path)
        }
    }
}

extension BackupKey {
    /// Crockford's base32: no letters that look like digits.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let bitsPerCharacter = 5
    private static let checksumCharacters = 4
    private static let groupCharacters = 4

    /// The key as people write it down: groups of letters and digits, with a checksum.
    package var recoveryKey: String {
        let characters = Self.characters(of: bytes) + Self.checksum(bytes)
        return stride(from: 0, to: characters.count, by: Self.groupCharacters).map { start in
            String(characters[start..<min(start + Self.groupCharacters, characters.count)])
        }.joined(separator: "-")
    }

    /// Reads a recovery key. Accepts lowercase letters, spaces, and O, I and L for the digits.
    /// - Throws: ``BackupError/malformedKey``, also for a typing error.
    package init(recoveryKey text: String) throws(BackupError) {
        let typed = text.uppercased().filter { !$0.isWhitespace && $0 != "-" }
        let values = typed.map { Self.value(of: $0) }
        let expected = (Self.byteCount * 8 + Self.bitsPerCharacter - 1) / Self.bitsPerCharacter
        guard values.count == expected + Self.checksumCharacters, !values.contains(nil) else { throw .malformedKey }
        var bytes: [UInt8] = []
        var (buffer, bits) = (0, 0)
        for value in values.prefix(expected) {
            buffer = (buffer << Self.bitsPerCharacter | (value ?? 0)) & 0xffff
            bits += Self.bitsPerCharacter
            guard bits >= 8, bytes.count < Self.byteCount else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
        }
        let read = Self.characters(of: bytes) + Self.checksum(bytes)
        guard read.map({ Self.value(of: $0) }) == values else { throw .malformedKey }
        try self.init(bytes: bytes)
    }

    private static func characters(of bytes: [UInt8]) -> [Character] {
        var characters: [Character] = []
        var (buffer, bits) = (0, 0)
        for byte in bytes {
            buffer = (buffer << 8 | Int(byte)) & 0xffff
            bits += 8
            while bits >= bitsPerCharacter {
                bits -= bitsPerCharacter
                characters.append(alphabet[buffer >> bits & 31])
            }
        }
        if bits > 0 { characters.append(alphabet[buffer << (bitsPerCharacter - bits) & 31]) }
        return characters
    }

    private static func checksum(_ bytes: [UInt8]) -> [Character] {
        let digest = SHA256.hash(data: Array("homeward recovery key".utf8) + bytes)
        return Array(characters(of: Array(digest)).prefix(checksumCharacters))
    }

    private static func value(of character: Character) -> Int? {
        switch character {
        case "O": 0
        case "I", "L": 1
        default: alphabet.firstIndex(of: character)
        }
    }
}
