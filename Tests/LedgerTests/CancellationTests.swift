import Kernel
import Storage
import TestSupport
import Testing

@testable import Ledger

@Suite("Cancelled verifications")
struct CancellationTests {
    @Test("A cancelled verification throws instead of reading the ledger", arguments: Engine.allCases)
    func cancelled(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            _ = try await fixture.wallets([100])
            let verification = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await fixture.verify()
            }
            await #expect(throws: CancellationError.self) { try await verification.value }
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("Each part of a verification checks for cancellation before it reads a page", arguments: Engine.allCases)
    func parts(engine: Engine) async throws {
        try await withLedger(engine) { fixture in
            _ = try await fixture.wallets([100])
            try await fixture.database.read { [key = fixture.key] tx in
                let cancellation = CancellationFlag()
                var proof = LedgerVerification(key: key, tx: tx, cancellation: cancellation)
                var postings = PostingPageReader(tx: tx, key: key, cancellation: cancellation)
                cancellation.set()
                #expect(throws: CancellationError.self) { try proof.checkBatches() }
                #expect(throws: CancellationError.self) { try proof.checkUnsealed() }
                #expect(throws: CancellationError.self) { try proof.checkAccounts() }
                #expect(throws: CancellationError.self) { _ = try postings.next() }
            }
        }
    }
}
