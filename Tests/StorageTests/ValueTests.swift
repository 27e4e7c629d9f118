import Kernel
import Storage
import TestSupport
import Testing

@Suite("Values")
struct ValueTests {
    static let texts: [String] = [
        "", "Robert'); DROP TABLE box;--", "\" or \"\"=\"", "\\x00 \\' %s $1 ? :a @b", "line\nline\r\n\ttab",
        "👨‍👩‍👧‍👦🏳️‍🌈", "مفاتيح البيت", "e\u{301} \u{e9}", "\u{feff}\u{fffd}\u{10ffff}\u{7f}\u{1}", "NULL", "\\",
        String(repeating: "ß", count: 200),
    ]

    @Test("Text is read back byte by byte", arguments: Engine.allCases)
    func text(engine: Engine) async throws {
        try await withSamples(engine) { database in
            for (index, text) in Self.texts.enumerated() {
                try await database.write { tx in
                    try tx.execute("INSERT INTO box (id, label) VALUES (\("\(index)"), \(text))")
                }
                let read: String? = try await database.read { tx in
                    try tx.row("SELECT label FROM box WHERE label = \(text)")?.get("label")
                }
                #expect(read.map { Array($0.utf8) } == Array(text.utf8))
            }
            #expect(try await Samples.boxes(database).count == Self.texts.count)
        }
    }

    @Test("Composed and decomposed text are different keys", arguments: Engine.allCases)
    func composition(engine: Engine) async throws {
        try await withSamples(engine) { database in
            try await database.write { tx in
                try Samples.addBox("e\u{301}", in: tx)
                try Samples.addBox("\u{e9}", in: tx)
            }
            #expect(try await Samples.boxes(database).map { Array($0.utf8).count } == [3, 2])
        }
    }

    @Test("Text sorts by its bytes", arguments: Engine.allCases)
    func order(engine: Engine) async throws {
        try await withSamples(engine) { database in
            try await database.write { tx in
                for id in ["ä", "b", "B", "a", "_", "Z"] { try Samples.addBox(id, in: tx) }
            }
            try await Samples.expectBoxes(["B", "Z", "_", "a", "b", "ä"], in: database)
        }
    }

    static let integers: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 53, (1 << 53) + 1, .max]
    static let reals: [Double] = [
        0, 0.1, -1.5, 1 / 3, .pi, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude,
        1e15, 9_007_199_254_740_992, 52.520_008, 1e-7,
    ]

    @Test("Integers and reals are read back exactly", arguments: Engine.allCases)
    func numbers(engine: Engine) async throws {
        try await withSamples(engine) { database in
            for (index, number) in Self.integers.enumerated() {
                let read: [Int64] = try await database.write { tx in
                    let key = -Int64(index)
                    try tx.execute("INSERT INTO shelf (floor, place, label) VALUES (\(key), \(number), \("x"))")
                    let stored: Int64? = try tx.row("SELECT place FROM shelf WHERE place = \(number)")?.get("place")
                    let bound: Int64? = try tx.row("SELECT \(number) AS n")?.get("n")
                    return [stored, bound].compactMap(\.self)
                }
                #expect(read == [number, number])
            }
            for (index, number) in Self.reals.enumerated() {
                let read: Double? = try await database.write { tx in
                    let id = "\(index)"
                    try tx.execute("INSERT INTO box (id, label, weight) VALUES (\(id), \(id), \(number))")
                    return try tx.row("SELECT weight FROM box WHERE id = \(id)")?.get("weight")
                }
                #expect(read?.bitPattern == number.bitPattern)
            }
        }
    }

    @Test("Bytes are read back, also none and many", arguments: Engine.allCases)
    func blobs(engine: Engine) async throws {
        let blobs: [[UInt8]] = [[], [0], Array(0...255), Array(repeating: 0, count: 100_000)]
        try await withSamples(engine) { database in
            for (index, blob) in blobs.enumerated() {
                let read: [UInt8]? = try await database.write { tx in
                    let id = "\(index)"
                    try tx.execute("INSERT INTO box (id, label, content) VALUES (\(id), \(id), \(blob))")
                    return try tx.row("SELECT content FROM box WHERE id = \(id)")?.get("content")
                }
                #expect(read == blob)
            }
        }
    }

    @Test("NULL is read as nil, whatever value was bound there before", arguments: Engine.allCases)
    func nulls(engine: Engine) async throws {
        try await withSamples(engine) { database in
            for (index, weight) in ([2.5, nil, 3.5, nil] as [Double?]).enumerated() {
                let content: [UInt8]? = index.isMultiple(of: 3) ? nil : [1]
                let row = try await database.write { tx in
                    let id = "\(index)"
                    let sql: SQL =
                        "INSERT INTO box (id, label, weight, content) VALUES (\(id), \(id), \(weight), \(content))"
                    try tx.execute(sql)
                    return try tx.row("SELECT weight, content FROM box WHERE id = \(id)")
                }
                #expect(try row?.get("weight", as: Double?.self) == weight)
                #expect(try row?.get("content", as: [UInt8]?.self) == content)
            }
        }
    }

    @Test(
        "The null character and numbers that aren't finite are rejected, and nothing is stored",
        arguments: Engine.allCases)
    func unstorable(engine: Engine) async throws {
        try await withSamples(engine) { database in
            for text in ["\u{0}", "a\u{0}b"] {
                let error = await #expect(throws: AppError.self) {
                    try await database.write { tx in try Samples.addBox(text, in: tx) }
                }
                #expect(error?.code == .invalid)
            }
            for number in [Double.nan, .infinity, -.infinity] {
                let error = await #expect(throws: AppError.self) {
                    try await database.write { tx in
                        try tx.execute("INSERT INTO box (id, label, weight) VALUES (\("n"), \("n"), \(number))")
                    }
                }
                #expect(error?.code == .invalid)
            }
            try await Samples.expectBoxes([], in: database)
        }
    }

    @Test("A row's errors name the column", arguments: Engine.allCases)
    func columnErrors(engine: Engine) async throws {
        try await withSamples(engine) { database in
            let row = try #require(
                try await database.read { tx in
                    try tx.row("SELECT \("text") AS word, \(5) AS number, \(2.5) AS part, CAST(NULL AS TEXT) AS blank")
                }
            )
            #expect(throws: StorageError.column("words", problem: "is not among word, number, part, blank")) {
                try row.get("words", as: String.self)
            }
            #expect(throws: StorageError.column("word", problem: "holds text, expected integer")) {
                try row.get("word", as: Int.self)
            }
            #expect(throws: StorageError.column("number", problem: "holds integer, expected 0 or 1")) {
                try row.get("number", as: Bool.self)
            }
            #expect(throws: StorageError.column("part", problem: "holds real, expected integer")) {
                try row.get("part", as: Int64.self)
            }
            #expect(throws: StorageError.column("blank", problem: "holds null, expected text")) {
                try row.get("blank", as: String.self)
            }
            #expect(throws: StorageError.column("word", problem: "holds text, expected id")) {
                try row.get("word", as: PersonID.self)
            }
            #expect(try row.get("number", as: Double.self) == 5)
            #expect(try row.get("blank", as: String?.self) == nil)
            #expect(try row.get("word", as: SQLValue.self) == .text("text"))
        }
    }

    @Test("Sums and counts of integers are integers, averages aren't", arguments: Engine.allCases)
    func aggregates(engine: Engine) async throws {
        try await withSamples(engine) { database in
            try await database.write { tx in
                for place in 1...4 {
                    try tx.execute("INSERT INTO shelf (floor, place, label) VALUES (1, \(place), '')")
                }
            }
            let row = try #require(
                try await database.read { tx in
                    try tx.row(
                        "SELECT SUM(place) AS sum, COUNT(*) AS n, AVG(place) AS mean, MAX(place) AS top FROM shelf")
                }
            )
            #expect(try row.get("sum", as: Int.self) == 10)
            #expect(try row.get("n", as: Int.self) == 4)
            #expect(try row.get("mean", as: Double.self) == 2.5)
            #expect(try row.get("top", as: Int.self) == 4)
        }
    }
}
