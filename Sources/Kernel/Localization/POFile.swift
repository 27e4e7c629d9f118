/// A file with the translations of one language, in gettext's format
/// (gnu.org/software/gettext/manual/html_node/PO-Files.html).
package struct POFile: Sendable {
    /// One text with its translations.
    package struct Entry: Sendable, Equatable {
        /// Distinguishes equal English texts with different meanings; `nil` for most.
        package fileprivate(set) var context: String?
        /// The English text; for a text with plural forms, the one for the number 1.
        package fileprivate(set) var text = ""
        /// The English text for other numbers; `nil` for a text without plural forms.
        package fileprivate(set) var plural: String?
        /// One translation; for a text with plural forms, one for each form.
        package fileprivate(set) var translations: [String] = []
        fileprivate var isFuzzy = false
    }

    /// The first line that can't be read, from 1.
    package struct Failure: Error, Equatable {
        package let line: Int

        package init(line: Int) { self.line = line }
    }

    /// All entries except the header, and except those marked as fuzzy: a person must check these first.
    package private(set) var entries: [Entry] = []
    /// The number of plural forms and the rule for choosing one, as the header states them.
    package private(set) var pluralRule = PluralRule.singularForOne

    /// - Throws: ``Failure``.
    package init(_ content: String) throws(Failure) {
        var entry = Entry()
        var part: Part?
        // By bytes, because a search for the boundaries of characters would take most of the time.
        let space = UInt8(ascii: " ")
        let lines = content[...].split(atBytes: "\n")
        for (index, line) in lines.enumerated() {
            let failure = Failure(line: index + 1)
            let keyword = Substring(line.utf8.prefix { $0 != space && $0 != quote })
            let value = Substring(line[keyword.endIndex...].utf8.drop { $0 == space })
            switch keyword {
            case "" where value.isEmpty:
                try finish(&entry, failure)
                part = nil
                continue
            case "":
                guard part != nil else { throw failure }
            case "msgctxt": part = .context
            case "msgid": part = .text
            case "msgid_plural": part = .plural
            case "msgstr", "msgstr[\(entry.translations.count)]":
                entry.translations.append("")
                part = .translation
            case _ where keyword.hasPrefix("#"):
                if line.hasPrefix("#,"), line.contains("fuzzy") { entry.isFuzzy = true }
                continue
            default: throw failure
            }
            guard let part, let text = Self.unquoted(value) else { throw failure }
            entry.append(text, to: part)
        }
        try finish(&entry, Failure(line: lines.count))
    }

    private mutating func finish(_ entry: inout Entry, _ failure: Failure) throws(Failure) {
        defer { entry = Entry() }
        guard !entry.translations.isEmpty else {
            guard entry == Entry() else { throw failure }
            return
        }
        if entry.text.isEmpty {
            guard let rule = PluralRule(header: entry.translations[0]) else { throw failure }
            pluralRule = rule
        } else if !entry.isFuzzy {
            entries.append(entry)
        }
    }

    /// Returns the text of a C string literal; `nil` if it is malformed.
    private static func unquoted(_ literal: Substring) -> String? {
        guard literal.utf8.count >= 2, literal.utf8.first == quote, literal.utf8.last == quote else { return nil }
        let content = Substring(literal.utf8.dropFirst().dropLast())
        guard content.utf8.contains(where: { $0 == quote || $0 == UInt8(ascii: "\\") }) else { return String(content) }
        var text = ""
        var isEscaped = false
        for scalar in content.unicodeScalars {
            switch (isEscaped, scalar) {
            case (true, "n"): text += "\n"
            case (true, "t"): text += "\t"
            case (true, "\""), (true, "\\"): text.unicodeScalars.append(scalar)
            case (true, _), (false, "\""): return nil
            case (false, "\\"):
                isEscaped = true
                continue
            default: text.unicodeScalars.append(scalar)
            }
            isEscaped = false
        }
        return isEscaped ? nil : text
    }
}

/// A part of an entry, which can continue on the following lines.
private enum Part {
    case context
    case text
    case plural
    /// The last translation so far.
    case translation
}

private let quote = UInt8(ascii: "\"")

extension POFile.Entry {
    fileprivate mutating func append(_ more: String, to part: Part) {
        switch part {
        case .context: context = (context ?? "") + more
        case .text: text += more
        case .plural: plural = (plural ?? "") + more
        case .translation: translations[translations.count - 1] += more
        }
    }
}
