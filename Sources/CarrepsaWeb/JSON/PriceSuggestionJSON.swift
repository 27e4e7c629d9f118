import Carrepsa
import Kernel
import WebCore

/// The JSON of a suggested price; amounts are in minor units.
struct PriceSuggestionJSON: Encodable {
    let reward: Int64
    let moneyLock: Int64
    /// The finished deliveries that it comes from; 0 for the distance, the weight and the size.
    let deliveries: Int
    /// Metres in a straight line.
    @Nullable var distance: Int64?

    init(_ suggestion: PriceSuggestion) {
        reward = suggestion.reward
        moneyLock = suggestion.deposit
        if case .deliveries(let count) = suggestion.basis { deliveries = count } else { deliveries = 0 }
        distance = suggestion.distanceMetres.map { Int64($0.rounded()) }
    }
}
