extension Limits {
    // MARK: Alerts

    /// The maximum age in seconds of a phone's or an item's position that counts for a separation alert.
    package static let alertPositionSeconds: Int64 = 30 * 60
    /// Seconds by which an item is watched longer than the phone's position counts, so that not every position has to
    /// update every item.
    package static let alertWatchSlackSeconds: Int64 = 15 * 60
    /// The number of alerts after which *Only when sure* is no longer offered.
    package static let alertsWithOffer = 3
    /// The maximum number of safe places of one account.
    package static let safePlacesPerAccount = 50
    /// The radius of a safe place, in metres.
    package static let safePlaceRadiusMetres = 10...10_000
    /// Seconds before the latest pickup of an accepted package at which its owner and carrier are reminded.
    package static let deadlineNearSeconds: Int64 = 2 * 60 * 60
    /// Packages whose reminders are sent in one transaction.
    package static let deadlineReminders = 100
}
