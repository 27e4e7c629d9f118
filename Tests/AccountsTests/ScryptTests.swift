import Accounts
import Kernel
import TestSupport
import Testing

/// The first half of the results in RFC 7914, section 12, in the stored form.
private struct KnownHash: CustomTestStringConvertible {
    let password: String
    let stored: String
    var testDescription: String { stored }

    static let all = [
        KnownHash(
            password: "password", stored: "$scrypt$ln=10,r=8,p=16$TmFDbA==$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI="
        ),
        KnownHash(
            password: "pleaseletmein",
            stored: "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU=$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofI="),
    ]
}

@Suite("scrypt")
struct ScryptTests {
    @Test("The passwords of the RFC match its hashes", arguments: KnownHash.all)
    private func vectors(_ known: KnownHash) async throws {
        let hasher = ScryptHasher(random: SeededRandom(seed: 11))
        #expect(try await hasher.verify(Array(known.password.utf8), against: known.stored))
        #expect(try await !hasher.verify(Array("\(known.password)!".utf8), against: known.stored))
    }
}
