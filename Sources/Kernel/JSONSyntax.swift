/// The check of a text that Foundation's decoder reads afterwards.
package enum JSONSyntax {
    /// Returns whether ``JSONReader`` reads `bytes`, so that names compare as bytes do and decoding takes linear time.
    package static func isValid(_ bytes: [UInt8]) -> Bool { JSONReader.value(of: bytes) != nil }
}
