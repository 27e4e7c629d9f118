import Kernel
import Translations

extension RawRepresentable where RawValue == String {
    /// An error message in German.
    var german: String { Translations.translator(.german).text(rawValue) }
}
