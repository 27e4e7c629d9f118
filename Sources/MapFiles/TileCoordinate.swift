/// The place of a tile in the pyramid of Web Mercator: `y` counts from the north.
package struct TileCoordinate: Sendable, Hashable {
    package let zoom: Int
    package let x: Int
    package let y: Int

    /// Returns `nil` outside the pyramid.
    package init?(zoom: Int, x: Int, y: Int) {
        guard 0...TileID.zoomMaximum ~= zoom else { return nil }
        let side = 1 << zoom
        guard 0..<side ~= x, 0..<side ~= y else { return nil }
        self.zoom = zoom
        self.x = x
        self.y = y
    }
}

/// The number of a tile in a PMTiles file: the tiles of all lower zoom levels, then the position on the Hilbert curve.
package enum TileID {
    /// With this zoom level, all numbers fit into 64 bits.
    static let zoomMaximum = 26

    /// The first number of a zoom level.
    static func first(zoom: Int) -> UInt64 { ((UInt64(1) << (2 * UInt64(zoom))) - 1) / 3 }

    /// The number of a tile.
    package static func of(_ tile: TileCoordinate) -> UInt64 {
        var (x, y) = (UInt64(tile.x), UInt64(tile.y))
        var position: UInt64 = 0
        var half = tile.zoom == 0 ? 0 : UInt64(1) << UInt64(tile.zoom - 1)
        while half > 0 {
            let (right, lower) = (x & half > 0, y & half > 0)
            position += half * half * (right ? (lower ? 2 : 3) : (lower ? 1 : 0))
            if !lower {
                if right {
                    // The bits above `half` are no longer read, so a wrap changes nothing.
                    x = (half &- 1) &- (x & (half &- 1))
                    y = (half &- 1) &- (y & (half &- 1))
                }
                swap(&x, &y)
            }
            half >>= 1
        }
        return first(zoom: tile.zoom) + position
    }
}
