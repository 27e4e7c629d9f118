import Tracking

/// What new items start with, as clients read it.
struct ItemDefaultsJSON: Encodable {
    let settings: ItemSettingsJSON
    let version: Int64

    init(_ defaults: ItemDefaults) {
        settings = ItemSettingsJSON(defaults.settings)
        version = defaults.version
    }
}
