/// An account's API key at Hologram. Printing it or a value that contains it doesn't reveal it.
package struct HologramKey: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let text: String

    /// Creates a key; `nil` unless the text is one line of visible ASCII characters.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        self.text = text
    }

    package var description: String { "HologramKey(…)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
