import Kernel
import Storage
import TestSupport
import Testing

@testable import Accounts

@Suite("Budget of what one person creates")
struct BudgetTests {
    private static let budget = Budget("tests", limit: 3, windowSeconds: 7_200)

    private func charge(_ person: PersonID, factor: Int = 1, _ fixture: AccountsFixture) async throws -> AppError? {
        let now = fixture.clock.now
        return try await refusal {
            try await fixture.database.write { tx in
                try Self.budget.charge(person, factor: factor, now: now, in: tx)
            }
        }
    }

    @Test("A budget is used up until its window ends, for one person", arguments: Engine.allCases)
    func window(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = PersonID(at: fixture.clock.now, random: fixture.random)
            let ben = PersonID(at: fixture.clock.now, random: fixture.random)
            for _ in 0..<3 {
                #expect(try await charge(mia, fixture) == nil)
                fixture.clock.advance(seconds: 60)
            }
            let error = try #require(try await charge(mia, fixture))
            #expect(error.code == .throttled && error.retryAfterSeconds == 7_200 - 180)
            #expect(error.message == "You’ve done this too often. Try again in 2 hours.")
            #expect(try await charge(ben, fixture) == nil)
            #expect(try await charge(mia, factor: 2, fixture) == nil)
            fixture.clock.advance(seconds: 7_200 - 180 - 90)
            #expect(try await charge(mia, fixture)?.message == "You’ve done this too often. Try again in 2 minutes.")
            fixture.clock.advance(seconds: 90)
            #expect(try await charge(mia, fixture) == nil)
        }
    }

    @Test("Of 30 concurrent changes, as many are made as the budget permits", arguments: Engine.allCases)
    func parallel(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = PersonID(at: fixture.clock.now, random: fixture.random)
            let now = fixture.clock.now
            let codes = await together(
                (0..<30).map { _ in
                    {
                        try await fixture.database.write { tx in
                            try Self.budget.charge(mia, now: now, in: tx)
                        }
                    }
                })
            #expect(codes.filter { $0 == nil }.count == 3)
            #expect(codes.filter { $0 == .throttled }.count == 27)
        }
    }

    @Test("A change that fails isn't counted, and housekeeping deletes old counts", arguments: Engine.allCases)
    func failures(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = PersonID(at: fixture.clock.now, random: fixture.random)
            let now = fixture.clock.now
            for _ in 0..<5 {
                let error = try await refusal {
                    try await fixture.database.write { tx in
                        try Self.budget.charge(mia, now: now, in: tx)
                        throw AppError.notFound
                    }
                }
                #expect(error?.code == .notFound)
            }
            #expect(try await fixture.database.read { try Self.budget.use(of: mia, now: now, in: $0) } == nil)
            #expect(try await charge(mia, fixture) == nil)
            fixture.clock.advance(seconds: 7_200)
            let later = fixture.clock.now
            #expect(try await fixture.database.read { try Self.budget.use(of: mia, now: later, in: $0) } == nil)
            try await fixture.database.write { tx in try Throttle.prune(now: later, in: tx) }
            #expect(try await fixture.database.count("throttle") == 0)
        }
    }
}
