import Kernel
import Tracking

extension AlertMode {
    func label(_ t: Translator) -> String {
        switch self {
        case .everyTime: t("Every time")
        case .whenSure: t("Only when sure")
        }
    }

    func hint(_ t: Translator) -> String {
        switch self {
        case .everyTime:
            t("At once. Positions are inexact, so many alerts are false, even with the item in your pocket.")
        case .whenSure: t("A few minutes later, but almost never false: several exact positions must agree.")
        }
    }
}
