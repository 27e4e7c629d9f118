extension Limits {
    // MARK: Telling people of what happened

    /// Seconds up to which the position of a phone, or of an item, counts for a warning that the two are apart.
    package static let alertPositionSeconds: Int64 = 30 * 60
    /// Seconds by which an item is watched for longer than the phone's position counts, so that not each position has
    /// to be noted at each item.
    package static let alertWatchSlackSeconds: Int64 = 15 * 60
    /// Alerts after which *Only when sure* is no longer offered.
    package static let alertsWithOffer = 3
    /// Safe places of one account.
    package static let safePlacesPerAccount = 50
    /// Metres from a safe place's centre to its edge.
    package static let safePlaceRadiusMetres = 10...10_000
    /// Seconds before the latest pickup of an accepted parcel at which its two sides are reminded.
    package static let deadlineNearSeconds: Int64 = 2 * 60 * 60
    /// Parcels whose sides are reminded in one transaction.
    package static let deadlineReminders = 100
}
