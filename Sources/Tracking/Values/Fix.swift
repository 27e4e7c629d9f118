package import Kernel

/// One position report of a tracker.
package struct Fix: Sendable, Equatable {
    /// The same for the same device and time.
    package let id: ID<Fix>
    /// When the device was there.
    package let at: Instant
    /// Where it was.
    package let coordinate: Coordinate
    /// Radius of uncertainty in metres; `nil` where unknown.
    package let accuracyMetres: Double?
    /// Metres above sea level.
    package let altitudeMetres: Double?
    /// Speed over ground in metres per second, not negative.
    package let speedMetresPerSecond: Double?
    /// Degrees clockwise from north, 0 up to but not 360.
    package let headingDegrees: Double?
    /// Whole percent, 0 to 100.
    package let batteryPercent: Int?
    /// What kind of device sent it.
    package let source: FixSource

    /// Makes a fix from its parts.
    package init(
        id: ID<Fix>, at: Instant, coordinate: Coordinate, accuracyMetres: Double? = nil, altitudeMetres: Double? = nil,
        speedMetresPerSecond: Double? = nil, headingDegrees: Double? = nil, batteryPercent: Int? = nil,
        source: FixSource
    ) {
        self.id = id
        self.at = at
        self.coordinate = coordinate
        self.accuracyMetres = accuracyMetres
        self.altitudeMetres = altitudeMetres
        self.speedMetresPerSecond = speedMetresPerSecond
        self.headingDegrees = headingDegrees
        self.batteryPercent = batteryPercent
        self.source = source
    }
}

/// What kind of device sent a fix.
package enum FixSource: String, Sendable, CaseIterable {
    /// A Homeward tracker.
    case tracker
    /// The OwnTracks app.
    case owntracks
    /// OsmAnd or the Traccar Client app.
    case osmand
    /// A browser on a phone.
    case phone
}

/// Where a phone is, as its browser tells it.
package struct PhonePosition: Sendable {
    /// Degrees as sent; checked by the service.
    package let latitude: Double
    /// Degrees as sent; checked by the service.
    package let longitude: Double
    /// Radius of uncertainty in metres, not negative; checked by the service.
    package let accuracyMetres: Double?
    /// When the phone was there; now when it doesn't say.
    package let at: Instant?

    /// Makes a position.
    package init(latitude: Double, longitude: Double, accuracyMetres: Double? = nil, at: Instant? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracyMetres = accuracyMetres
        self.at = at
    }
}

/// The formats that a history can be taken along in.
package enum ExportFormat: String, Sendable, CaseIterable {
    /// GPX 1.1.
    case gpx
    /// GeoJSON, RFC 7946.
    case geojson
    /// Comma-separated values, RFC 4180.
    case csv

    /// The media type to answer with.
    package var mediaType: String {
        switch self {
        case .gpx: "application/gpx+xml"
        case .geojson: "application/geo+json"
        case .csv: "text/csv; charset=utf-8"
        }
    }
}
