import Kernel

/// The names of the built-in avatars in the reader's language.
struct AvatarNames: Sendable {
    let t: Translator

    /// Returns the name of a built-in avatar; the id itself for an unknown one.
    func name(_ id: String) -> String {
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
