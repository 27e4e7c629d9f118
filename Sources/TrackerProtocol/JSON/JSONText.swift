import Foundation
import Kernel

/// The protocol's JSON encoding: sorted keys, no white space, so that the same content always gives the same bytes.
enum JSONText {
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding fails only for numbers that aren't finite; the encoded values contain none.
        return (try? encoder.encode(value)).map(Array.init) ?? []
    }

    static func decode<Value: Decodable>(_: Value.Type, from body: [UInt8]) -> Value? {
        // The decoder accepts more than JSON.
        guard JSONSyntax.isValid(body) else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(body))
    }

    static func isWellFormed(_ body: [UInt8]) -> Bool { JSONSyntax.isValid(body) }
}

/// A decodable entry whose invalid value doesn't make the whole document fail.
struct Lossy<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

extension Lossy: Sendable where Value: Sendable {}
