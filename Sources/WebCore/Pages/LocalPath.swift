/// A path on this server that is safe as the target of a redirect: a crafted link can't redirect to another site.
package struct LocalPath: Sendable, Equatable {
    package let text: String

    private static let bytesMaximum = 2_000

    /// - Returns: `nil` unless the text begins with exactly one slash and contains only visible ASCII (RFC 3986),
    ///   without backslashes, which browsers read as slashes. Compared by bytes: a combining mark after a second slash
    ///   would form another `Character`, and browsers drop some marks from host names.
    package init?(_ text: String) {
        let bytes = text.utf8
        let slash = UInt8(ascii: "/")
        guard bytes.first == slash, bytes.dropFirst().first != slash, bytes.count <= Self.bytesMaximum,
            bytes.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }
}
