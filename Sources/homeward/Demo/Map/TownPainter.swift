import Foundation
import MapFiles

/// The place of the town in the pixels of a zoom level.
struct TownView: Sendable {
    /// Pixels of a tile's side: twice what Leaflet shows, for screens of double density.
    static let tilePixels = 512

    let zoom: Int
    /// The town's origin, in pixels of the zoom level.
    private let origin: Canvas.Point
    let pixelsPerMetre: Double

    /// The surroundings are shown from afar only.
    private static let radiusMetres = [
        11: DemoTown.countryMetres, 12: DemoTown.countryMetres, 13: DemoTown.countryMetres, 14: 5_000, 15: 2_600,
        16: 2_000,
    ]
    private static let globeMetres = 40_075_016.686

    init(zoom: Int, latitude: Double, longitude: Double) {
        self.zoom = zoom
        let side = Double(Self.tilePixels << zoom)
        let angle = latitude * .pi / 180
        origin = Canvas.Point(
            x: (longitude + 180) / 360 * side, y: (1 - asinh(tan(angle)) / .pi) / 2 * side)
        pixelsPerMetre = side / (Self.globeMetres * cos(angle))
    }

    func pixel(_ point: DemoTown.Point) -> Canvas.Point {
        Canvas.Point(x: origin.x + point.x * pixelsPerMetre, y: origin.y - point.y * pixelsPerMetre)
    }

    /// The tiles that show the town.
    var tiles: [TileCoordinate] {
        let radius = (Self.radiusMetres[zoom] ?? DemoTown.radiusMetres) * pixelsPerMetre
        let side = Double(Self.tilePixels)
        let columns = Int((origin.x - radius) / side)...Int((origin.x + radius) / side)
        let rows = Int((origin.y - radius) / side)...Int((origin.y + radius) / side)
        return rows.flatMap { y in columns.compactMap { TileCoordinate(zoom: zoom, x: $0, y: y) } }
    }
}

/// Draws the tiles of one zoom level.
struct TownPainter: @unchecked Sendable {
    private enum Colour {
        static let field: Int32 = 0xf0f1e2
        static let land: Int32 = 0xf2efe9
        static let block: Int32 = 0xebe7df
        static let green: Int32 = 0xcdebb8
        static let wood: Int32 = 0xb4d9a2
        static let tree: Int32 = 0xa3d094
        static let water: Int32 = 0xa8d1ea
        static let bank: Int32 = 0xd9edc9
        static let square: Int32 = 0xf3e4d3
        static let building: Int32 = 0xd8cfc4
        static let buildingEdge: Int32 = 0xc4b9ab
        static let publicBuilding: Int32 = 0xcbb6a3
        static let street: Int32 = 0xffffff
        static let streetEdge: Int32 = 0xd6d0c5
        static let avenue: Int32 = 0xfce7ab
        static let avenueEdge: Int32 = 0xe2bf74
        static let path: Int32 = 0xf6efdc
        static let railway: Int32 = 0x98948e
    }

    /// A shape in pixels, with its box.
    private struct Shape {
        let points: [Canvas.Point]
        let left, top, right, bottom: Double

        init(_ points: [Canvas.Point], margin: Double = 0) {
            self.points = points
            left = (points.map(\.x).min() ?? 0) - margin
            right = (points.map(\.x).max() ?? 0) + margin
            top = (points.map(\.y).min() ?? 0) - margin
            bottom = (points.map(\.y).max() ?? 0) + margin
        }

        func touches(_ x: Double, _ y: Double, _ side: Double) -> Bool {
            left < x + side && right > x && top < y + side && bottom > y
        }
    }

    private struct Layer {
        enum Paint {
            case area(Int32)
            case line(Int32, width: Double)
            case building(Int32, Int32)
            case disc(Int32, diameter: Double)
        }
        let paint: Paint
        let shapes: [Shape]
    }

    private let view: TownView
    private let labels: TownLabels
    private var layers: [Layer] = []

    init(_ town: DemoTown, _ view: TownView, font: StrokeFont) {
        self.view = view
        labels = TownLabels(town, view, font: font)
        let metre = view.pixelsPerMetre
        func areas(_ list: [[DemoTown.Point]], _ colour: Int32) {
            layers.append(Layer(paint: .area(colour), shapes: list.map { Shape($0.map(view.pixel)) }))
        }
        func lines(_ list: [[DemoTown.Point]], _ colour: Int32, width: Double) {
            // In pieces, so that a tile draws only those that it shows.
            let shapes = list.flatMap { line -> [Shape] in
                stride(from: 0, to: line.count - 1, by: 6).map { start in
                    Shape(line[start...min(start + 6, line.count - 1)].map(view.pixel), margin: width)
                }
            }
            layers.append(Layer(paint: .line(colour, width: width), shapes: shapes))
        }
        areas([town.edge], Colour.land)
        areas(town.woods, Colour.wood)
        if view.zoom >= 14 { areas(town.blocks, Colour.block) }
        areas(town.greens, Colour.green)
        areas(town.squares, Colour.square)
        areas([town.banks], Colour.bank)
        let streets = town.streets.filter { !$0.isAvenue }.map(\.line)
        let avenues = town.streets.filter(\.isAvenue).map(\.line)
        let (narrow, wide) = (max(view.zoom >= 15 ? 4 : 2, 9 * metre), max(6, 15 * metre))
        if view.zoom >= 14 {
            lines(streets, Colour.streetEdge, width: narrow + 3)
            lines(streets, Colour.street, width: narrow)
        }
        areas([town.park], Colour.green)
        if view.zoom >= 15 { lines(town.paths, Colour.path, width: max(2, 3.5 * metre)) }
        areas(town.ponds + [town.river], Colour.water)
        lines([town.railway], Colour.railway, width: max(3, 4 * metre))
        lines(avenues, Colour.avenueEdge, width: wide + 3)
        lines(avenues, Colour.avenue, width: wide)
        if view.zoom >= 15 {
            let paints: [(Bool, Int32)] = [(false, Colour.building), (true, Colour.publicBuilding)]
            for (isPublic, colour) in paints {
                layers.append(
                    Layer(
                        paint: .building(colour, Colour.buildingEdge),
                        shapes: town.buildings.filter { $0.isPublic == isPublic }.map {
                            Shape($0.corners.map(view.pixel))
                        }
                    ))
            }
            let diameter = 8 * metre
            layers.append(
                Layer(
                    paint: .disc(Colour.tree, diameter: diameter),
                    shapes: town.trees.map { Shape([view.pixel($0)], margin: diameter) }))
        }
    }

    /// Returns a tile as a PNG file; empty without memory.
    func tile(x: Int, y: Int) -> [UInt8] {
        let side = TownView.tilePixels
        guard let canvas = Canvas(width: side, height: side, colour: Colour.field) else { return [] }
        let (left, top) = (Double(x * side), Double(y * side))
        for layer in layers {
            for shape in layer.shapes where shape.touches(left, top, Double(side)) {
                let points = shape.points.map { Canvas.Point(x: $0.x - left, y: $0.y - top) }
                switch layer.paint {
                case .area(let colour): canvas.fill(points, colour)
                case .line(let colour, let width): canvas.line(points, width: width, colour)
                case .disc(let colour, let diameter): canvas.disc(points[0], diameter: diameter, colour)
                case .building(let colour, let edge):
                    canvas.fill(points, colour, isSmooth: false)
                    canvas.outline(points, edge)
                }
            }
        }
        labels.draw(on: canvas, left: x * side, top: y * side)
        return canvas.png()
    }
}
