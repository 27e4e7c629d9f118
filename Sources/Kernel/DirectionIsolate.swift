/// Keeps a value, such as a name, from reordering the text around it (Unicode Bidirectional Algorithm, UAX #9).
///
/// The program's own texts are read from left to right. A value with letters that are read from right to left would
/// turn the signs and numbers beside it around: the arrow between two Hebrew places would point to the first one.
package struct DirectionIsolate: Equatable, Sendable {
    /// FIRST STRONG ISOLATE: begins a part with a direction of its own, that of its first letter.
    package static let start: Unicode.Scalar = "\u{2068}"
    /// POP DIRECTIONAL ISOLATE: ends that part.
    package static let end: Unicode.Scalar = "\u{2069}"

    /// The text. If its control characters of direction aren't in pairs, it is without them.
    package let text: String
    /// Whether the text must be isolated from what is around it. A part that is isolated already needs no more.
    package let isNeeded: Bool

    /// Examines a value that is about to be printed.
    package init(_ text: String) {
        // The letters of many scripts from left to right have smaller bytes.
        guard text.utf8.contains(where: { $0 >= Self.firstByte }) else {
            self.text = text
            isNeeded = false
            return
        }
        let scan = Scan(text)
        guard scan.isUnbalanced else {
            self.text = text
            isNeeded = scan.isRightToLeft
            return
        }
        self.text = String(String.UnicodeScalarView(text.unicodeScalars.filter { !Self.isControl($0) }))
        isNeeded = Scan(self.text).isRightToLeft
    }

    /// The text in a sentence or a list, between ``start`` and ``end`` if that is needed.
    package var isolated: String { isNeeded ? "\(Self.start)\(text)\(Self.end)" : text }

    /// The first byte of U+0590, where the scripts from right to left begin, in UTF-8.
    private static let firstByte: UInt8 = 0xd6

    /// Whether a character begins or ends an embedding, an override or an isolate.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202a...0x202e, 0x2066...0x2069: true
        default: false
        }
    }

    private struct Scan {
        /// A letter from right to left outside of isolates.
        private(set) var isRightToLeft = false
        private(set) var isUnbalanced = false

        init(_ text: String) {
            var depth = 0
            for scalar in text.unicodeScalars {
                switch scalar.value {
                case 0x2066...0x2068: depth += 1
                case 0x2069 where depth == 0: isUnbalanced = true
                case 0x2069: depth -= 1
                case 0x202a...0x202e: isUnbalanced = true
                // Blocks in which unassigned characters are from right to left, too, and the mark of that direction.
                case 0x590...0x8ff, 0x200f, 0xfb1d...0xfdff, 0xfe70...0xfefe, 0x1_0800...0x1_0fff, 0x1_e800...0x1_efff:
                    if depth == 0 { isRightToLeft = true }
                default: break
                }
            }
            if depth > 0 { isUnbalanced = true }
        }
    }
}

extension String {
    /// The text as a part of a longer one: isolated if it could reorder what is around it (``DirectionIsolate``).
    /// `Translator` does this with the values of its sentences, and templates with the values that they print.
    package var isolated: String { DirectionIsolate(self).isolated }
}

extension Sequence<String> {
    /// Returns the texts as a list in which none of them can reorder the others.
    package func isolated(separator: String) -> String { map(\.isolated).joined(separator: separator) }
}
