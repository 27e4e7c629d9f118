/// A phone number in a form close to E.164: an optional plus and 6 to 15 digits.
package struct PhoneNumber: Hashable, Sendable {
    /// The number without spaces, dots, slashes, hyphens and brackets.
    package let text: String

    private static let digits = 6...15
    private static let decoration: Set<Character> = [" ", "\u{a0}", "-", "/", ".", "(", ")"]

    /// Parses a number; `nil` for any other text. A leading `00` becomes the plus.
    package init?(_ typed: String) {
        var kept = typed.filter { !Self.decoration.contains($0) }
        if kept.hasPrefix("00") { kept = "+" + kept.dropFirst(2) }
        let number = kept.hasPrefix("+") ? kept.dropFirst() : kept[...]
        guard Self.digits.contains(number.count), number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        text = kept
    }
}
