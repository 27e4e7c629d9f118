import Kernel
import Tracking
import WebCore

/// A safe place as JSON: degrees and whole metres.
struct SafePlaceJSON: Encodable {
    let id: ID<SafePlace>
    let name: String
    let latitude: Double
    let longitude: Double
    let radiusMetres: Int
    /// The corners of a polygon: `50.77,6.08`; `nil` for a circle.
    @Nullable var outline: [String]?
    let version: Int64

    init(_ place: SafePlace) {
        id = place.id
        name = place.name
        latitude = place.centre.latitude
        longitude = place.centre.longitude
        radiusMetres = place.radiusMetres
        _outline = Nullable(wrappedValue: place.outline.isEmpty ? nil : place.outline.map(PlaceOutline.text))
        version = place.version
    }
}

/// The alert mode as JSON.
struct AlertsJSON: Encodable {
    let mode: String
    /// What would have come with each mode; only on request.
    let replays: [String: ReplayJSON]?

    init(_ mode: AlertMode, _ replays: [AlertMode: Replay]? = nil) {
        self.mode = mode.rawValue
        self.replays = replays.map { replays in
            Dictionary(uniqueKeysWithValues: replays.map { ($0.key.rawValue, ReplayJSON($0.value)) })
        }
    }
}
