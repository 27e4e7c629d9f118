package import Kernel

extension Limits {
    /// The minimum time between the first and the last position of a stay, in seconds.
    package static let stayMinimumSeconds: Double = 5 * 60
    /// The distance from a stay's mean position, in metres, within which positions belong to it. Their accuracy is
    /// added.
    package static let stayRadiusMetres: Double = 60
    /// Positions with a larger accuracy radius than this, in metres, don't count for stays and trips.
    package static let episodeAccuracyMetres: Double = 200
    /// Positions that follow another one within fewer seconds don't count for stays and trips.
    package static let episodeIntervalSeconds: Double = 10
    /// Seconds for which positions must be outside a stay before it ends.
    package static let departureSeconds: Double = 2 * 60
    /// The longest time in seconds, and the largest distance in metres, of an apparent trip that is only a receiver's
    /// error.
    package static let wanderingSeconds: Double = 10 * 60
    package static let wanderingMetres: Double = 200
    /// A silence up to this many seconds is no gap.
    package static let gapMinimumSeconds: Double = 20 * 60
    /// A longer silence than this many seconds is a gap, however rarely the item reports.
    package static let gapMaximumSeconds: Double = 2 * 60 * 60
    /// A silence between these limits is a gap if it is longer than this many usual intervals.
    package static let gapIntervals: Double = 3
    /// The longest time in seconds for a jump away and back.
    package static let jumpSeconds: Double = 5 * 60
    /// A jump leads back to within this share of its length.
    package static let jumpShare: Double = 0.3
    /// Metres between two positions of a trip's path. If their accuracy radius is larger, it counts.
    package static let tripStepMetres: Double = 20
    /// Points of one trip's path.
    package static let tripPoints = 400
    /// The shortest time without positions, in seconds, that a day shows as a gap.
    package static let shownGapSeconds: Double = 60
    /// Metres from a safe place's centre within which positions are described by it.
    package static let nearbyPlaceMetres: Double = 5_000
    /// Requests for addresses that wait.
    static let waitingAddresses = 2_000
    /// Addresses requested for one page.
    static let addressesPerPage = 20
    /// Seconds for which an address is kept.
    static let addressSeconds: Int64 = 180 * 24 * 60 * 60
    /// Characters of an address.
    static let addressCharacters = 200
    /// Episodes of which a list of days consists: more than 100 on each day of a year.
    static let summarizedEpisodes = 50_000
    /// Stays of an item that one request for those at a place searches.
    static let searchedStays = 20_000
    /// Positions read at once while episodes are computed.
    static let episodePage = 2_000
    /// Items whose episodes are updated in one run, and days of one item; the next run continues.
    static let episodeItemsPerRun = 500
    static let episodeDaysPerRun = 60
    /// Episodes read at once for an export.
    static let episodesPerExportPart = 200
}
