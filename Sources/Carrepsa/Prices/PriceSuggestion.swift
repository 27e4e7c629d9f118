import Foundation
import Kernel

/// A suggested reward and deposit for a new package, with the reason.
package struct PriceSuggestion: Sendable, Hashable {
    /// What the suggestion comes from.
    package enum Basis: Sendable, Hashable {
        /// The median of the rewards of finished deliveries between the same areas.
        case deliveries(Int)
        /// The distance, if both points are known, the weight and the size.
        case formula
    }

    /// Minor units.
    package let reward: Int64
    /// Minor units.
    package let deposit: Int64
    package let basis: Basis
    /// Metres in a straight line; `nil` unless both points are known.
    package let distanceMetres: Double?
}

/// The rule for prices where no deliveries are known.
enum PriceRule {
    /// In euros. ``CurrencyScale`` has the other currencies.
    private static let base = 2.0
    private static let perKilometre = 0.08
    /// The distance after which a kilometre costs half.
    private static let nearKilometres = 100.0
    private static let freeGrams: Int64 = 2_000
    private static let perKilogram = 0.3
    private static let gramsPerKilogram = 1_000.0
    private static let leastDeposit = 10.0
    private static let stepEuros = 0.5

    /// Returns a reward in minor units, in steps of about half a euro.
    static func reward(
        distanceMetres: Double?, weightGrams: Int64, size: PackageSize?, currency: Currency
    ) -> Int64 {
        let kilometres = (distanceMetres ?? 0) / Double(Trip.metresPerKilometre)
        let near = min(kilometres, nearKilometres)
        let way = perKilometre * (near + (kilometres - near) / 2)
        let weight = perKilogram * Double(max(freeGrams, weightGrams) - freeGrams) / gramsPerKilogram
        let factor =
            switch size {
            case nil, .bag?: 1.0
            case .backpack?: 1.2
            case .boot?: 1.5
            }
        return step((base + way + weight) * factor, currency)
    }

    /// Returns a deposit in minor units for packages whose worth isn't known: twice the reward.
    static func deposit(reward: Int64, currency: Currency) -> Int64 {
        min(max(2 * reward, step(leastDeposit, currency)), Limits.packageMoneyMinor)
    }

    /// Returns the middle of amounts; of two middle ones the smaller. There must be at least one.
    static func middle(of amounts: [Int64]) -> Int64? {
        amounts.isEmpty ? nil : amounts.sorted()[(amounts.count - 1) / 2]
    }

    /// Returns an amount of euros in minor units of a currency, rounded up to a step that people like to pay.
    private static func step(_ euros: Double, _ currency: Currency) -> Int64 {
        let minorPerEuro = CurrencyScale.unitsPerEuro(currency) * pow(10, Double(currency.exponent))
        let step = roundStep(notAbove: stepEuros * minorPerEuro)
        let amount = (euros * minorPerEuro / step).rounded(.up) * step
        return Int64(min(amount, Double(Limits.packageMoneyMinor)))
    }

    /// Returns the largest of 1, 2, 5, 10, 20, 50 … that isn't above a number; at least 1.
    private static func roundStep(notAbove number: Double) -> Double {
        let power = pow(10, log10(max(1, number)).rounded(.down))
        let factor = [5.0, 2].first { $0 * power <= number } ?? 1
        return factor * power
    }
}
