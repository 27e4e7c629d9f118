import Foundation

extension Encodable {
    /// Returns the value as JSON with sorted names.
    /// - Parameter isReadable: adds line breaks and indents, for files that people open.
    package func json(isReadable: Bool = false) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isReadable { encoder.outputFormatting.insert(.prettyPrinted) }
        return Array(try encoder.encode(self))
    }
}
