import Foundation
import Kernel

/// JSON the way the protocol writes it: keys in order of their names, no white space, so that the same content always
/// gives the same bytes.
enum JSONText {
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only numbers that aren't finite could fail here, and the values that are written have none.
        return (try? encoder.encode(value)).map(Array.init) ?? []
    }

    static func decode<Value: Decodable>(_: Value.Type, from body: [UInt8]) -> Value? {
        // The decoder takes more than JSON.
        guard JSONSyntax.isValid(body) else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(body))
    }

    static func isWellFormed(_ body: [UInt8]) -> Bool { JSONSyntax.isValid(body) }
}

/// An entry that may be of the wrong type without spoiling the whole.
struct Lossy<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

extension Lossy: Sendable where Value: Sendable {}
