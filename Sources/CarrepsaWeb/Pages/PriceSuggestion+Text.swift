import Carrepsa
import Kernel

extension PriceSuggestion {
    /// Returns why this is suggested.
    /// - Parameter fillsDeposit: whether the deposit was filled in, too.
    func reason(fillsDeposit: Bool, _ t: Translator) -> String {
        let reason =
            switch basis {
            case .deliveries(let count):
                t(
                    "Suggested: the median of {n} finished delivery on this route.",
                    plural: "Suggested: the median of {n} finished deliveries on this route.", count: count)
            case .formula:
                distanceMetres.map {
                    t(
                        "Suggested for {n} km in a straight line, the weight and the size.",
                        ["n": String(Int(($0 / Double(Trip.metresPerKilometre)).rounded(.up)))])
                }
                    ?? t(
                        "Suggested for the weight and the size. With both points on the map, the distance counts, too.")
            }
        let note =
            fillsDeposit
            ? t("You can change both. The deposit is only a guess: enter what the package is worth.")
            : t("You can change it.")
        return reason + " " + note
    }
}
