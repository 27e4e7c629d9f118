package import Kernel

extension Limits {
    /// Seconds for which finished deliveries count for prices: a year.
    static let priceHistorySeconds: Int64 = 365 * 24 * 60 * 60
    /// Finished deliveries that are needed for a suggestion from them.
    package static let priceDeliveries = 3
    /// Finished deliveries that are read for a suggestion.
    static let priceDeliveriesRead = 200
}
