/// A phone number, much as E.164 writes it: an optional plus and 6 to 15 digits.
package struct PhoneNumber: Hashable, Sendable {
    /// Without the spaces, dots, slashes, hyphens and brackets that people type.
    package let text: String

    private static let digits = 6...15
    private static let decoration: Set<Character> = [" ", "\u{a0}", "-", "/", ".", "(", ")"]

    /// Reads a number; `nil` when the text is none. A leading `00` is read as the plus.
    package init?(_ typed: String) {
        var kept = typed.filter { !Self.decoration.contains($0) }
        if kept.hasPrefix("00") { kept = "+" + kept.dropFirst(2) }
        let number = kept.hasPrefix("+") ? kept.dropFirst() : kept[...]
        guard Self.digits.contains(number.count), number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        text = kept
    }
}
