import Accounts
import Foundation
import Kernel
import Storage

/// The circles that everyone sees instead of exact points.
///
/// A circle must tell no more when its owner posts again, or when the point moves a little. Therefore its centre is a
/// keyed function of the owner and of the point's square, and the first circle that covers a point is used for all
/// later points within it: circles of one place can't be averaged or intersected (docs/decisions/0075).
struct HiddenAreas: Sendable {
    static let purpose = "carrepsa place area"
    private static let metresPerDegree = Coordinate.earthRadiusMetres * .pi / 180
    /// Circles beyond this latitude would need several turns of longitude.
    private static let greatestLatitude = 89.0
    private static let decimals = 100_000.0

    let secrets: SecretBox

    /// Returns the route with the areas of its points, which are stored for later points of the same owner.
    /// - Throws: `AppError.invalid` at `fromLatitude` or `toLatitude` with ``Limits/placeAreasPerAccount`` circles.
    func placed(_ route: PackageRoute, of owner: PersonID, now: Instant, in tx: Transaction) throws -> PackageRoute {
        var route = route
        route.origin.area = try route.origin.point.map {
            try area(around: $0, of: owner, field: "fromLatitude", now: now, in: tx)
        }
        route.destination.area = try route.destination.point.map {
            try area(around: $0, of: owner, field: "toLatitude", now: now, in: tx)
        }
        return route
    }

    private func area(
        around point: Coordinate, of owner: PersonID, field: String, now: Instant, in tx: Transaction
    ) throws -> Coordinate {
        let radius = Double(Limits.placeAreaMetres)
        // The oldest one, so that a place doesn't change its circle when another circle of the owner overlaps it.
        let known = try HiddenAreaStore.areas(of: owner, within: radius / Self.metresPerDegree, of: point, in: tx)
            .first { $0.distanceMetres(to: point) <= radius }
        if let known { return known }
        // Deleting the oldest circle instead would let its place have a second one, which intersects the first.
        guard try HiddenAreaStore.count(of: owner, in: tx) < Limits.placeAreasPerAccount else {
            throw AppError(.invalid, .tooManyPlaces, field: field)
        }
        let centre = centre(for: point, of: owner)
        try HiddenAreaStore.insert(centre, of: owner, now: now, in: tx)
        return centre
    }

    /// Returns the centre of a new circle: uniformly distributed around the middle of the point's square.
    func centre(for point: Coordinate, of owner: PersonID) -> Coordinate {
        let square = PlaceSquare(point)
        let hash = secrets.mark(
            Array("\(owner) \(square.row) \(square.column)".utf8), purpose: Self.purpose)
        let angle = 2 * Double.pi * Self.fraction(hash[0..<8])
        let distance = Limits.placeAreaOffsetMetres * Self.fraction(hash[8..<16]).squareRoot()
        let latitude = square.middle.latitude + distance * sin(angle) / Self.metresPerDegree
        let narrowing = cos(min(abs(square.middle.latitude), Self.greatestLatitude) * .pi / 180)
        var longitude = square.middle.longitude + distance * cos(angle) / (Self.metresPerDegree * narrowing)
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return Coordinate(
            latitude: Self.rounded(min(90, max(-90, latitude))), longitude: Self.rounded(longitude)) ?? square.middle
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * decimals).rounded() / decimals }

    /// Returns a number from 0 to below 1 from eight bytes.
    private static func fraction(_ bytes: ArraySlice<UInt8>) -> Double {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(number >> 11) / Double(UInt64(1) << 53)
    }
}

/// The square of ``Limits/placeSquareMetres`` that contains a point.
private struct PlaceSquare {
    private static let edgeDegrees =
        Limits.placeSquareMetres / (Coordinate.earthRadiusMetres * .pi / 180)
    private static let leastNarrowing = 0.02

    let row: Int
    let column: Int
    let middle: Coordinate

    init(_ point: Coordinate) {
        let row = (point.latitude / Self.edgeDegrees).rounded(.down)
        let latitude = min(90, max(-90, (row + 0.5) * Self.edgeDegrees))
        let width = Self.edgeDegrees / max(Self.leastNarrowing, cos(latitude * .pi / 180))
        let column = (point.longitude / width).rounded(.down)
        let longitude = min(180, max(-180, (column + 0.5) * width))
        self.row = Int(row)
        self.column = Int(column)
        middle = Coordinate(latitude: latitude, longitude: longitude) ?? point
    }
}

/// The table `carrepsa_area`: the circles of a person's places.
enum HiddenAreaStore {
    /// Returns the centres near a point, the oldest first.
    static func areas(
        of owner: PersonID, within degrees: Double, of point: Coordinate, in tx: Transaction
    ) throws -> [Coordinate] {
        try tx.rows(
            """
            SELECT latitude, longitude FROM carrepsa_area
            WHERE account_id = \(owner) AND latitude BETWEEN \(point.latitude - degrees) AND \(point.latitude + degrees)
                \(sql: longitudes(within: degrees, of: point))
            ORDER BY created_at, latitude, longitude
            """
        ).compactMap { row in Coordinate(latitude: try row.get(at: 0), longitude: try row.get(at: 1)) }
    }

    /// Returns the condition for the longitudes of points within `degrees` of a point; empty near a pole.
    private static func longitudes(within degrees: Double, of point: Coordinate) -> SQL {
        let farthest = abs(point.latitude) + degrees
        guard farthest < greatestLatitude else { return SQL() }
        let width = degrees / cos(farthest * .pi / 180)
        let (west, east) = (point.longitude - width, point.longitude + width)
        if west < -180 { return "AND (longitude >= \(west + 360) OR longitude <= \(east))" }
        if east > 180 { return "AND (longitude >= \(west) OR longitude <= \(east - 360))" }
        return "AND longitude BETWEEN \(west) AND \(east)"
    }

    /// The latitude beyond which all longitudes are near each other.
    private static let greatestLatitude = 89.0

    static func count(of owner: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS n FROM carrepsa_area WHERE account_id = \(owner)")?.get("n") ?? 0
    }

    static func insert(_ centre: Coordinate, of owner: PersonID, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_area (account_id, latitude, longitude, created_at)
            VALUES (\(owner), \(centre.latitude), \(centre.longitude), \(now)) ON CONFLICT DO NOTHING
            """
        )
    }
}
