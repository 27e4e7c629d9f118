import Kernel
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Transactions")
struct TransactionTests {
    struct Refusal: Error, Equatable {}

    @Test("A closure that throws changes nothing", arguments: Engine.allCases)
    func rollsBack(engine: Engine) async throws {
        try await withSamples(engine) { database in
            await #expect(throws: Refusal()) {
                try await database.write { tx in
                    try Samples.addBox("a", in: tx)
                    try tx.publish(Samples.event(1))
                    throw Refusal()
                }
            }
            try await Samples.expectBoxes([], in: database)
            #expect(try await database.read { tx in try Outbox.entries(after: 0, limit: 10, in: tx) }.isEmpty)
        }
    }

    @Test("A statement reads the writes of earlier statements", arguments: Engine.allCases)
    func readsItsOwnWrites(engine: Engine) async throws {
        try await withSamples(engine) { database in
            let labels: [String] = try await database.write { tx in
                try Samples.addBox("a", in: tx)
                #expect(try tx.executeCounting("UPDATE box SET label = \("new") WHERE id = \("a")") == 1)
                #expect(try tx.executeCounting("UPDATE box SET label = \("new") WHERE id = \("b")") == 0)
                return try tx.rows("SELECT label FROM box \(sql: tx.forUpdate)").map { try $0.get("label") }
            }
            #expect(labels == ["new"])
        }
    }

    struct Violation: Sendable {
        let sql: SQL
        let matches: @Sendable (StorageError) -> Bool
    }

    static let violations: [Violation] = [
        Violation(sql: "INSERT INTO box (id, label) VALUES ('a', 'again')") {
            if case .uniqueViolation = $0 { true } else { false }
        },
        Violation(sql: "INSERT INTO slip (box_id, note) VALUES ('a', 'taken')") {
            if case .uniqueViolation = $0 { true } else { false }
        },
        Violation(sql: "INSERT INTO slip (box_id) VALUES ('nowhere')") {
            if case .foreignKeyViolation = $0 { true } else { false }
        },
        Violation(sql: "DELETE FROM box WHERE id = 'a'") {
            if case .foreignKeyViolation = $0 { true } else { false }
        },
        Violation(sql: "UPDATE box SET count = -1 WHERE id = 'a'") {
            if case .checkViolation = $0 { true } else { false }
        },
        Violation(sql: "UPDATE box SET label = NULL WHERE id = 'a'") {
            if case .notNullViolation = $0 { true } else { false }
        },
        Violation(sql: "UPDATE box SET count = \("many") WHERE id = 'a'") {
            if case .statement = $0 { true } else { false }
        },
        Violation(sql: "SELEKT 1") { if case .statement = $0 { true } else { false } },
        Violation(sql: "SELECT * FROM nowhere") { if case .statement = $0 { true } else { false } },
        Violation(sql: "SELECT 1; SELECT 2") { if case .statement = $0 { true } else { false } },
    ]

    @Test("Constraints are enforced, and the error names the broken one", arguments: Engine.allCases)
    func constraints(engine: Engine) async throws {
        try await withSamples(engine) { database in
            try await database.write { tx in
                try Samples.addBox("a", in: tx)
                try tx.execute("INSERT INTO slip (box_id, note) VALUES ('a', 'taken')")
            }
            for violation in Self.violations {
                let error = await #expect(throws: StorageError.self) {
                    try await database.write { tx in try tx.execute(violation.sql) }
                }
                #expect(error.map(violation.matches) == true, "\(violation.sql.text): \(String(describing: error))")
            }
            try await Samples.expectBoxes(["a"], in: database)
        }
    }

    @Test("A failed statement fails the transaction, even if the closure catches the error", arguments: Engine.allCases)
    func failureSticks(engine: Engine) async throws {
        try await withSamples(engine) { database in
            let later = Mutex<StorageError?>(nil)
            let error = await #expect(throws: StorageError.self) {
                try await database.write { tx in
                    try Samples.addBox("a", in: tx)
                    do { _ = try tx.executeCounting("INSERT INTO box (id, label) VALUES ('a', '')") } catch {}
                    do { try Samples.addBox("b", in: tx) } catch let error as StorageError {
                        later.withLock { $0 = error }
                    }
                }
            }
            guard case .uniqueViolation = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(later.withLock { $0 } == .transactionFailed)
            try await Samples.expectBoxes([], in: database)
        }
    }

    @Test(
        "A failed statement whose result isn't read fails its transaction, and can run again",
        arguments: Engine.allCases)
    func unreadFailure(engine: Engine) async throws {
        try await withSamples(engine) { database in
            let insertion: SQL = "INSERT INTO box (id, label) VALUES ('a', '')"
            for _ in 1...2 {
                let error = await #expect(throws: StorageError.self) {
                    try await database.write { tx in
                        try tx.execute(insertion)
                        try tx.execute(insertion)
                        try tx.execute("UPDATE box SET count = 1")
                    }
                }
                guard case .uniqueViolation = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                try await Samples.expectBoxes([], in: database)
            }
            await #expect(throws: StorageError.self) {
                try await database.write { tx in
                    try tx.execute(insertion)
                    try tx.execute(insertion)
                    _ = try tx.row("SELECT COUNT(*) AS n FROM box")
                }
            }
            // The closure's own error ends the transaction on PostgreSQL, the statement's error on SQLite.
            await #expect(throws: (any Error).self) {
                try await database.write { tx in
                    try tx.execute(insertion)
                    try tx.execute(insertion)
                    throw AppError.notFound
                }
            }
            try await database.write { tx in try tx.execute(insertion) }
            try await Samples.expectBoxes(["a"], in: database)
        }
    }

    @Test("A transaction may have more statements than one pipeline", arguments: Engine.allCases)
    func statementsSentInParts(engine: Engine) async throws {
        try await withSamples(engine) { database in
            let count = Limits.pipelinedRequests * 3 + 1
            try await database.write { tx in
                for number in 0..<count { try Samples.addBox("\(number)", in: tx) }
            }
            let stored: Int? = try await database.read { tx in
                try tx.row("SELECT COUNT(*) AS n FROM box")?.get("n")
            }
            #expect(stored == count)
        }
    }

    @Test("A read transaction can't write", arguments: Engine.allCases)
    func readOnly(engine: Engine) async throws {
        try await withSamples(engine) { database in
            await #expect(throws: StorageError.self) {
                try await database.read { tx in try Samples.addBox("a", in: tx) }
            }
            try await Samples.expectBoxes([], in: database)
        }
    }

    @Test("A read transaction sees one state, whatever is committed during it", arguments: Engine.allCases)
    func snapshot(engine: Engine) async throws {
        try await withSamples(engine) { database in
            let gate = Gate()
            async let counts: [Int] = database.read { tx in
                let count: SQL = "SELECT COUNT(*) AS n FROM box"
                let before: Int? = try tx.row(count)?.get("n")
                gate.pass()
                let after: Int? = try tx.row(count)?.get("n")
                return [before, after].compactMap(\.self)
            }
            await gate.waitForArrival()
            try await database.write { tx in try Samples.addBox("a", in: tx) }
            gate.open()
            #expect(try await counts == [0, 0])
            try await Samples.expectBoxes(["a"], in: database)
        }
    }

    @Test("Hooks run after the commit and before the result, never after a rollback", arguments: Engine.allCases)
    func hooks(engine: Engine) async throws {
        try await withSamples(engine) { database in
            let ran = Mutex<[String]>([])
            try await database.write { tx in
                tx.afterCommit { ran.withLock { $0.append("first") } }
                tx.afterCommit { ran.withLock { $0.append("second") } }
                try Samples.addBox("a", in: tx)
                #expect(ran.withLock { $0.isEmpty })
            }
            #expect(ran.withLock { $0 } == ["first", "second"])
            await #expect(throws: Refusal()) {
                try await database.write { tx in
                    tx.afterCommit { ran.withLock { $0.append("refused") } }
                    throw Refusal()
                }
            }
            #expect(ran.withLock { $0 } == ["first", "second"])
        }
    }

    @Test("More statements than the cache of prepared ones holds still run", arguments: Engine.allCases)
    func manyStatements(engine: Engine) async throws {
        try await withSamples(engine) { database in
            try await database.write { tx in
                for length in 1...(Limits.preparedStatements * 2) {
                    let list = Array(1...length)
                    let found: Int? = try tx.row("SELECT COUNT(*) AS n FROM shelf WHERE floor IN \(list: list)")?.get(
                        "n")
                    #expect(found == 0)
                }
                try Samples.addBox("a", in: tx)
            }
            try await Samples.expectBoxes(["a"], in: database)
        }
    }

    @Test("A closed database throws the error for unavailability", arguments: Engine.allCases)
    func closed(engine: Engine) async throws {
        try await withSamples(engine) { database in
            let ticks = database.changes()
            await database.close()
            for await _ in ticks {}
            let write = await #expect(throws: AppError.self) { try await database.write { _ in } }
            let read = await #expect(throws: AppError.self) { try await database.read { _ in } }
            #expect(write?.code == .unavailable)
            #expect(read?.code == .unavailable)
            await database.close()
        }
    }

    @Test("Closing completes the queued work", arguments: Engine.allCases)
    func closingFinishes(engine: Engine) async throws {
        try await withDatabaseURL(engine, migrations: Samples.migrations) { url in
            let database = try await Database.open(
                url, migrations: Samples.migrations, logger: .silent, clock: TestClock()
            )
            let written = await withThrowingTaskGroup(of: Void.self, returning: Int.self) { group in
                for number in 0..<50 {
                    group.addTask { try await database.write { tx in try Samples.addBox("\(number)", in: tx) } }
                }
                group.addTask { await database.close() }
                var refused = 0
                while let result = await group.nextResult() {
                    if case .failure(let error) = result {
                        #expect((error as? AppError)?.code == .unavailable)
                        refused += 1
                    }
                }
                return 50 - refused
            }
            let again = try await Database.open(
                url, migrations: Samples.migrations, logger: .silent, clock: TestClock())
            #expect(try await Samples.boxes(again).count == written)
            await again.close()
        }
    }
}
