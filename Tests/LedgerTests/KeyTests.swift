import Ledger
import Testing

@Suite("The ledger's key")
struct KeyTests {
    @Test("A key that isn't 32 bytes long is rejected", arguments: [0, 31, 33])
    func wrongLength(count: Int) {
        #expect(throws: LedgerKey.Failure.wrongLength) { _ = try LedgerKey(bytes: [UInt8](repeating: 7, count: count)) }
    }
}
