import Kernel
import Recurrence
import Tracking
import WebCore

/// A rule about a place as JSON: whole minutes, days by RFC 5545, times of the day such as `08:00`.
struct GeofenceJSON: Encodable {
    let id: ID<Geofence>
    let itemId: ID<Item>
    let placeId: ID<SafePlace>
    let kind: String
    let dwellMinutes: Int
    let days: [String]
    @Nullable var from: String?
    @Nullable var until: String?
    @Nullable var by: String?
    let timeZone: String
    let version: Int64

    init(_ geofence: Geofence) {
        let settings = geofence.settings
        id = geofence.id
        itemId = geofence.item
        placeId = geofence.place
        kind = settings.kind.rawValue
        dwellMinutes = settings.dwellMinutes
        days = settings.days.map(\.code)
        _from = Nullable(wrappedValue: settings.from?.text)
        _until = Nullable(wrappedValue: settings.until?.text)
        _by = Nullable(wrappedValue: settings.by?.text)
        timeZone = settings.timeZone.identifier
        version = geofence.version
    }
}
