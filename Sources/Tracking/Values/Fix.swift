package import Kernel

/// One measured position with time and accuracy.
package struct Fix: Sendable, Equatable {
    /// The same for equal device and time.
    package let id: ID<Fix>
    /// The time of the measurement.
    package let at: Instant
    package let coordinate: Coordinate
    /// The radius of uncertainty in metres; `nil` for unknown.
    package let accuracyMetres: Double?
    /// Metres above sea level.
    package let altitudeMetres: Double?
    /// Speed over ground in metres per second, not negative.
    package let speedMetresPerSecond: Double?
    /// Degrees clockwise from north, from 0 to below 360.
    package let headingDegrees: Double?
    /// Whole percent, 0 to 100.
    package let batteryPercent: Int?
    package let source: FixSource

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

/// The kind of device that sent a fix.
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

/// A phone's position from its browser, before validation.
package struct PhonePosition: Sendable {
    package let latitude: Double
    package let longitude: Double
    /// The radius of uncertainty in metres, not negative.
    package let accuracyMetres: Double?
    /// The time of the measurement; `nil` for now.
    package let at: Instant?

    package init(latitude: Double, longitude: Double, accuracyMetres: Double? = nil, at: Instant? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracyMetres = accuracyMetres
        self.at = at
    }
}

/// The file formats of exported histories.
package enum ExportFormat: String, Sendable, CaseIterable {
    /// GPX 1.1.
    case gpx
    /// GeoJSON, RFC 7946.
    case geojson
    /// Comma-separated values, RFC 4180.
    case csv

    /// The media type of the response.
    package var mediaType: String {
        switch self {
        case .gpx: "application/gpx+xml"
        case .geojson: "application/geo+json"
        case .csv: "text/csv; charset=utf-8"
        }
    }
}
