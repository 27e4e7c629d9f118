package import Kernel

extension Limits {
    /// The radius in metres of the circle that everyone sees instead of an exact point.
    package static let placeAreaMetres = 1_200
    /// Metres between an exact point's square and the centre of its circle, at most. With half the diagonal of the
    /// square, it is so much less than ``placeAreaMetres`` that a point can move by 150 metres within its circle.
    static let placeAreaOffsetMetres = 900.0
    /// The edge in metres of the squares that determine a new circle.
    static let placeSquareMetres = 200.0
    /// Circles of one person's places.
    static let placeAreasPerAccount = 1_000
    /// Changes of offers by one person in ``offerEditSeconds``: each can set other points.
    package static let offerEdits = 60
    package static let offerEditSeconds: Int64 = 60 * 60
    /// Packages of deleted accounts whose points one run erases.
    static let pointsErasedPerRun = 100
    /// Searches for places by one person in ``placeSearchSeconds``.
    package static let placeSearches = 30
    package static let placeSearchSeconds: Int64 = 10 * 60
    /// Results of searches for places in memory.
    static let placeSearchesKept = 500
    /// The latest packages of a person among which the last place is looked for.
    static let placePackagesRead = 50
    /// Characters of the opening times at one end of a package's way.
    package static let openingTimesCharacters = 100
}
