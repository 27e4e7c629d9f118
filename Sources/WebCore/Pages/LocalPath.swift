/// A path on this very server, fit for a redirect: whoever made the link can't send people elsewhere with it.
package struct LocalPath: Sendable, Equatable {
    /// The path with its query.
    package let text: String

    private static let bytesMaximum = 2_000

    /// - Returns: `nil` unless the text begins with one slash and holds visible ASCII alone, as RFC 3986 has it, and no
    ///   backslash, which browsers read as something else. Compared by bytes: a mark after the second slash would make
    ///   another character of it, and browsers drop some marks from names of hosts.
    package init?(_ text: String) {
        let bytes = text.utf8
        let slash = UInt8(ascii: "/")
        guard bytes.first == slash, bytes.dropFirst().first != slash, bytes.count <= Self.bytesMaximum,
            bytes.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }
}
