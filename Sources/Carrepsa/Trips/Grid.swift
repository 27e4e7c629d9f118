import Foundation
import Kernel

/// A grid over the Earth: bands of latitude, divided into cells that are about as wide as high.
struct Grid: Hashable, Sendable {
    /// Cells of about 22 kilometres.
    static let fine = Grid(level: 0)
    /// Cells of about 178 kilometres.
    static let coarse = Grid(level: 3)
    /// All grids, each with cells twice as wide as those of the one before.
    static let all = (0...7).map(Grid.init)
    /// More than the number of any cell of a grid.
    static let numberLimit: Int64 = 1 << 21

    private static let finestBandDegrees = 0.2
    /// More than the cells of the finest band at the equator.
    private static let columnLimit: Int64 = 2_048

    let level: Int

    private var bandDegrees: Double { Self.finestBandDegrees * Double(1 << level) }
    private var bandCount: Int { Int((180 / bandDegrees).rounded(.up)) }

    private func latitude(ofBand band: Int) -> Double { min(90, (Double(band) + 0.5) * bandDegrees - 90) }

    private func band(at latitude: Double) -> Int {
        min(bandCount - 1, max(0, Int(((latitude + 90) / bandDegrees).rounded(.down))))
    }

    private func columnCount(of band: Int) -> Int {
        max(1, Int((360 / bandDegrees * cos(latitude(ofBand: band) * .pi / 180)).rounded(.up)))
    }

    private func number(_ band: Int, _ column: Int) -> Int64 { Int64(band) * Self.columnLimit + Int64(column) }

    /// Returns the number of the cell that contains a point, 0 to below ``numberLimit``.
    func number(at point: Coordinate) -> Int64 {
        let band = band(at: point.latitude)
        let count = columnCount(of: band)
        let column = Int(((point.longitude + 180) / 360 * Double(count)).rounded(.down))
        return number(band, min(count - 1, max(0, column)))
    }

    /// Returns the numbers of the cell of a point and of those around it.
    func neighbours(of point: Coordinate) -> Set<Int64> {
        let wide = bandDegrees / max(cos(point.latitude * .pi / 180), 0.02)
        let around = [-bandDegrees, 0, bandDegrees].flatMap { north in
            [-wide, 0, wide].compactMap { east in
                Coordinate(latitude: point.latitude + north, longitude: point.longitude + east)
            }
        }
        return Set(around.map { number(at: $0) })
    }

    /// Returns the cells that may contain a point of the area, and perhaps some more; `nil` for more than `limit`, or
    /// if more than ``Limits/gridCellsExamined`` cells are near the area.
    func cells(of area: DetourArea, limit: Int) -> [GridCell]? {
        let reach = (area.limitMetres + area.lengthMetres) / 2 / DetourArea.metresPerDegree
        let (start, end) = (area.start.latitude, area.end.latitude)
        let bands = band(at: max(start, end) - reach)...band(at: max(max(start, end) - reach, min(start, end) + reach))
        var cells: [GridCell] = []
        var examined = 0
        for band in bands {
            let count = columnCount(of: band)
            let radius = radiusMetres(ofBand: band)
            let columns = columns(of: area.start, reach: reach, count: count)
            examined += columns.count
            guard examined <= Limits.gridCellsExamined else { return nil }
            for column in columns {
                let longitude = (Double(column) + 0.5) * 360 / Double(count) - 180
                let middle = SpherePoint(latitude: latitude(ofBand: band), longitude: longitude)
                let cell = GridCell(
                    number: number(band, column), middle: middle, radiusMetres: radius,
                    startMetres: max(0, middle.distanceMetres(to: area.from) - radius),
                    endMetres: max(0, middle.distanceMetres(to: area.to) - radius))
                guard cell.startMetres + cell.endMetres <= area.limitMetres else { continue }
                guard cells.count < limit else { return nil }
                cells.append(cell)
            }
        }
        return cells
    }

    /// Returns the columns of a band that may have points within `reach` degrees of a point.
    private func columns(of point: Coordinate, reach: Double, count: Int) -> [Int] {
        guard reach + abs(point.latitude) < 89 else { return Array(0..<count) }
        let radians = Double.pi / 180
        let half = asin(min(1, sin(reach * radians) / cos(point.latitude * radians))) / radians
        let width = 360 / Double(count)
        let first = Int(((point.longitude - half + 180) / width).rounded(.down)) - 1
        let last = Int(((point.longitude + half + 180) / width).rounded(.down)) + 1
        guard last - first + 1 < count else { return Array(0..<count) }
        return (first...last).map { ($0 % count + count) % count }
    }

    /// The distance from the middle of a cell to its farthest point, for all cells of a band.
    private func radiusMetres(ofBand band: Int) -> Double {
        let latitude = latitude(ofBand: band)
        let middle = SpherePoint(latitude: latitude, longitude: 0)
        let halfWidth = 180 / Double(columnCount(of: band))
        // A metre for the rounding of numbers.
        return 1
            + ([-bandDegrees, 0, bandDegrees].map {
                let side = min(90, max(-90, latitude + $0 / 2))
                return SpherePoint(latitude: side, longitude: halfWidth).distanceMetres(to: middle)
            }.max() ?? 0)
    }
}

/// A cell of a grid in the area of a detour.
struct GridCell: Sendable {
    let number: Int64
    let middle: SpherePoint
    /// The distance in metres from the middle to the farthest point.
    let radiusMetres: Double
    /// The least distance in metres from the start of the trip to a point of the cell.
    let startMetres: Double
    /// The least distance in metres from a point of the cell to the end of the trip.
    let endMetres: Double
}

/// The points that a trip can visit without exceeding its detour.
struct DetourArea: Sendable {
    static let metresPerDegree = Coordinate.earthRadiusMetres * .pi / 180

    let start: Coordinate
    let end: Coordinate
    let from: SpherePoint
    let to: SpherePoint
    let lengthMetres: Double
    /// The length of the trip with its detour.
    let limitMetres: Double

    init(from start: Coordinate, to end: Coordinate, detourMetres: Int64) {
        self.start = start
        self.end = end
        from = SpherePoint(start)
        to = SpherePoint(end)
        lengthMetres = start.distanceMetres(to: end)
        // A metre for the rounding of numbers.
        limitMetres = lengthMetres + Double(detourMetres) + 1
    }

    init(_ trip: Trip) { self.init(from: trip.start, to: trip.end, detourMetres: trip.detourMetres) }

    /// A factor for differences of longitude: with them on a plane, a way in the area isn't longer than on the
    /// Earth. It is the cosine of a latitude that no such way exceeds, and 0 if one may cross the antimeridian or
    /// a pole.
    var eastFactor: Double {
        // No point of a way is farther from both ends of the trip.
        let reach = limitMetres / 2 / Self.metresPerDegree
        let north = max(abs(start.latitude), abs(end.latitude)) + reach
        guard north < 90 else { return 0 }
        let factor = cos(north * .pi / 180)
        let east = max(abs(start.longitude), abs(end.longitude)) + reach / factor
        return east < 180 ? factor : 0
    }

    /// Returns the pairs of cells that may have the origin and the destination of a package on the way, as in
    /// ``PackageRoute/cellPair(_:)``, the smallest detours first; `nil` for more than `limit`.
    func pairs(of cells: [GridCell], limit: Int) -> [CellPair]? {
        var pairs: [CellPair] = []
        for origin in cells {
            let rest = limitMetres - origin.startMetres
            for destination in cells where destination.endMetres <= rest {
                let between =
                    origin.middle.distanceMetres(to: destination.middle) - origin.radiusMetres
                    - destination.radiusMetres
                let metres = origin.startMetres + max(0, between) + destination.endMetres
                guard metres <= limitMetres else { continue }
                guard pairs.count < limit else { return nil }
                pairs.append(
                    CellPair(
                        number: origin.number * Grid.numberLimit + destination.number,
                        extraMetres: max(0, metres - lengthMetres)))
            }
        }
        return pairs.sorted { ($0.extraMetres, $0.number) < ($1.extraMetres, $1.number) }
    }
}

/// The cells of the ends of packages that may be on the way of a trip.
struct CellPair: Sendable {
    let number: Int64
    /// The least extra metres of a package from the one cell to the other.
    let extraMetres: Double
}

/// The pairs of cells that a search by detour reads, and the column that has them.
struct DetourPairs: Sendable {
    let column: StaticString
    /// The smallest detours first.
    let all: [CellPair]

    /// - Throws: `AppError.invalid` at `detour` for an area that needs more than ``Limits/tripCoarseCells`` or
    ///   ``Limits/tripPairs``.
    init(_ area: DetourArea) throws {
        if let cells = Grid.fine.cells(of: area, limit: Limits.tripFineCells),
            let pairs = area.pairs(of: cells, limit: Limits.tripPairs)
        {
            column = "cell_pair"
            all = pairs
            return
        }
        guard let cells = Grid.coarse.cells(of: area, limit: Limits.tripCoarseCells),
            let pairs = area.pairs(of: cells, limit: Limits.tripPairs)
        else { throw AppError(.invalid, .tripTooLong, field: "detour") }
        column = "coarse_cell_pair"
        all = pairs
    }
}

/// A point as a vector of length 1: a distance needs one root and one arcsine.
struct SpherePoint: Sendable {
    private let x: Double
    private let y: Double
    private let z: Double

    init(latitude: Double, longitude: Double) {
        let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
        x = cos(north) * cos(east)
        y = cos(north) * sin(east)
        z = sin(north)
    }

    init(_ point: Coordinate) { self.init(latitude: point.latitude, longitude: point.longitude) }

    /// Returns the great-circle distance in metres.
    func distanceMetres(to other: SpherePoint) -> Double {
        let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
        return 2 * Coordinate.earthRadiusMetres * asin(min(1, (dx * dx + dy * dy + dz * dz).squareRoot() / 2))
    }
}

extension PackageRoute {
    /// The number under which the search by detour finds the package: the cells of both areas; `nil` unless both are
    /// known.
    func cellPair(_ grid: Grid) -> Int64? {
        guard let from = origin.area, let to = destination.area else { return nil }
        return grid.number(at: from) * Grid.numberLimit + grid.number(at: to)
    }
}
