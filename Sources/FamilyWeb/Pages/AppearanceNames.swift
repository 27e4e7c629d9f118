import Kernel

/// The names of the themes and avatars in the reader's language.
struct AppearanceNames: Sendable {
    let t: Translator

    /// Returns a theme's name; the id itself for an unknown theme.
    func theme(_ id: String) -> String {
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

    /// Returns the name of a built-in avatar; the id itself for an unknown one.
    func avatar(_ id: String) -> String {
        switch id {
        case "bear": t("Bear")
        case "cat": t("Cat")
        case "dinosaur": t("Dinosaur")
        case "dog": t("Dog")
        case "fox": t("Fox")
        case "frog": t("Frog")
        case "lion": t("Lion")
        case "octopus": t("Octopus")
        case "owl": t("Owl")
        case "panda": t("Panda")
        case "penguin": t("Penguin")
        case "rabbit": t("Rabbit")
        case "rocket": t("Rocket")
        case "star": t("Star")
        case "turtle": t("Turtle")
        case "unicorn": t("Unicorn")
        default: id
        }
    }
}
