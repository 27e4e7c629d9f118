import Foundation
package import Kernel

/// The area of a safe place: a circle, or a polygon within it.
struct SafeArea: Sendable, Equatable {
    /// The centre of the circle, which encloses a polygon.
    let centre: Coordinate
    let radiusMetres: Int
    /// The corners of a polygon; empty for a circle.
    let outline: [Coordinate]
    private let corners: [Point]

    init(centre: Coordinate, radiusMetres: Int, outline: [Coordinate] = []) {
        self.centre = centre
        self.radiusMetres = radiusMetres
        self.outline = outline
        corners = outline.map { Point($0, around: centre) }
    }

    /// The distance in metres to the border, negative inside.
    func borderDistanceMetres(to place: Coordinate) -> Double {
        let distance = centre.distanceMetres(to: place) - Double(radiusMetres)
        // Far from the circle, the polygon's border is at least that far.
        if corners.isEmpty || distance > Double(radiusMetres) { return distance }
        return Self.borderDistance(Point(place, around: centre), to: corners)
    }

    /// The distance in metres to the farthest point of the area.
    func farthestMetres(from place: Coordinate) -> Double {
        guard !outline.isEmpty else { return centre.distanceMetres(to: place) + Double(radiusMetres) }
        return outline.map { $0.distanceMetres(to: place) }.max() ?? 0
    }

    /// The border belongs to the area.
    func contains(_ place: Coordinate) -> Bool {
        !Separation.isFarther(borderDistanceMetres(to: place), thanMetres: 0)
    }

    /// Whether a position with this accuracy may be inside the area.
    func mayContain(_ place: Coordinate, within accuracyMetres: Double) -> Bool {
        !Separation.isFarther(borderDistanceMetres(to: place) - accuracyMetres, thanMetres: 0)
    }

    /// The area of a polygon in square metres.
    static func squareMetres(of outline: [Coordinate], around centre: Coordinate) -> Double {
        let corners = outline.map { Point($0, around: centre) }
        let sides = zip(corners, corners.dropFirst() + corners.prefix(1))
        return abs(sides.reduce(0) { $0 + $1.0.east * $1.1.north - $1.1.east * $1.0.north }) / 2
    }

    private static func borderDistance(_ point: Point, to corners: [Point]) -> Double {
        var least = Double.infinity
        var isInside = false
        for (from, to) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            least = min(least, point.distance(from, to))
            guard (from.north > point.north) != (to.north > point.north) else { continue }
            let east = from.east + (point.north - from.north) / (to.north - from.north) * (to.east - from.east)
            if point.east < east { isInside.toggle() }
        }
        return isInside ? -least : least
    }

    /// Metres east and north of the centre, on a plane: exact enough for an area of some kilometres.
    private struct Point: Sendable, Equatable {
        let east: Double
        let north: Double

        init(east: Double, north: Double) {
            self.east = east
            self.north = north
        }

        init(_ place: Coordinate, around centre: Coordinate) {
            let metres = Coordinate.earthRadiusMetres * Double.pi / 180
            let degreesEast = (place.longitude - centre.longitude).remainder(dividingBy: 360)
            north = (place.latitude - centre.latitude) * metres
            east = degreesEast * metres * cos(centre.latitude * Double.pi / 180)
        }

        /// The distance to a side.
        func distance(_ from: Point, _ to: Point) -> Double {
            let (sideEast, sideNorth) = (to.east - from.east, to.north - from.north)
            let square = sideEast * sideEast + sideNorth * sideNorth
            let along = (east - from.east) * sideEast + (north - from.north) * sideNorth
            let share = square > 0 ? min(1, max(0, along / square)) : 0
            return hypot(east - from.east - share * sideEast, north - from.north - share * sideNorth)
        }
    }
}

/// The outline of a polygon: its corners in order, without repeating the first.
package enum PlaceOutline {
    /// Reads corners such as `50.77,6.08`, separated by line breaks or semicolons.
    /// - Throws: The message for the field.
    static func read(_ texts: [String]) throws(TrackingErrorMessage) -> [Coordinate] {
        var corners: [Coordinate] = []
        for text in texts.flatMap({ $0.split(whereSeparator: { $0.isNewline || $0 == ";" }) }) {
            let line = text.trimmingCharacters(in: .whitespaces)
            if line.isEmpty { continue }
            let numbers = line.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map { Double($0) }
            guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
                let corner = Coordinate(latitude: latitude, longitude: longitude)
            else { throw .outlineUnreadable }
            corners.append(corner)
            guard corners.count <= Limits.outlineCorners.upperBound else { throw .outlineSize }
        }
        return corners
    }

    /// Returns the text of a corner: `50.77,6.08`.
    package static func text(_ corner: Coordinate) -> String { corner.plainText }

    /// Checks a polygon and returns the smallest circle around the middle of its extent.
    /// - Throws: The message for the field.
    static func circle(around corners: [Coordinate]) throws(TrackingErrorMessage) -> (Coordinate, radiusMetres: Int) {
        guard Limits.outlineCorners.contains(corners.count), Set(corners).count == corners.count else {
            throw .outlineSize
        }
        let first = corners[0]
        let east = corners.map { ($0.longitude - first.longitude).remainder(dividingBy: 360) }
        let north = corners.map(\.latitude)
        guard let west = east.min(), let most = east.max(), let south = north.min(), let top = north.max() else {
            throw .outlineSize
        }
        let longitude = (first.longitude + (west + most) / 2).remainder(dividingBy: 360)
        guard let centre = Coordinate(latitude: (south + top) / 2, longitude: longitude) else {
            throw .outlineUnreadable
        }
        let radius = Int((corners.map { centre.distanceMetres(to: $0) }.max() ?? 0).rounded(.up))
        guard Limits.safePlaceRadiusMetres.contains(radius) else { throw .outlineExtent }
        let points = zip(east, north).map { (east: $0, north: $1) }
        let sides = points.indices.map { (points[$0], points[($0 + 1) % points.count]) }
        for (index, side) in sides.enumerated() {
            for other in sides.indices where other > index + 1 && !(index == 0 && other == sides.count - 1) {
                if crosses(side, sides[other]) { throw .outlineCrosses }
            }
        }
        guard
            SafeArea.squareMetres(of: corners, around: centre)
                >= Double(radius) * Limits.outlineSquareMetresPerMetre
        else { throw .outlineFlat }
        return (centre, radius)
    }

    private typealias Point = (east: Double, north: Double)

    private static func crosses(_ one: (Point, Point), _ other: (Point, Point)) -> Bool {
        func turn(_ a: Point, _ b: Point, _ c: Point) -> Double {
            (b.east - a.east) * (c.north - a.north) - (b.north - a.north) * (c.east - a.east)
        }
        let (first, second) = (turn(one.0, one.1, other.0), turn(one.0, one.1, other.1))
        let (third, fourth) = (turn(other.0, other.1, one.0), turn(other.0, other.1, one.1))
        return (first > 0) != (second > 0) && (third > 0) != (fourth > 0)
    }
}
