import Foundation
import Kernel
import TestSupport
import Testing

@testable import Backups

@Suite("Keys of backups")
struct BackupKeyTests {
    private static let key = SeededRandom(seed: 4).bytes(BackupKey.byteCount)

    @Test("A recovery key gives back the key, however it is typed")
    func roundTrip() throws {
        for seed in UInt64(0)..<50 {
            let key = try BackupKey(bytes: SeededRandom(seed: seed).bytes(BackupKey.byteCount))
            let text = key.recoveryKey
            #expect(try BackupKey(recoveryKey: text) == key)
            #expect(
                try BackupKey(recoveryKey: " \(text.lowercased().split(separator: "-").joined(separator: " "))\n")
                    == key)
            let alike = text.map { $0 == "0" ? "O" : $0 == "1" ? "l" : $0 }
            #expect(try BackupKey(recoveryKey: String(alike)) == key)
        }
    }

    @Test("A recovery key is fourteen groups of four")
    func format() throws {
        let groups = try BackupKey(bytes: Self.key).recoveryKey.split(separator: "-")
        #expect(groups.count == 14)
        #expect(groups.allSatisfy { $0.count == 4 })
    }

    @Test("Each wrong, missing or exchanged character is found")
    func typingErrors() throws {
        let text = Array(try BackupKey(bytes: Self.key).recoveryKey.filter { $0 != "-" })
        for place in text.indices {
            for other in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" where other != text[place] {
                var typed = text
                typed[place] = other
                #expect(throws: BackupError.malformedKey) { try BackupKey(recoveryKey: String(typed)) }
            }
            var shorter = text
            shorter.remove(at: place)
            #expect(throws: BackupError.malformedKey) { try BackupKey(recoveryKey: String(shorter)) }
            guard place + 1 < text.count, text[place] != text[place + 1] else { continue }
            var exchanged = text
            exchanged.swapAt(place, place + 1)
            #expect(throws: BackupError.malformedKey) { try BackupKey(recoveryKey: String(exchanged)) }
        }
        for typed in ["", "0", "U" + String(text.dropFirst())] {
            #expect(throws: BackupError.malformedKey) { try BackupKey(recoveryKey: typed) }
        }
    }

    @Test("The key is created once, readable only by its owner, and read as bytes or text")
    func file() throws {
        let folder = try TemporaryFolder()
        let (key, isNew) = try BackupKey.open(in: folder.path, random: SeededRandom())
        #expect(isNew)
        let again = try BackupKey.open(in: folder.path, random: SeededRandom(seed: 2))
        #expect(again.key == key && !again.isNew)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(BackupKey.fileName))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try "\(key.recoveryKey)\n".write(toFile: folder.file("typed"), atomically: true, encoding: .utf8)
        #expect(try BackupKey.read(folder.file("typed")) == key)
        #expect(try BackupKey.read(folder.file("none")) == nil)
        try "too short".write(toFile: folder.file("typed"), atomically: true, encoding: .utf8)
        #expect(throws: BackupError.malformedKey) { try BackupKey.read(folder.file("typed")) }
    }

    @Test("The name of a key reveals nothing of it")
    func id() throws {
        let key = try BackupKey(bytes: Self.key)
        #expect(!Hexadecimal.encoded(key.bytes).contains(key.id))
        #expect(key.id.count == BackupKey.idByteCount * 2)
    }
}
