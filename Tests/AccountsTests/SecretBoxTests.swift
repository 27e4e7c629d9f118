import Accounts
import Foundation
import Kernel
import TestSupport
import Testing

@Suite("Secrets at rest")
struct SecretBoxTests {
    @Test("what is sealed opens again, differs each time, and can't be altered")
    func sealing() throws {
        let box = try SecretBox(key: Array(0..<32))
        let secret = Array("passphrase".utf8)
        let sealed = try box.seal(secret)
        #expect(try box.open(sealed) == secret)
        #expect(try box.seal(secret) != sealed)
        #expect(try box.open(box.seal([])) == [])
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 1
            #expect(throws: SecretBox.Failure.cannotOpen) { try box.open(altered) }
        }
        #expect(throws: SecretBox.Failure.cannotOpen) { try box.open([]) }
        let other = try SecretBox(key: Array(1..<33))
        #expect(throws: SecretBox.Failure.cannotOpen) { try other.open(sealed) }
        #expect(throws: SecretBox.Failure.wrongKeyLength) { try SecretBox(key: [1, 2, 3]) }
    }

    @Test("the key's file is made once, for its owner's eyes only")
    func file() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("secret.key")
        let first = try SecretBox.loadOrCreate(file: file, random: SystemRandom())
        let second = try SecretBox.loadOrCreate(file: file, random: SystemRandom())
        #expect(try second.open(first.seal([1, 2, 3])) == [1, 2, 3])
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int == 32)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["secret.key"])
    }

    @Test("a file that holds no key is refused, not replaced")
    func damaged() throws {
        let folder = try TemporaryFolder()
        for (name, size) in [("empty", 0), ("short", 31), ("long", 33)] {
            try Data(count: size).write(to: URL(filePath: folder.file(name)))
            #expect(throws: SecretBox.Failure.wrongKeyLength) {
                try SecretBox.loadOrCreate(file: folder.file(name), random: SystemRandom())
            }
        }
    }
}
