import Foundation
import Kernel

/// A phone number in a form close to E.164: an optional plus and 6 to 15 digits.
package struct PhoneNumber: Hashable, Sendable {
    /// The number without separators, extension, and the trunk prefix that isn't dialled after a country's code.
    package let text: String

    private static let digits = 6...15
    private static let extensionDigits = 11
    private static let extensionWords: Set<String> = [
        "anexo", "dw", "durchwahl", "ext", "extensión", "extension", "extn", "int", "poste", "x", "доб",
    ]

    /// Parses a number as people type it or copy it from cards, contacts and web pages: with any digits, separators and
    /// invisible characters, with a label before it or an extension after it, or as a link (RFC 3966). `nil` for any
    /// other text. A leading `00` becomes the plus.
    package init?(_ typed: String) {
        guard typed.utf8.count <= Limits.typedPhoneBytes else { return nil }
        let written = WrittenPhoneNumber(typed)
        guard let start = written.text.firstIndex(where: { $0 == "+" || WrittenPhoneNumber.isDigit($0) }) else {
            return nil
        }
        guard Self.isLabel(written.text[..<start]) else { return nil }
        let number = written.text[start...]
        let end = number.firstIndex { !WrittenPhoneNumber.isPart($0) } ?? number.endIndex
        var dialled = Self.dialled(number[..<end], context: written.context)
        if end != number.endIndex, !Self.isExtension(number[end...]) {
            guard let word = VanityNumber.dialled(number) else { return nil }
            dialled = word
        }
        let kept = dialled.hasPrefix("+") ? dialled.dropFirst() : dialled[...]
        guard Self.digits.contains(kept.count), kept.allSatisfy(WrittenPhoneNumber.isDigit) else { return nil }
        text = dialled
    }

    private static func dialled(_ number: Substring, context: String?) -> String {
        // A trunk zero in brackets is a letter for now: where it isn't dialled depends on the country.
        let marked = number.filter { !" -.".contains($0) }.replacing("(0)", with: "z")
        var dialled = marked.filter { $0 != "(" && $0 != ")" }
        if let context, !dialled.hasPrefix("+") { dialled = context + dialled }
        if dialled.hasPrefix("00") { dialled = "+" + dialled.dropFirst(2) }
        guard dialled.hasPrefix("+") else { return dialled.replacing("z", with: "0") }
        return "+" + TrunkPrefix.removed(from: String(dialled.dropFirst()))
    }

    /// Whether the text before a number says what it is, such as `Tel.:`.
    private static func isLabel(_ text: Substring) -> Bool {
        !text.contains("@") && !(text.last?.isLetter ?? false)
    }

    /// Whether the text after a number is an extension: `;ext=5`, `ext. 5`, `x5`, `#5`, `,,5`.
    private static func isExtension(_ text: Substring) -> Bool {
        let word = text.prefix { !WrittenPhoneNumber.isDigit($0) }
        let rest = text[word.endIndex...]
        let count = rest.prefix(while: WrittenPhoneNumber.isDigit).count
        guard count <= extensionDigits, ["", "#"].contains(rest.dropFirst(count)) else { return false }
        let letters = word.filter(\.isLetter)
        guard letters.isEmpty else { return extensionWords.contains(letters) }
        // Two commas or a semicolon make a phone wait before it dials the extension.
        return count > 0 && ["#", ",,", ";"].contains { word.contains($0) }
    }
}

/// A typed number with one form of each digit, separator and letter.
private struct WrittenPhoneNumber {
    private static let context = "phone-context="

    private(set) var text: String
    /// The code that a link (RFC 3966) names for a number without one: `+49`.
    private(set) var context: String?

    init(_ typed: String) {
        let scalars = typed.precomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
        text = String(String.UnicodeScalarView(scalars.compactMap(Self.written)))
        guard let scheme = text.firstRange(of: "tel:") else { return }
        let link = text[scheme.upperBound...].replacing("%20", with: " ").replacing("%2b", with: "+")
        let parts = link.split(separator: ";").map(String.init)
        text = parts.first ?? ""
        context = parts.first { $0.hasPrefix(Self.context + "+") }.map { part in
            part.dropFirst(Self.context.count).filter { $0 == "+" || Self.isDigit($0) }
        }
    }

    static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    /// Whether a character may be in a number without its extension.
    static func isPart(_ character: Character) -> Bool { "+ -.()".contains(character) || isDigit(character) }

    private static func written(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.properties.generalCategory {
        // Marks of direction, soft hyphens and others that can't be seen.
        case .format: nil
        case .decimalNumber: scalar.properties.numericValue.map { Unicode.Scalar(UInt8(ascii: "0") + UInt8($0)) }
        case .spaceSeparator, .control: " "
        case .dashPunctuation: "-"
        default:
            switch scalar {
            case "\u{2212}", "\u{30fc}", "~": "-"
            case "/", "·", "•", "_", "\u{2044}": "."
            case "[": "("
            case "]": ")"
            default: scalar
            }
        }
    }
}

/// Numbers of North America that people write with the letters of the keys: `+1 800 FLOWERS`.
private enum VanityNumber {
    private static let keys = ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"]
    private static let firstKey = 2
    private static let letters = 3...
    private static let digits = 10

    static func dialled(_ number: Substring) -> String? {
        let kept = number.filter { !" -.()".contains($0) }
        guard letters.contains(kept.count(where: \.isLetter)) else { return nil }
        let dialled = String(
            kept.map { character in
                let key = keys.firstIndex { $0.contains(character) }
                return key.map { Character(String($0 + firstKey)) } ?? character
            })
        guard let prefix = ["+1", "1"].first(where: { dialled.hasPrefix($0) }) else { return nil }
        return dialled.count - prefix.count == digits ? dialled : nil
    }
}
