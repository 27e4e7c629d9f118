import Tracking

/// The defaults of new items as JSON.
struct ItemDefaultsJSON: Encodable {
    let settings: ItemSettingsJSON
    let version: Int64

    init(_ defaults: ItemDefaults) {
        settings = ItemSettingsJSON(defaults.settings)
        version = defaults.version
    }
}
