import TestSupport
import Testing

@testable import Storage

@Suite("Times of transactions")
struct TransactionTimesTests {
    private struct Refusal: Error {}

    @Test("A time counts in the group of the first bound that it doesn't exceed")
    func groups() {
        let times = TransactionTimes()
        #expect(times.counts.groups.count == TransactionTimes.bounds.count + 1)
        for nanoseconds: UInt64 in [0, 100_000, 100_001, 5_000_000_000, 5_000_000_001] {
            times.record(since: 1_000, until: 1_000 + nanoseconds)
        }
        let counts = times.counts
        #expect(counts.groups.first == 2 && counts.groups[1] == 1)
        #expect(counts.groups[counts.groups.count - 2] == 1 && counts.groups.last == 1)
        #expect(counts.groups.reduce(0, +) == 5)
        #expect(abs(counts.seconds - 10.000200002) < 1e-9)
    }

    @Test("A clock that seems to go back counts as no time")
    func backwards() {
        let times = TransactionTimes()
        times.record(since: 10, until: 9)
        #expect(times.counts.groups.first == 1 && times.counts.seconds == 0)
    }

    @Test("Each transaction is counted once, also one that fails", arguments: Engine.allCases)
    func transactions(engine: Engine) async throws {
        try await withSamples(engine) { database in
            func count(_ times: TransactionTimes) -> Int { times.counts.groups.reduce(0, +) }
            let (reads, writes) = (count(database.readTimes), count(database.writeTimes))
            try await database.read { _ in }
            try await database.write { _ in }
            try await database.commit { _ in }
            await #expect(throws: Refusal.self) { try await database.write { _ in throw Refusal() } }
            #expect(count(database.readTimes) == reads + 1)
            #expect(count(database.writeTimes) == writes + 3)
            #expect(database.writeTimes.counts.seconds > 0)
        }
    }

    @Test("The database's size includes its content", arguments: Engine.allCases)
    func size(engine: Engine) async throws {
        try await withSamples(engine) { database in
            let before = try await database.sizeBytes()
            #expect(before > 0)
            try await database.write { tx in
                let label = String(repeating: "x", count: 190)
                for index in 0..<2_000 {
                    try tx.execute("INSERT INTO box (id, label) VALUES (\("\(index)"), \(label))")
                }
            }
            #expect(try await database.sizeBytes() >= before + 300_000)
        }
    }
}
