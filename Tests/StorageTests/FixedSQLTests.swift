import Kernel
import Storage
import TestSupport
import Testing

@Suite("Fixed statements")
struct FixedSQLTests {
    private static let add = FixedSQL("INSERT INTO box (id, label, weight, content, count) VALUES (?, ?, ?, ?, ?)")
    private static let find = FixedSQL("SELECT id, label, weight, content, count FROM box WHERE id = ? AND label = ?")

    private static func add(
        _ id: String, _ label: String, content: [UInt8]? = nil, in tx: Transaction
    ) throws {
        let weight: Double? = nil
        try tx.execute(add, [.text(id), .text(label), weight.sqlValue, content.sqlValue, .integer(3)])
    }

    @Test("Fixed statements bind and return values like other statements", arguments: Engine.allCases)
    func valuesComeBack(engine: Engine) async throws {
        try await withSamples(engine) { database in
            // Together larger than the buffer for a statement's short values.
            let content = [UInt8](repeating: 7, count: 3 * Limits.statementScratchBytes / 4)
            let label = String(repeating: "ß", count: 200)
            for (id, content) in [("a", content), ("b", []), ("c", [UInt8](repeating: 9, count: 100_000))] {
                try await database.write { tx in try Self.add(id, label, content: content, in: tx) }
                let row = try await database.read { tx in try tx.row(Self.find, [.text(id), .text(label)]) }
                let found = try #require(row)
                #expect(try found.get(at: 0) == id)
                #expect(try found.get(at: 1, as: String.self) == label)
                #expect(try found.get(at: 2, as: Double?.self) == nil)
                #expect(try found.get(at: 3, as: [UInt8].self) == content)
                #expect(try found.get(at: 4, as: Int.self) == 3)
            }
        }
    }

    @Test("A fixed statement's values don't leak into the next statement", arguments: Engine.allCases)
    func apart(engine: Engine) async throws {
        try await withSamples(engine) { database in
            try await database.commit { tx in
                for number in 0..<50 {
                    try Self.add("id-\(number)", "label \(number)", in: tx)
                    try Samples.addBox("other-\(number)", in: tx)
                }
            }
            for number in 0..<50 {
                let row = try await database.read { tx in
                    try tx.row(Self.find, [.text("id-\(number)"), .text("label \(number)")])
                }
                #expect(row != nil)
            }
            #expect(try await Samples.boxes(database).count == 100)
        }
    }

    @Test("Too few values, a null character and a missing column throw", arguments: Engine.allCases)
    func refusals(engine: Engine) async throws {
        try await withSamples(engine) { database in
            let few = await refusal { try await database.commit { try $0.execute(Self.add, [.text("a")]) } }
            #expect(few != nil)
            let null = await refusal { try await database.commit { try Self.add("a", "\0", in: $0) } }
            #expect((null as? AppError)?.code == .invalid)
            try await database.commit { try Self.add("a", "b", in: $0) }
            let row = try await database.read { try $0.row(Self.find, [.text("a"), .text("b")]) }
            #expect(throws: StorageError.column("7", problem: "is not there")) { try row?.get(at: 7, as: Int.self) }
            #expect(throws: StorageError.column("count", problem: "holds integer, expected text")) {
                try row?.get(at: 4, as: String.self)
            }
        }
    }

    @Test("A closure without a result commits, or throws and stores nothing", arguments: Engine.allCases)
    func commits(engine: Engine) async throws {
        struct Refusal: Error {}
        try await withSamples(engine) { database in
            try await database.commit { try Samples.addBox("kept", in: $0) }
            let error = await refusal {
                try await database.commit { tx in
                    try Samples.addBox("gone", in: tx)
                    throw Refusal()
                }
            }
            #expect(error is Refusal)
            try await Samples.expectBoxes(["kept"], in: database)
        }
    }

    private func refusal(_ work: () async throws -> Void) async -> (any Error)? {
        do {
            try await work()
            return nil
        } catch {
            return error
        }
    }
}
