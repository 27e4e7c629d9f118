import Foundation
import Kernel
import Ledger
import TestSupport
import Testing

@Suite("The ledger's key")
struct KeyTests {
    @Test("the file is made once, for its owner alone")
    func file() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("ledger.key")
        _ = try LedgerKey.loadOrCreate(file: path, random: SeededRandom(seed: 1))
        let first = try Data(contentsOf: URL(fileURLWithPath: path))
        _ = try LedgerKey.loadOrCreate(file: path, random: SeededRandom(seed: 2))
        let second = try Data(contentsOf: URL(fileURLWithPath: path))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(first == second)
        #expect(first.count == 32)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["ledger.key"])
    }

    @Test("a file of another length isn't taken", arguments: [0, 31, 33])
    func wrongLength(count: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("ledger.key")
        try Data(repeating: 7, count: count).write(to: URL(fileURLWithPath: path))
        #expect(throws: LedgerKey.Failure.wrongLength) {
            _ = try LedgerKey.loadOrCreate(file: path, random: SeededRandom())
        }
        #expect(throws: LedgerKey.Failure.wrongLength) { _ = try LedgerKey(bytes: [1, 2, 3]) }
    }
}
