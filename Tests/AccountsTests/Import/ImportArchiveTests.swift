import Kernel
import TestSupport
import Testing

@testable import Accounts

@Suite("Archives of accounts")
struct ImportArchiveTests {
    private static let account = ("account.json", #"{"name":"Mia","role":"adult"}"#)

    private func open(_ files: [(String, String)]) async throws -> ImportArchive {
        let bytes = try ZipFixture.archive(files.map { ($0.0, Array($0.1.utf8)) })
        return try await ImportArchive(MemoryArchive(bytes: bytes))
    }

    @Test("Without a manifest, the archive has the first format")
    func formats() async throws {
        #expect(try await open([Self.account]).format == 1)
        let manifest = ("manifest.json", #"{"format":2,"exportedAt":"2026-03-01T12:00:00.000Z","new":[1]}"#)
        let archive = try await open([Self.account, manifest])
        #expect(archive.format == 2)
        #expect(archive.exportedAt?.rfc3339 == "2026-03-01T12:00:00.000Z")
    }

    @Test("A folder around the files and files of other programs are ignored")
    func folder() async throws {
        let archive = try await open([
            ("export/account.json", Self.account.1), ("export/pictures/b.jpg", "b"), ("export/pictures/a.jpg", "a"),
            ("__MACOSX/export/._account.json", "x"),
        ])
        #expect(archive.account.text("name") == "Mia")
        #expect(archive.names(in: "pictures") == ["a.jpg", "b.jpg"])
        #expect(try await archive.bytes("pictures/a.jpg", limit: 1) == Array("a".utf8))
    }

    private static let refused: [(name: String, files: [(String, String)], message: AccountMessage)] = [
        ("no account", [("readme.txt", "x")], .importForeign),
        ("two accounts", [("a/account.json", "{}"), ("b/account.json", "{}")], .importForeign),
        ("a newer format", [account, ("manifest.json", #"{"format":3}"#)], .importNewer),
        ("format 0", [account, ("manifest.json", #"{"format":0}"#)], .importInvalid),
        ("a format that is text", [account, ("manifest.json", #"{"format":"2"}"#)], .importInvalid),
        ("a manifest that is a list", [account, ("manifest.json", "[]")], .importInvalid),
        ("an account that isn't JSON", [("account.json", "{")], .importInvalid),
        ("a child's account", [("account.json", #"{"role":"child"}"#)], .importOfChild),
    ]

    @Test("Archives that aren't exports of an adult are refused with the reason", arguments: refused.indices)
    func refusals(index: Int) async throws {
        let (name, files, message) = Self.refused[index]
        let error = try await refusal { _ = try await open(files) }
        #expect(error?.code == .invalid, "\(name)")
        #expect(error?.fields == ["archive": message.text], "\(name)")
    }

    @Test("A list has a limited number of records and of repeated brackets")
    func limits() throws {
        func list(_ text: String) throws -> Int {
            try ImportArchive.list(of: Array(text.utf8), in: "a.json", atMost: 1_000, repeatsBrackets: true).count
        }
        let brackets = String(repeating: "[", count: Limits.importListBrackets)
        #expect(try list(brackets + "{}]") == 1)
        #expect(throws: ImportArchive.refused) { try list("[" + brackets + "{}]") }
        let records = String(repeating: "{},", count: 999)
        #expect(try list("[\(records){}]") == 1_000)
        // The records are counted before any of them is read: the last one isn't an object.
        let overfull = AppError.invalid("archive", AccountMessage.importOverfull(in: "a.json", maximum: 1_000))
        #expect(throws: overfull) { try list("[\(records){},1]") }
        #expect(overfull.message.contains("a.json") && overfull.message.contains("1000"))
        #expect(throws: ImportArchive.refused) {
            try ImportArchive.list(of: Array("[[{}]".utf8), in: "a.json", atMost: 1_000, repeatsBrackets: false)
        }
    }

    @Test("An id that occurs twice is refused with the name of the file")
    func repeatedIDs() async throws {
        let id = "0190a1b2-c3d4-7000-8000-00000000000a"
        let archive = try await open([
            Self.account, ("once.json", #"[{"id":"\#(id)"}]"#), ("twice.json", #"[{"id":"\#(id)"},{"id":"\#(id)"}]"#),
            ("other.json", #"[{"key":"\#(id)","id":1},{"key":"\#(id)","id":2}]"#), ("none.json", "[{}]"),
        ])
        #expect(try await archive.list("once.json", atMost: 2).count == 1)
        let twice = try await refusal { _ = try await archive.list("twice.json", atMost: 2) }
        #expect(twice?.fields == ["archive": AccountMessage.importRepeated(in: "twice.json")])
        #expect(twice?.message.contains("twice.json") ?? false)
        let other = try await refusal { _ = try await archive.list("other.json", atMost: 2, uniqueBy: "key") }
        #expect(other?.fields == ["archive": AccountMessage.importRepeated(in: "other.json")])
        let none = try await refusal { _ = try await archive.list("none.json", atMost: 2) }
        #expect(none == ImportArchive.refused)
    }

    @Test("The lists of an object are counted before their entries are read")
    func nestedLists() throws {
        let object = ImportObject(["texts": .list([.text("a"), .null]), "objects": .list([.object([:]), .null])])
        #expect(throws: ImportArchive.refused) { try object.texts("texts", atMost: 1) }
        #expect(throws: ImportArchive.refused) { try object.list("objects", atMost: 1) }
        let right = ImportObject(["texts": .list([.text("a")]), "objects": .list([.object([:])])])
        #expect(try right.texts("texts", atMost: 1) == ["a"])
        #expect(try right.list("objects", atMost: 1).count == 1)
    }

    @Test("A check ends at its deadline")
    func deadline() async throws {
        let clock = TestClock()
        let bytes = try ZipFixture.archive(
            [Self.account, ("a.json", "[]")].map { ($0.0, Array($0.1.utf8)) })
        let deadline = clock.now.adding(seconds: Limits.importCheckRunSeconds)
        let archive = try await ImportArchive(
            TimedArchive(MemoryArchive(bytes: bytes), until: deadline, clock: clock))
        clock.advance(seconds: Limits.importCheckRunSeconds - 1)
        #expect(try await archive.list("a.json", atMost: 1).isEmpty)
        clock.advance(seconds: 1)
        let error = try await refusal { try await archive.verify() }
        #expect(error?.fields == ["archive": AccountMessage.importOverdue.text])
        #expect(Limits.importCheckRunSeconds < Limits.importCheckSeconds)
    }

    @Test("Reading a list stops when its task is cancelled")
    func cancelled() async throws {
        let list = Array("[\(String(repeating: "{},", count: 5_000)){}]".utf8)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try ImportArchive.list(of: list, in: "a.json", atMost: 10_000, repeatsBrackets: true)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("An archive with names that Swift would compare slowly is refused")
    func longNames() async throws {
        for name in [#""a\u0301" * 400"#, #""a" + "\u0301" * 31"#] {
            let script = #"archive.writestr("account.json", "{}"); archive.writestr(\#(name), "x")"#
            let bytes = try ZipFixture.python(script)
            let error = try await refusal { _ = try await ImportArchive(MemoryArchive(bytes: bytes)) }
            #expect(error?.message == AccountMessage.importUnreadable.text)
        }
    }

    @Test("A file that is too large for memory is refused")
    func largeFile() async throws {
        let archive = try await open([Self.account, ("tracking/items.json", "[ ]")])
        let error = try await refusal { _ = try await archive.bytes("tracking/items.json", limit: 2) }
        #expect(error?.code == .tooLarge)
    }

    @Test("Repeated brackets of the first format are read")
    func brackets() async throws {
        let id = "0190a1b2-c3d4-7000-8000-00000000000a"
        let files = [Self.account, ("a.json", "[[[\n{\"id\":\"\(id)\"}\n]\n"), ("b.json", "[[\n]\n")]
        let first = try await open(files)
        #expect(try await first.list("a.json", atMost: 1).map { $0.text("id") } == [id])
        #expect(try await first.list("b.json", atMost: 1).isEmpty)
        let second = try await open(files + [("manifest.json", #"{"format":2}"#)])
        try await expectRefusal(.invalid) { _ = try await second.list("b.json", atMost: 1) }
    }

    @Test("Lines are read across pieces, and the file is verified")
    func lines() async throws {
        let text = (0..<20_000).map { "line \($0)" }
        let archive = try await open([Self.account, ("a.txt", text.joined(separator: "\n"))])
        var found: [String] = []
        try await archive.forEachLine("a.txt") { found.append(String(decoding: $0, as: UTF8.self)) }
        #expect(found == text)
        try await archive.forEachLine("none.txt") { _ in Issue.record("There is no such file") }
    }

    @Test("A line without an end is refused")
    func longLine() async throws {
        let archive = try await open([Self.account, ("a.txt", String(repeating: "x y", count: 100_000))])
        try await expectRefusal(.invalid) { try await archive.forEachLine("a.txt") { _ in } }
    }
}
