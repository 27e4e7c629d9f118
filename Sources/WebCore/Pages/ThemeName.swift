package import Kernel

/// The names of the themes.
package enum ThemeName {
    /// Returns the name of a theme in the reader's language; the id itself for an unknown theme.
    package static func text(_ id: String, _ t: Translator) -> String {
        switch id {
        case "standard": t("Classic")
        case "ocean": t("Ocean")
        case "forest": t("Forest")
        case "sunset": t("Sunset")
        case "berry": t("Berry")
        case "space": t("Space")
        case "candy": t("Candy")
        default: id
        }
    }
}
