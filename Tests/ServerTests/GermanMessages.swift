import Kernel
import Translations

extension RawRepresentable where RawValue == String {
    /// An error message in German; empty if it isn't translated.
    var german: String {
        let text = Translations.translator(.german).text(rawValue)
        return text == rawValue ? "" : text
    }
}
