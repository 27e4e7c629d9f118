import Foundation
import Kernel

/// What a map file says about itself.
package struct MapFileMetadata: Sendable, Equatable {
    /// The area that a file covers, in degrees.
    package struct Bounds: Sendable, Equatable {
        package let west: Double
        package let south: Double
        package let east: Double
        package let north: Double

        /// Returns `nil` for an area without an inside, or one beyond the globe.
        package init?(west: Double, south: Double, east: Double, north: Double) {
            guard -180...180 ~= west, -180...180 ~= east, -90...90 ~= south, -90...90 ~= north, west < east,
                south < north
            else { return nil }
            self.west = west
            self.south = south
            self.east = east
            self.north = north
        }
    }

    package let minimumZoom: Int
    package let maximumZoom: Int
    /// `nil` if the file doesn't say it.
    package let bounds: Bounds?
    package let attribution: MapAttribution?

    /// - Throws: ``MapFileError`` for zoom levels that can't be.
    init(minimumZoom: Int, maximumZoom: Int, bounds: Bounds?, attribution: String?) throws(MapFileError) {
        guard 0...Limits.mapZoomMaximum ~= minimumZoom, minimumZoom...Limits.mapZoomMaximum ~= maximumZoom else {
            throw .damaged("its zoom levels are \(minimumZoom) to \(maximumZoom)")
        }
        self.minimumZoom = minimumZoom
        self.maximumZoom = maximumZoom
        self.bounds = bounds
        self.attribution = attribution.flatMap(MapAttribution.init(html:))
    }
}

/// The credit of a map's data, as text with at most one link. Files contain it as HTML, which isn't trusted.
package struct MapAttribution: Sendable, Equatable {
    package let text: String
    /// The first link with http or https and of limited length; `nil` for none.
    package let url: String?

    /// Returns `nil` if there is no text.
    package init?(html: String) {
        guard StreamSafeText.isValid(html.utf8) else { return nil }
        let source = String(html.prefix(Limits.mapMetadataBytes))
        var text = ""
        var url: String?
        var rest = Substring(source)
        while let start = rest.firstIndex(of: "<") {
            text += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ">") else {
                rest = rest[start...]
                break
            }
            if url == nil { url = Self.link(rest[start...end]) }
            rest = rest[rest.index(after: end)...]
        }
        text += rest
        let words = Self.decoded(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty else { return nil }
        self.text = String(words.prefix(Limits.mapAttributionCharacters))
        self.url = url
    }

    private static func link(_ tag: Substring) -> String? {
        let name = tag.utf8.prefix(3)
        guard name.elementsEqual("<a ".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        guard let match = tag.firstMatch(of: /href\s*=\s*["']?([^"'\s>]+)/.ignoresCase()) else { return nil }
        let address = decoded(String(match.1))
        guard address.count <= Limits.mapAttributionURLCharacters, let parsed = URL(string: address),
            ["http", "https"].contains(parsed.scheme), parsed.host() != nil
        else { return nil }
        return address
    }

    private static func decoded(_ text: String) -> String {
        let entities = [
            ("&copy;", "©"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "),
            ("&amp;", "&"),
        ]
        return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
