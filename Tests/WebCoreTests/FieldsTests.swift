import Kernel
import Testing

@testable import WebCore

@Suite("Fields")
struct FieldsTests {
    struct NumberCase: CustomTestStringConvertible, Sendable {
        let json: String
        let expected: Field<Int64>
        let isFine: Bool
        var testDescription: String { json }
    }

    @Test(
        "A whole number in JSON has no fraction and isn't text",
        arguments: [
            NumberCase(json: "5", expected: .value(5), isFine: true),
            NumberCase(json: "1.0", expected: .value(1), isFine: true),
            NumberCase(json: "1e3", expected: .value(1000), isFine: true),
            NumberCase(json: "-3", expected: .value(-3), isFine: true),
            NumberCase(json: "9223372036854775807", expected: .value(.max), isFine: true),
            NumberCase(json: "9223372036854775808", expected: .absent, isFine: false),
            NumberCase(json: "1e400", expected: .absent, isFine: false),
            NumberCase(json: "1.5", expected: .absent, isFine: false),
            NumberCase(json: "\"5\"", expected: .absent, isFine: false),
            NumberCase(json: "\"\"", expected: .absent, isFine: false),
            NumberCase(json: "true", expected: .absent, isFine: false),
            NumberCase(json: "[5]", expected: .absent, isFine: false),
            NumberCase(json: "{\"a\":5}", expected: .absent, isFine: false),
            NumberCase(json: "null", expected: .null, isFine: true),
        ])
    func wholeNumbers(_ number: NumberCase) throws {
        var fields = try Fields.json(Array("{\"n\":\(number.json)}".utf8), .english)
        #expect(fields.integer("n") == number.expected)
        #expect(fields.problems.isEmpty == number.isFine)
        if !number.isFine { #expect(throws: AppError.self) { try fields.check() } }
    }

    @Test(
        "An invalid or empty JSON body is malformed",
        arguments: [
            "", " ", "{", "{\"a\":}", "nonsense", "{\"a\":NaN}", "{\"a\":1}}", "{\"name\":\"x\",}", "{\"a\":01}",
            "{\"settings\":{\"lostMetres\":01}}", "{\"a\":\"\n\"}", "\u{0}", "{\"a\":\"\\ud800\"",
        ])
    func brokenJSON(_ text: String) {
        #expect { try Fields.json(Array(text.utf8), .english) } throws: { ($0 as? AppError)?.code == .malformed }
    }

    @Test("JSON that isn't an object is invalid", arguments: ["[]", "1", "\"x\"", "null", "true"])
    func noObject(_ text: String) {
        #expect { try Fields.json(Array(text.utf8), .english) } throws: { ($0 as? AppError)?.code == .invalid }
    }

    @Test("JSON that nests too deeply is rejected before it is parsed")
    func depth() {
        let text = "{\"a\":" + String(repeating: "[", count: 100_000)
        #expect { try Fields.json(Array(text.utf8), .english) } throws: { ($0 as? AppError)?.code == .malformed }
        let fine = "{\"a\":" + String(repeating: "[", count: 31) + String(repeating: "]", count: 31) + "}"
        #expect(throws: Never.self) { try Fields.json(Array(fine.utf8), .english) }
        #expect(throws: Never.self) {
            try Fields.json(Array("{\"a\":\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"}".utf8), .english)
        }
    }

    @Test("All errors are reported at once, each at its field")
    func collects() throws {
        let text = #"{"name":5,"settings":{"lostMetres":0,"walkMetres":"x"},"at":"yesterday","kind":"dance","on":1}"#
        var fields = try Fields.json(Array(text.utf8), .english)
        _ = fields.require("name")
        _ = fields.integer("settings.lostMetres", in: 1...100_000)
        _ = fields.integer("settings.walkMetres")
        _ = fields.instant("at")
        _ = fields.boolean("on")
        _ = fields.requireDouble("latitude", in: -90...90)
        let expected: Set = ["name", "settings.lostMetres", "settings.walkMetres", "at", "on", "latitude"]
        #expect { try fields.check() } throws: { error in
            guard let error = error as? AppError else { return false }
            return error.code == .invalid && Set(error.fields.keys) == expected
        }
    }

    @Test("Members of a value that isn't an object are wrong; members of null are null")
    func nesting() throws {
        var wrong = try Fields.json(Array(#"{"settings":5}"#.utf8), .english)
        #expect(wrong.integer("settings.lostMetres") == .absent)
        #expect(wrong.problems["settings.lostMetres"] != nil)
        var null = try Fields.json(Array(#"{"settings":null}"#.utf8), .english)
        #expect(null.integer("settings.lostMetres") == .null)
        var absent = try Fields.json(Array(#"{"settings":{}}"#.utf8), .english)
        #expect(absent.integer("settings.lostMetres") == .absent)
        #expect(absent.problems.isEmpty)
    }

    @Test("A form's fields are text, read as the requested type; an empty one is null")
    func forms() throws {
        let pairs = try #require(
            URLEncodedForm.pairs(of: "name=+Keys+%26+b%C3%A4g+&settings.lostMetres=12&x=&on=on&f=1,5&t=a&t=b"))
        var fields = try Fields.form(pairs.map { ($0.name, .typed($0.value)) }, .english)
        #expect(fields.string("name") == .value(" Keys & bäg "))
        #expect(fields.integer("settings.lostMetres") == .value(12))
        #expect(fields.string("x") == .null)
        #expect(fields.boolean("on") == .value(true))
        #expect(fields.boolean("off") == .absent)
        #expect(fields.double("f") == .value(1.5))
        #expect(fields.strings("t", atMost: 2) == .value(["a", "b"]))
        #expect(fields.problems.isEmpty)
        #expect(fields.integer("name") == .absent)
        #expect(fields.problems["name"] != nil)
    }

    @Test(
        "Invalid percent sequences and bytes that aren't UTF-8 are rejected in a form, kept in a query",
        arguments: ["a=%", "a=%4", "a=%zz", "a=%ff"])
    func brokenForms(_ text: String) {
        #expect(URLEncodedForm.pairs(of: text) == nil)
        #expect(URLEncodedForm.pairs(of: text, lenient: true)?.count == 1)
    }

    @Test("A text with U+0000 is rejected")
    func nul() throws {
        var fields = try Fields.json(Array(#"{"name":"a\u0000b"}"#.utf8), .english)
        #expect(fields.string("name") == .absent)
        #expect(fields.problems["name"] != nil)
    }

    @Test(
        "The digest, which is stored, depends on no secret", arguments: ["password", "current", "passcode", "repeat"])
    func digestOfSecrets(name: String) throws {
        func digest(_ text: String) throws -> [UInt8] {
            var fields = try Fields.json(Array(text.utf8), .english)
            _ = fields.string(name)
            _ = fields.string("email")
            return fields.plainDigest
        }
        #expect(try digest(#"{"\#(name)":"a","email":"x"}"#) == digest(#"{"\#(name)":"b","email":"x"}"#))
        #expect(try digest(#"{"\#(name)":"a","email":"x"}"#) != digest(#"{"\#(name)":"a","email":"y"}"#))
    }

    @Test("The digest that is stored is keyed: a PIN can't be found without the key")
    func keyedDigest() throws {
        var fields = try Fields.json(Array(#"{"pin":"1234"}"#.utf8), .english)
        _ = fields.string("pin")
        let key = BodyDigestKey(secret: [1])
        #expect(key.digest(of: fields) == BodyDigestKey(secret: [1]).digest(of: fields))
        #expect(key.digest(of: fields) != BodyDigestKey(secret: [2]).digest(of: fields))
        #expect(key.digest(of: fields) != fields.plainDigest)
        #expect(key.digest(of: fields) != key.digest(of: .none))
    }

    @Test("The digest depends on the meaning, not on the spelling")
    func digest() throws {
        func digest(_ text: String) throws -> [UInt8] {
            var fields = try Fields.json(Array(text.utf8), .english)
            for name in ["a", "b"] { _ = fields.string(name) }
            return fields.plainDigest
        }
        #expect(try digest(#"{"a":1,"b":"x"}"#) == digest(#" { "b" : "\u0078", "a" : 1 } "#))
        #expect(try digest(#"{"a":1}"#) != digest(#"{"a":2}"#))
        #expect(try digest(#"{"a":1}"#) != digest(#"{"b":1}"#))
        #expect(try digest(#"{"a":null}"#) != digest(#"{}"#))
        #expect(try digest(#"{"a":"1"}"#) != digest(#"{"a":1}"#))
        #expect(try digest(#"{"a":["bc"]}"#) != digest(#"{"a":["b","c"]}"#))
        var first = try Fields.form([("a", .typed("1")), ("idempotencyKey", .typed("k"))], .english)
        var second = try Fields.form([("a", .typed("1")), ("idempotencyKey", .typed("l"))], .english)
        #expect(first.string("a") == second.string("a"))
        #expect(first.plainDigest == second.plainDigest)
        #expect(first.idempotencyKey == "k")
    }

    @Test("Fields that aren't read are not in the digest; fields that a copy reads are")
    func digestOfKnownNames() throws {
        func digest(_ text: String) throws -> [UInt8] {
            let fields = try Fields.json(Array(text.utf8), .english)
            var copy = fields
            _ = copy.string("name")
            _ = copy.integer("settings.lostMetres")
            return fields.plainDigest
        }
        #expect(try digest(#"{"name":"x"}"#) == digest(#"{"name":"x","colour":"red","settings":{"sound":1}}"#))
        #expect(try digest(#"{"name":"x"}"#) != digest(#"{"name":"y"}"#))
        #expect(try digest(#"{"settings":{"lostMetres":5}}"#) != digest(#"{"settings":{"lostMetres":6}}"#))
    }

    @Test("Messages are in the reader's language")
    func language() throws {
        var fields = try Fields.json(Array("{}".utf8), .german)
        _ = fields.require("name")
        #expect(fields.problems["name"] == "Das wird gebraucht.")
    }
}
