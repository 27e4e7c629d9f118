package import Kernel

extension Limits {
    /// Kilometres of a trip's detour.
    package static let tripDetourKilometres: Int64 = 500
    /// Trips of one person.
    package static let tripsPerAccount = 20
    /// The best offers on the way of a trip that its page shows.
    package static let tripMatches = 100
    /// The best offers on the way of a trip whose detours are measured by road: with the ends of the trip, a request
    /// has 52 points, fewer than the 100 that an OSRM server accepts.
    package static let roadMatches = 25
    /// Detours by road in memory.
    static let roadDetoursKept = 10_000
    /// Seconds without requests after the router didn't answer, so that pages don't wait for it.
    static let routerPauseSeconds: Int64 = 60
    /// Requests of the router at the same time, for all people.
    static let routerRequestsAtOnce = 4
    /// The step in metres to which detours are rounded.
    static let detourStepMetres = 100.0
    /// Cells of the finer grid up to which the search by detour uses it. A longer or wider trip uses the coarser one.
    static let tripFineCells = 160
    /// Cells of the coarser grid that a trip may need. A longer trip with such a detour is refused.
    static let tripCoarseCells = 500
    /// Pairs of cells that a search by detour reads: with so many it takes about 50 ms. A trip that needs more is
    /// refused: from Berlin to Lisbon every detour is possible, from Berlin to New York up to 50 kilometres.
    static let tripPairs = 50_000
    /// Cells of a grid that are compared with the area of one trip. The coarser grid has fewer on the whole Earth.
    static let gridCellsExamined = 20_000
    /// Pairs of cells in the first query. Each further one has twice as many, up to ``tripPairsPerQuery``.
    static let tripPairsInFirstQuery = 100
    /// Pairs of cells in one query.
    static let tripPairsPerQuery = 8_000
    /// Cells under which a trip is found for a new offer.
    static let tripCells = 64
    /// New offers that one run compares with the saved trips.
    static let newOffersPerRun = 200
    /// Saved trips in one query for a new offer.
    static let tripsPerPage = 200
    /// Pages of saved trips that are compared with one new offer, the earliest trips first.
    static let tripPagesCompared = 50
    /// People who are notified of one new offer.
    static let tripPeopleNotified = 200
}
