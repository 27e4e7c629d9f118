/// The key of an account at Hologram. Printing it, or anything that holds it, shows none of it.
package struct HologramKey: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let text: String

    /// Makes a key; `nil` unless it is one line of visible ASCII characters.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        self.text = text
    }

    /// Nothing of the key.
    package var description: String { "HologramKey(…)" }
    /// Nothing of the key.
    package var debugDescription: String { description }
    /// Nothing of the key.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
