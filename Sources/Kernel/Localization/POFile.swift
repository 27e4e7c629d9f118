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
        var part: WritableKeyPath<Entry, String>?
        // By bytes, because a search for the boundaries of characters would take most of the time.
        let lines = content.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.lazy.map({ Substring($0) }).enumerated() {
            let failure = Failure(line: index + 1)
            let keyword = line.prefix { $0 != " " && $0 != "\"" }
            let value = line.dropFirst(keyword.count).drop { $0 == " " }
            switch keyword {
            case "" where value.isEmpty:
                try finish(&entry, failure)
                part = nil
                continue
            case "":
                guard part != nil else { throw failure }
            case "msgctxt":
                entry.context = ""
                part = \.contextText
            case "msgid": part = \.text
            case "msgid_plural":
                entry.plural = ""
                part = \.pluralText
            case "msgstr", "msgstr[\(entry.translations.count)]":
                entry.translations.append("")
                part = \.lastTranslation
            case _ where keyword.hasPrefix("#"):
                if line.hasPrefix("#,"), line.contains("fuzzy") { entry.isFuzzy = true }
                continue
            default: throw failure
            }
            guard let part, let text = Self.unquoted(value) else { throw failure }
            entry[keyPath: part] += text
        }
        try finish(&entry, Failure(line: content.count { $0 == "\n" } + 1))
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
        let quote = UInt8(ascii: "\"")
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

extension POFile.Entry {
    fileprivate var contextText: String {
        get { context ?? "" }
        set { context = newValue }
    }

    fileprivate var pluralText: String {
        get { plural ?? "" }
        set { plural = newValue }
    }

    fileprivate var lastTranslation: String {
        get { translations.last ?? "" }
        set { translations[translations.count - 1] = newValue }
    }
}
