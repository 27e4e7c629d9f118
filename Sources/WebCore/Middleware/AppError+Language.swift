package import Kernel
import Translations

extension AppError {
    /// Returns the same error with its messages in `language`. Services throw errors with English messages, in which
    /// the numbers are in place.
    package func translated(to language: Language) -> AppError {
        let t = Translations.translator(language)
        return saying { t.message($0) }
    }
}
