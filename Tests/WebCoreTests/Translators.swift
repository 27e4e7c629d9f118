import Kernel
import Translations

extension Translator {
    static let english = Translations.translator(.english)
    static let german = Translations.translator(.german)
}
