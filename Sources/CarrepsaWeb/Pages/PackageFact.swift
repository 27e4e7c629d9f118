import Carrepsa
import Kernel
import WebCore

/// A labelled value.
struct PackageFact: Sendable {
    let factLabel: String
    let factText: String

    static func all(_ package: Package, _ t: Translator, _ formatter: CarrepsaFormatter) -> [PackageFact] {
        let route = package.route
        return end(t("From"), package.from, route.origin, openingTimes: t("Open for pickup"))
            + end(t("To"), package.to, route.destination, openingTimes: t("Open for delivery"))
            + [
                route.size.map { PackageFact(factLabel: t("Size"), factText: $0.label(t)) },
                PackageFact(factLabel: t("Weight"), factText: formatter.weight(package.weightGrams)),
                PackageFact(factLabel: t("Reward"), factText: formatter.money(package.reward)),
                PackageFact(factLabel: t("Deposit"), factText: formatter.money(package.moneyLock)),
                package.requiresPhotos
                    ? PackageFact(factLabel: t("Photos"), factText: t("Required at pickup and delivery")) : nil,
            ].compactMap(\.self)
    }

    private static func end(
        _ label: String, _ text: String, _ end: PackageEnd, openingTimes: String
    ) -> [PackageFact] {
        [
            PackageFact(factLabel: label, factText: text),
            end.openingTimes.map { PackageFact(factLabel: openingTimes, factText: $0) },
        ].compactMap(\.self)
    }
}
