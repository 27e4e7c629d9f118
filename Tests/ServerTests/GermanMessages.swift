import Kernel
import Translations

extension ErrorMessage {
    /// An error message in German; empty if it isn't translated.
    var german: String {
        let german = Translations.translator(.german).message(text)
        return german == text ? "" : german
    }
}
