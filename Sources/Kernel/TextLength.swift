/// The first check of a typed text: limits its bytes before any operation whose cost grows with the length.
package enum TextLength {
    /// Returns whether a text that may take `limit` bytes once it is trimmed and composed (NFC) is short enough to
    /// process.
    ///
    /// Composing shortens Hangul to a third (UAX #15); ``Limits/typedBytesPerStoredByte`` also leaves room for
    /// surrounding spaces.
    package static func isReadable(_ typed: String, limit: Int) -> Bool {
        typed.utf8.count <= limit * Limits.typedBytesPerStoredByte
    }
}
