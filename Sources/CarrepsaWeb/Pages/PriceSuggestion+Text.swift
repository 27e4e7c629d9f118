import Carrepsa
import Kernel

extension PriceSuggestion {
    private static let metresPerKilometre = 1_000.0

    /// Returns why this is suggested.
    func reason(_ t: Translator) -> String {
        let reason =
            switch basis {
            case .deliveries(let count):
                t(
                    "Suggested: the middle of {n} finished delivery on this way.",
                    plural: "Suggested: the middle of {n} finished deliveries on this way.", count: count)
            case .formula:
                distanceMetres.map {
                    t(
                        "Suggested for {n} km in a straight line, the weight and the size.",
                        ["n": String(Int(($0 / Self.metresPerKilometre).rounded(.up)))])
                }
                    ?? t(
                        "Suggested for the weight and the size. With both points on the map, the distance counts, too.")
            }
        return reason + " " + t("You can change both.")
    }
}
