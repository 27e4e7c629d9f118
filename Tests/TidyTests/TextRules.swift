import Foundation
import Testing

/// The words of the texts that people read.
struct TextRules {
    struct Word: CustomTestStringConvertible, Sendable {
        let pattern: String
        let instead: String
        var testDescription: String { "\(pattern): write \(instead)" }
    }

    static let words = [
        Word(pattern: #"\b[Ww]hoever\b"#, instead: "who does it: the owner, a person, anyone"),
        Word(pattern: #"\b[Ss]omebody\b"#, instead: "who it is, or another person"),
        Word(pattern: #"\b[Nn]obody\b"#, instead: "what can't happen"),
        Word(pattern: #"\b[Mm]eanwhile\b"#, instead: "elsewhere"),
        Word(pattern: #"\bby themselves\b"#, instead: "automatically"),
        Word(pattern: #"\btells? you\b"#, instead: "notifies you"),
        Word(pattern: #"\b(?:stands?|stood) (?:on|in|here|there)\b"#, instead: "is, appears"),
        Word(pattern: #"\bgood any more\b"#, instead: "no longer works"),
        Word(pattern: #"\b[Gg]rown-ups?\b"#, instead: "adult"),
        Word(pattern: #"\b[Pp]arcels?\b"#, instead: "package"),
        Word(pattern: #"\b[Oo]perators?\b"#, instead: "administrator"),
        Word(pattern: #"\bruns this server\b"#, instead: "the administrator of this server"),
        Word(pattern: #"\b[Mm]oney locks\b"#, instead: "deposits"),
        Word(pattern: #"\bBetreibers?\b|\bServer betreibt\b"#, instead: "Administrator"),
        Word(pattern: #"\bGegenst[aä]nd"#, instead: "Ding"),
        Word(pattern: #"\bTräger"#, instead: "Überbringer"),
        Word(pattern: #"\bLohn\b"#, instead: "Vergütung"),
        Word(pattern: #"\b[Vv]erwahrt"#, instead: "hinterlegt"),
        Word(pattern: #"\b(?:[Ss]ichern|[Gg]esichert)\b"#, instead: "speichern, gespeichert"),
    ]

    /// The files with texts, found by their names. Those with translations contain the texts of templates and code.
    static let files = SourceTree.everything.filter { file in
        guard file.path.hasPrefix("Sources/"), let name = file.path.split(separator: "/").last else { return false }
        if name.hasSuffix(".po") { return true }
        guard name.hasSuffix(".swift") else { return false }
        return name.hasPrefix("EmailText") || name.hasSuffix("Message.swift") && name != "PushMessage.swift"
    }
    private static let literals = files.map(\.literals)

    @Test("Texts that people read use the terms and no forbidden words", arguments: words)
    func texts(_ word: Word) {
        #expect(Self.literals.places(matching: Pattern(word.pattern)).isEmpty)
    }

    /// The requirements quote the specification.
    private static let prose = SourceTree.everything.filter { file in
        let isText = [".swift", ".js", ".css", ".py", ".md", ".mustache", ".toml"].contains { file.path.hasSuffix($0) }
        let quotes = ["Tests/TidyTests", "docs/requirements"]
        return isText && !quotes.contains { file.path.hasPrefix($0) }
    }

    @Test("Comments, documents and tests use no forbidden words")
    func commentsArePlain() {
        let words = Pattern(#"(?<![-\w])(?:[Ww]hoever|[Ss]omebody|[Nn]obody|[Mm]eanwhile|[Mm]end(?:s|ed)?)\b"#)
        #expect(Self.prose.count > 1_000)
        #expect(Self.prose.places(matching: words).isEmpty)
    }

    @Test("The files with texts are found, and each word is recognized")
    func recognition() {
        #expect(Self.files.count > 10)
        let names = Set(Self.files.compactMap { $0.path.split(separator: "/").last.map(String.init) })
        let required: Set = ["EmailText.swift", "AccountMessage.swift", "de.po", "es.po", "fr.po"]
        #expect(required.isSubset(of: names))
        #expect(Self.files.allSatisfy { $0.path.contains("/") })
        let file = SourceTree.File(
            path: "Sources/A/AStrings.swift",
            text: """
                let somebody = "nobody \\"here\\""  // a parcel
                /// whoever
                \"""
                meanwhile
                \"""
                """)
        #expect(file.literals.lines == [#""nobody \"here\"""#, "", "\"\"\"", "meanwhile", "\"\"\""])
        #expect(file.code.lines == ["let somebody = \"\"  ", "", "", "", ""])
        let sample = """
            whoever somebody nobody meanwhile by themselves tells you stands on good any more grown-up parcel operator \
            runs this server money locks Betreiber Gegenstände Träger Lohn verwahrt gesichert
            """
        for word in Self.words { #expect(Pattern(word.pattern).matches(sample), "\(word.pattern)") }
    }
}
