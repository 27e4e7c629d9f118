import Kernel
import Testing

@testable import WebCore

@Suite("Lists in a body")
struct ListFieldsTests {
    private static func form(_ names: [String]) throws -> Fields {
        try Fields.form(names.map { ($0, FieldValue.typed("1")) }, .english)
    }

    struct Numbered: CustomTestStringConvertible, Sendable {
        let names: [String]
        let indices: [Int]
        var problems: [String] = []
        var testDescription: String { names.joined(separator: " ") }
    }

    @Test(
        "A form's entries have canonical numbers only, so that no two spellings mean one entry",
        arguments: [
            Numbered(names: [], indices: []),
            Numbered(names: ["levels.0.points", "levels.7.points"], indices: [0, 7]),
            Numbered(names: ["levels.10.points", "levels.9.points"], indices: [9, 10]),
            Numbered(
                names: ["levels.1.points", "levels.01.points"], indices: [1], problems: ["levels.01"]),
            Numbered(names: ["levels.01.points"], indices: [], problems: ["levels.01"]),
            Numbered(names: ["levels.+1.points", "levels.1.points"], indices: [1], problems: ["levels.+1"]),
            Numbered(names: ["levels.-1.points"], indices: [], problems: ["levels.-1"]),
            Numbered(names: ["levels.-0.points"], indices: [], problems: ["levels.-0"]),
            Numbered(names: ["levels.first.points"], indices: []),
        ])
    func spelling(numbered: Numbered) throws {
        var fields = try Self.form(numbered.names)
        #expect(fields.indices("levels", atMost: 10) == numbered.indices)
        #expect(fields.problems.keys.sorted() == numbered.problems)
    }

    @Test("The number of entries is limited", arguments: [true, false])
    func cap(isForm: Bool) throws {
        func fields(_ count: Int) throws -> Fields {
            guard !isForm else { return try Self.form((0..<count).map { "levels.\($0).points" }) }
            let entries = Array(repeating: "{}", count: count).joined(separator: ",")
            return try Fields.json(Array(#"{"levels":[\#(entries)]}"#.utf8), .english)
        }
        var full = try fields(10)
        #expect(full.indices("levels", atMost: 10).count == 10)
        #expect(full.names(below: "levels", atMost: 10).count == (isForm ? 10 : 0))
        #expect(full.problems.isEmpty)
        var over = try fields(11)
        #expect(over.indices("levels", atMost: 10).isEmpty)
        #expect(over.problems["levels"]?.contains("10") ?? false)
        #expect(over.names(below: "levels", atMost: 10).isEmpty)
        var named = try fields(11)
        #expect(named.indices("levels", atMost: 10, excess: "Too many levels.").isEmpty)
        #expect(named.problems == ["levels": "Too many levels."])
    }

    @Test("The number of texts and of lines is limited, and blank lines don't count", arguments: [true, false])
    func texts(isForm: Bool) throws {
        func fields(_ count: Int) throws -> Fields {
            let texts = (0..<count).map { "a\($0)" }
            guard !isForm else { return try Fields.form(texts.map { ("t", .typed($0)) }, .english) }
            return Fields(["t": .list(texts.map { .text($0) })], isForm: false, .english)
        }
        var full = try fields(3)
        #expect(full.strings("t", atMost: 3) == .value(["a0", "a1", "a2"]))
        #expect(full.lines("t", atMost: 3) == .value(["a0", "a1", "a2"]))
        #expect(full.problems.isEmpty)
        var over = try fields(4)
        #expect(over.strings("t", atMost: 3) == .absent)
        #expect(over.problems["t"]?.contains("3") ?? false)
        var excess = try fields(4)
        #expect(excess.lines("t", atMost: 3, excess: "Too many.") == .absent)
        #expect(excess.problems == ["t": "Too many."])
    }

    @Test("The lines of a form's text are read without blank ones")
    func lines() throws {
        func fields(_ text: String) throws -> Fields { try Fields.form([("t", .typed(text))], .english) }
        var two = try fields("\r\n one\r\n  \r\n\ntwo\n")
        #expect(two.lines("t", atMost: 2) == .value([" one", "two"]))
        var three = try fields("one\ntwo\nthree")
        #expect(three.lines("t", atMost: 2) == .absent)
        #expect(three.problems["t"] != nil)
        var none = try fields("")
        #expect(none.lines("t", atMost: 2) == .null)
    }

    @Test(
        "A number that only rounds to a whole number is rejected",
        arguments: [
            "0.99999999999999999999", "1.00000000000000000001", "9223372036854775807.5", "9223372036854775808", "1e19",
            "1e400", "1e-400", "-0.00000000000000000000000001",
        ])
    func wholeNumbers(number: String) throws {
        var fields = try Fields.json(Array("{\"points\":\(number)}".utf8), .english)
        #expect(fields.integer("points").value == nil)
        #expect(fields.problems["points"] != nil)
    }
}
