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
    /// In whole units of the currency.
    private static let base = 2.0
    private static let perKilometre = 0.08
    /// The distance after which a kilometre costs half.
    private static let nearKilometres = 100.0
    private static let freeGrams: Int64 = 2_000
    private static let perKilogram = 0.3
    private static let gramsPerKilogram = 1_000.0
    private static let leastDeposit: Int64 = 10

    /// Returns a reward in minor units, in steps of half a unit.
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
        max(2 * reward, leastDeposit * unit(currency))
    }

    /// Returns the middle of amounts; of two middle ones the smaller. There must be at least one.
    static func middle(of amounts: [Int64]) -> Int64? {
        amounts.isEmpty ? nil : amounts.sorted()[(amounts.count - 1) / 2]
    }

    private static func unit(_ currency: Currency) -> Int64 {
        (0..<currency.exponent).reduce(Int64(1)) { unit, _ in unit * 10 }
    }

    private static func step(_ units: Double, _ currency: Currency) -> Int64 {
        let unit = unit(currency)
        guard unit > 1 else { return max(1, Int64(units.rounded(.up))) }
        return Int64((units * 2).rounded(.up)) * unit / 2
    }
}
