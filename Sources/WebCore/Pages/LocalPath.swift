/// A path on this very server, fit for a redirect: whoever made the link can't send people elsewhere with it.
package struct LocalPath: Sendable, Equatable {
    /// The path with its query.
    package let text: String

    /// - Returns: `nil` unless the text begins with one slash and holds neither backslashes nor control characters, which
    ///   browsers read as something else.
    package init?(_ text: String) {
        guard text.hasPrefix("/"), !text.hasPrefix("//"), text.utf8.count <= 2_000 else { return nil }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") }) else { return nil }
        self.text = text
    }
}
