import Foundation

/// The check of a text that Foundation's decoder reads afterwards.
package enum JSONSyntax {
    /// Returns the decoded value of a text from outside; `nil` if it isn't valid or has another shape.
    package static func decoded<Value: Decodable>(_ type: Value.Type = Value.self, _ bytes: [UInt8]) -> Value? {
        isValid(bytes) ? try? JSONDecoder().decode(type, from: Data(bytes)) : nil
    }

    /// Returns whether ``JSONReader`` reads `bytes`, so that names compare as bytes do and decoding takes linear time.
    package static func isValid(_ bytes: [UInt8]) -> Bool { JSONReader.value(of: bytes) != nil }
}
