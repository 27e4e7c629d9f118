import Dispatch
import Foundation
import MapFiles
import Synchronization

/// Writes the demo's map: a PMTiles file with the tiles of an invented town.
struct DemoMapFile {
    static let attribution = "Generated map of an invented town, not a real place"
    static let metresPerDegree = 111_320.0
    private static let zooms = 11...17

    let latitude: Double
    let longitude: Double

    /// - Throws: an error of the file system.
    func write(to path: String) throws {
        let (town, font) = (DemoTown(), StrokeFont())
        var tiles: [PMTilesWriter.Tile] = []
        for zoom in Self.zooms {
            let view = TownView(zoom: zoom, latitude: latitude, longitude: longitude)
            let painter = TownPainter(town, view, font: font)
            let places = view.tiles
            let drawn = Mutex<[PMTilesWriter.Tile]>([])
            DispatchQueue.concurrentPerform(iterations: places.count) { index in
                let place = places[index]
                let tile = PMTilesWriter.Tile(place: place, bytes: painter.tile(x: place.x, y: place.y))
                drawn.withLock { $0.append(tile) }
            }
            tiles += drawn.withLock { $0 }
        }
        let north = DemoTown.countryMetres / Self.metresPerDegree
        let east = north / cos(latitude * .pi / 180)
        let file = PMTilesWriter(
            tiles: tiles, zooms: Self.zooms, west: longitude - east, south: latitude - north, east: longitude + east,
            north: latitude + north, attribution: Self.attribution)
        try Data(file.bytes()).write(to: URL(filePath: path))
    }
}
