import Accounts
import Testing

@Suite("Encryption of secrets")
struct SecretBoxTests {
    @Test("A sealed secret can be opened, differs each time, and can't be altered")
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
        for count in [0, 31, 33] {
            let key = [UInt8](repeating: 7, count: count)
            #expect(throws: SecretBox.Failure.wrongKeyLength) { try SecretBox(key: key) }
        }
    }
}
