package import Kernel

extension Limits {
    /// Kilometres of a trip's detour.
    package static let tripDetourKilometres: Int64 = 500
    /// Trips of one person.
    package static let tripsPerAccount = 20
    /// The best offers on the way of a trip that its page shows.
    package static let tripMatches = 100
    /// Cells of the finer grid up to which the search by detour uses it. A longer or wider trip uses the coarser one.
    static let tripFineCells = 160
    /// Pairs of cells in one query.
    static let tripPairsPerQuery = 8_000
    /// Cells under which a trip is found for a new offer.
    static let tripCells = 64
    /// New offers that one run compares with the saved trips.
    static let newOffersPerRun = 200
    /// People who are notified of one new offer.
    static let tripsNotified = 200
}
