extension ID: Codable {
    /// Reads the 36-character form.
    /// - Throws: `DecodingError.dataCorrupted` unless it is a UUID of version 7.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a version 7 UUID")
        }
        self = id
    }

    /// Writes the 36-character form.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
