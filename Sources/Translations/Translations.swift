import Foundation
package import Kernel

/// The translations of all texts of the program: one file for each language except English.
package enum Translations {
    private static let catalogs: [Language: TranslationCatalog] = Dictionary(
        uniqueKeysWithValues: Language.allCases.map { language in
            // A test reads every file, so that none of them is malformed.
            (language, (try? file(language)).map { TranslationCatalog($0) } ?? .english)
        })

    /// Returns the translator into a language.
    package static func translator(_ language: Language) -> Translator {
        Translator(language, catalogs[language] ?? .english)
    }

    /// Returns the file with the translations into a language; `nil` for English.
    /// - Throws: ``POFile/Failure`` when it is malformed.
    package static func file(_ language: Language) throws -> POFile? {
        guard let base64 = Embedded.base64["\(language.rawValue).po"] else { return nil }
        let content = base64.withUTF8Buffer { Data(base64Encoded: Data($0)) } ?? Data()
        return try POFile(String(decoding: content, as: UTF8.self))
    }
}
