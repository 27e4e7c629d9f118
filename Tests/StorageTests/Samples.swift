import Kernel
import Storage
import TestSupport
import Testing

enum Samples {
    static let migrations: [Migration] = [
        Migration(
            module: "sample", name: "0001-tables",
            sql: """
                CREATE TABLE box (
                    id {text} PRIMARY KEY,
                    label {text} NOT NULL CHECK (length(label) <= 200),
                    weight {real},
                    content {blob},
                    count {integer} NOT NULL DEFAULT 0 CHECK (count >= 0)
                ) {strict};
                CREATE TABLE slip (
                    number {serial},
                    box_id {text} NOT NULL REFERENCES box(id),
                    note {text}
                ) {strict};
                CREATE UNIQUE INDEX slip_note ON slip (note);
                CREATE TABLE shelf (
                    floor {integer},
                    place {integer},
                    label {text} NOT NULL,
                    PRIMARY KEY (floor, place)
                ) {strict-rowless};
                """
        )
    ]

    static let now = Instant(millisecondsSince1970: 1_772_366_400_000)
    static let person = PersonID(at: now, random: SeededRandom(seed: 7))
    static let stranger = PersonID(at: now, random: SeededRandom(seed: 8))

    static func event(_ number: Int64, for audience: PersonID = person) -> ChangeEvent {
        ChangeEvent(audience: audience, kind: "box", resource: "/boxes/\(number)", version: number, at: now)
    }

    static func addBox(_ id: String, in tx: Transaction) throws {
        try tx.execute("INSERT INTO box (id, label) VALUES (\(id), \("box \(id)"))")
    }

    static func boxes(_ database: Database) async throws -> [String] {
        try await database.read { tx in try tx.rows("SELECT id FROM box ORDER BY id").map { try $0.get("id") } }
    }

    static func expectBoxes(
        _ expected: [String], in database: Database, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await boxes(database)
        #expect(found == expected, sourceLocation: sourceLocation)
    }
}

func withSamples<T>(_ engine: Engine, _ body: (Database) async throws -> T) async throws -> T {
    try await withDatabase(engine, migrations: Samples.migrations, body)
}

/// Waits until `condition` is true. Checks it again after each tick.
func waitForTick(_ ticks: AsyncStream<Void>, until condition: () async throws -> Bool) async rethrows {
    for await _ in ticks where try await condition() { return }
    Issue.record("the ticks ended")
}

/// Makes a closure on a database thread and a test wait for each other.
final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let semaphore = Semaphore()

    init() { (stream, arrival) = AsyncStream.makeStream() }

    /// Called by the closure: signals its arrival and blocks its thread until ``open()``.
    func pass() {
        arrival.yield()
        semaphore.wait()
    }

    /// Called by the test: waits until the closure calls ``pass()``.
    func waitForArrival() async { for await _ in stream { return } }

    func open() { semaphore.signal() }
}
