/// The first check of a typed text: its bytes are counted before anything is done whose cost grows with it.
package enum TypedLength {
    /// Whether a text that may take `limit` bytes once it is trimmed and composed (NFC) is short enough to be looked at.
    ///
    /// Composing makes Hangul three times shorter (UAX #15); ``Limits/typedBytesPerStoredByte`` leaves room for spaces
    /// around the text, too.
    package static func isReadable(_ typed: String, limit: Int) -> Bool {
        typed.utf8.count <= limit * Limits.typedBytesPerStoredByte
    }
}
