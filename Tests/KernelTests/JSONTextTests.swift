import Foundation
import Kernel
import Testing

@Suite("JSON writer")
struct JSONTextTests {
    private struct Sample: JSONWritable {
        let text: String

        func write(to json: inout JSONText) {
            json.object { json in
                json.member("text", text)
                json.member("nothing", nil as String?)
                json.name("numbers")
                json.list { json in
                    for number in [0, -1, Int64.max, .min] { json.value(number) }
                }
                json.name(text: text)
                json.object { json in json.member("isTrue", true) }
                json.name("empty")
                json.list { _ in }
                json.member("itself", nil as Sample?)
            }
        }
    }

    static let texts = [
        "", "Bike helmet", "\"quoted\" \\ /", "a\nb\rc\td", "\u{01}\u{1f}\u{7f}", "Köln · 北京 · 🚲", "\u{2028}",
    ]

    @Test("Written JSON reads back unchanged", arguments: texts)
    func roundTrip(_ text: String) throws {
        let bytes = JSONText(Sample(text: text)).bytes
        #expect(JSONSyntax.isValid(bytes))
        let read = try JSONSerialization.jsonObject(with: Data(bytes))
        let object = try #require(read as? [String: Any])
        #expect(object.count == 6)
        #expect(object["text"] as? String == text)
        #expect(object["nothing"] is NSNull)
        #expect(object["itself"] is NSNull)
        #expect(object["numbers"] as? [Int64] == [0, -1, .max, .min])
        #expect(object[text] as? [String: Bool] == ["isTrue": true])
        #expect((object["empty"] as? [Any])?.isEmpty == true)
    }

    @Test("Ids and instants are written as Codable writes them")
    func entities() throws {
        let instant = Instant(millisecondsSince1970: 1_772_366_400_250)
        let id = ID<Sample>(at: instant, series: 7)
        var json = JSONText()
        json.object { json in
            json.member("id", id)
            json.member("at", instant)
        }
        #expect(String(decoding: json.bytes, as: UTF8.self) == "{\"id\":\"\(id)\",\"at\":\"2026-03-01T12:00:00.250Z\"}")
    }
}
