import Kernel
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Rows that are used later")
struct LaterRowsTests {
    struct Refusal: Error, Equatable {}

    private static let addBox = FixedSQL("INSERT INTO box (id, label) VALUES (?, ?) RETURNING label")
    private static let boxes = FixedSQL("SELECT id FROM box ORDER BY id")

    @Test("The closure gets the rows before the commit, and its statements belong to it", arguments: Engine.allCases)
    func used(engine: Engine) async throws {
        try await withSamples(engine) { database in
            let labels = Labels()
            try await database.write { tx in
                try tx.rowsLater(Self.addBox, [.text("a"), .text("first")]) { [unowned tx] rows in
                    labels.append(try rows[0].get("label"))
                    try Samples.addBox("b", in: tx)
                    try tx.publish(Samples.event(1))
                    try tx.rowsLater(Self.boxes, []) { rows in
                        labels.append(try rows.map { try $0.get("id") }.joined(separator: " "))
                    }
                }
            }
            #expect(labels.all == ["first", "a b"])
            try await Samples.expectBoxes(["a", "b"], in: database)
            let events: Int? = try await database.read { tx in
                try tx.row("SELECT COUNT(*) AS n FROM outbox")?.get("n")
            }
            #expect(events == 1)
        }
    }

    @Test("The closure is called before a later statement returns its rows", arguments: Engine.allCases)
    func order(engine: Engine) async throws {
        try await withSamples(engine) { database in
            let labels = Labels()
            let counts: [Int] = try await database.write { tx in
                for id in ["a", "b"] {
                    try tx.rowsLater(Self.addBox, [.text(id), .text("box \(id)")]) { [unowned tx] rows in
                        labels.append(try rows[0].get("label"))
                        // Its result is needed at once, while the rows of the query below wait.
                        #expect(try tx.executeCounting("UPDATE box SET count = count + 1 WHERE id = 'a'") == 1)
                    }
                }
                let rows = try tx.rows("SELECT COUNT(*) AS n FROM box")
                #expect(labels.all == ["box a", "box b"])
                return try rows.map { try $0.get("n") }
            }
            #expect(counts == [2])
            #expect(labels.all.count == 2)
        }
    }

    @Test("In a transaction that reads, the closure is called before its end", arguments: Engine.allCases)
    func reading(engine: Engine) async throws {
        try await withSamples(engine) { database in
            try await database.write { tx in try Samples.addBox("a", in: tx) }
            let labels = Labels()
            try await database.read { tx in
                try tx.rowsLater(Self.boxes, []) { rows in labels.append(try rows[0].get("id")) }
            }
            #expect(labels.all == ["a"])
        }
    }

    @Test("Closures are called at the latest when the pipeline is full")
    func full() async throws {
        try await withSamples(.postgres) { database in
            let labels = Labels()
            try await database.write { tx in
                for number in 0..<Limits.pipelinedRequests {
                    try tx.rowsLater(Self.addBox, [.text("\(number)"), .text("box")]) { rows in
                        labels.append(try rows[0].get("label"))
                    }
                }
                #expect(!labels.all.isEmpty)
            }
            #expect(labels.all.count == Limits.pipelinedRequests)
        }
    }

    @Test("If the closure throws, its error fails the transaction", arguments: Engine.allCases, [true, false])
    func failing(engine: Engine, isQueried: Bool) async throws {
        try await withSamples(engine) { database in
            await #expect(throws: Refusal()) {
                try await database.write { tx in
                    try tx.rowsLater(Self.addBox, [.text("a"), .text("box")]) { _ in throw Refusal() }
                    if isQueried { _ = try tx.rows("SELECT id FROM box") }
                }
            }
            try await Samples.expectBoxes([], in: database)
            // The same connection goes on.
            try await database.write { tx in try Samples.addBox("b", in: tx) }
            try await Samples.expectBoxes(["b"], in: database)
        }
    }

    @Test("After a failed statement the closure isn't called, and never in a later transaction")
    func skipped() async throws {
        try await withSamples(.postgres) { database in
            let labels = Labels()
            await #expect(throws: StorageError.self) {
                try await database.write { tx in
                    try tx.rowsLater(Self.addBox, [.text("a"), .text("box")]) { _ in labels.append("called") }
                    try tx.execute("INSERT INTO box (id, label) VALUES ('b', NULL)")
                }
            }
            try await database.write { tx in try Samples.addBox("c", in: tx) }
            #expect(labels.all.isEmpty)
            try await Samples.expectBoxes(["c"], in: database)
        }
    }

    @Test("After an error of the transaction's own closure it isn't called, and nothing is changed")
    func rolledBack() async throws {
        try await withSamples(.postgres) { database in
            await #expect(throws: Refusal()) {
                try await database.write { tx in
                    // Called after the rollback, it would add the second box outside a transaction.
                    try tx.rowsLater(Self.addBox, [.text("a"), .text("box")]) { [unowned tx] _ in
                        try Samples.addBox("b", in: tx)
                    }
                    throw Refusal()
                }
            }
            // In the same session, which would send what still waits in the pipeline.
            try await database.write { tx in try Samples.addBox("c", in: tx) }
            try await Samples.expectBoxes(["c"], in: database)
        }
    }

    @Test("A conflict in the closure's statement runs the transaction again")
    func retried() async throws {
        try await withSamples(.postgres) { database in
            let runs = Labels()
            await #expect(throws: AppError.self) {
                try await database.write { tx in
                    runs.append("run")
                    try tx.rowsLater(Self.boxes, []) { [unowned tx] _ in
                        _ = try tx.executeCounting(
                            "DO $$ BEGIN RAISE EXCEPTION 'made up' USING ERRCODE = '40001'; END $$")
                    }
                    _ = try tx.rows("SELECT id FROM box")
                }
            }
            #expect(runs.all.count == Limits.transactionAttempts)
        }
    }
}

/// Texts that closures of transactions collect.
private final class Labels: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func append(_ text: String) { texts.withLock { $0.append(text) } }
}
