import Foundation
package import Kernel

/// The translations of all texts of the program: one file for each language except English.
package enum Translations {
    /// A language whose file can't be used.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// There is no file.
        case missing(Language)
        /// The file can't be read from a line on.
        case malformed(Language, line: Int)

        package var description: String {
            switch self {
            case .missing(let language):
                "Sources/Translations/Embedded/\(language.rawValue).po is missing: add it and run `make strings`."
            case .malformed(let language, let line):
                "Sources/Translations/Embedded/\(language.rawValue).po can't be read from line \(line) on."
            }
        }
    }

    private static let catalogs = Result { () throws(Failure) in try read(content(of:)) }

    /// Returns the translator into a language. Its texts are English where ``check()`` throws.
    package static func translator(_ language: Language) -> Translator {
        let known = try? catalogs.get()
        return Translator(language, known?[language] ?? .english)
    }

    /// Requires the files of all languages. The server doesn't start without them.
    /// - Throws: ``Failure``.
    package static func check() throws(Failure) { _ = try catalogs.get() }

    /// Returns the file with the translations into a language; `nil` for English.
    /// - Throws: ``POFile/Failure`` when it is malformed.
    package static func file(_ language: Language) throws(POFile.Failure) -> POFile? {
        guard let content = content(of: language) else { return nil }
        return try POFile(content)
    }

    /// Reads the files of all languages except English.
    /// - Parameter content: returns the content of a language's file; `nil` where there is none.
    /// - Throws: ``Failure``.
    package static func read(
        _ content: (Language) -> String?
    ) throws(Failure) -> [Language: TranslationCatalog] {
        var catalogs: [Language: TranslationCatalog] = [.english: .english]
        for language in Language.allCases where language != .english {
            guard let content = content(language) else { throw .missing(language) }
            do throws(POFile.Failure) {
                catalogs[language] = TranslationCatalog(try POFile(content))
            } catch { throw .malformed(language, line: error.line) }
        }
        return catalogs
    }

    private static func content(of language: Language) -> String? {
        guard let base64 = Embedded.base64["\(language.rawValue).po"] else { return nil }
        let content = base64.withUTF8Buffer { Data(base64Encoded: Data($0)) } ?? Data()
        return String(decoding: content, as: UTF8.self)
    }
}
