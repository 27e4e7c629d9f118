import Kernel
import Tracking
import WebCore

/// The values of an item's form, as text.
struct ItemValues: Sendable, Equatable {
    var name = ""
    var pictureId = ""
    var locateMinutes = ""
    var lostMetres = ""
    var alertMetres = ""
    var walkMetres = ""
    var keepDays = ""
    var silentHours = ""

    /// The field name of each value.
    static var fields: [(name: String, path: WritableKeyPath<ItemValues, String>)] {
        [
            ("name", \.name), ("pictureId", \.pictureId), ("settings.locateMinutes", \.locateMinutes),
            ("settings.lostMetres", \.lostMetres), ("settings.alertMetres", \.alertMetres),
            ("settings.walkMetres", \.walkMetres), ("settings.keepDays", \.keepDays),
            ("settings.silentHours", \.silentHours),
        ]
    }
}

extension ItemValues {
    init(_ item: Item) {
        self.init(item.settings, name: item.name, pictureId: item.pictureID?.description ?? "")
    }

    init(_ settings: ItemSettings, name: String = "", pictureId: String = "") {
        self.init(
            name: name, pictureId: pictureId, locateMinutes: String(settings.locateMinutes),
            lostMetres: String(settings.lostMetres), alertMetres: String(settings.alertMetres),
            walkMetres: String(settings.walkMetres), keepDays: settings.keepDays.map(String.init) ?? "",
            silentHours: settings.silentHours.map(String.init) ?? ""
        )
    }

    init(_ fields: Fields, below prefix: String = "") {
        self.init()
        for (name, path) in Self.fields { self[keyPath: path] = fields.typed(prefix + name) }
    }
}

/// The submitted form of an item, shown again when it is rejected.
struct ItemFormState: Sendable {
    var values = ItemValues()
    /// The stored values at the time when the form was rendered; `nil` when the form doesn't contain them.
    var base: ItemValues?
    /// The version from which the form was rendered.
    var version = ""
    /// Whether the form itself contains a photo. The photo is stored only together with the change.
    var hasUpload = false
    /// The fields changed elsewhere since the form was rendered, and their current values.
    private(set) var changes: [String: String] = [:]

    init() {}

    init(_ item: Item) {
        values = ItemValues(item)
        base = values
        version = String(item.version)
    }

    /// Creates a form with the defaults of new items.
    init(_ defaults: ItemDefaults) {
        values = ItemValues(defaults.settings)
        base = values
        version = String(defaults.version)
    }

    init(_ fields: Fields) {
        values = ItemValues(fields)
        base = fields.contains("base") ? ItemValues(fields, below: "base.") : nil
        version = fields.typed("version")
        var sent = fields
        hasUpload = sent.file("picture").map { !$0.bytes.isEmpty } ?? false
    }

    /// Handles a change made elsewhere: records the changed fields. Replaces values that the user did not edit with the
    /// stored ones, so that submitting again changes only what the user edited. The version becomes the current one.
    mutating func rebase(on item: Item) { rebase(on: ItemValues(item), version: item.version) }

    /// Does the same for the defaults of new items.
    mutating func rebase(on defaults: ItemDefaults) {
        rebase(on: ItemValues(defaults.settings), version: defaults.version)
    }

    private mutating func rebase(on stored: ItemValues, version present: Int64) {
        for (name, path) in ItemValues.fields {
            let now = stored[keyPath: path]
            let before = base?[keyPath: path] ?? values[keyPath: path]
            guard now != before else { continue }
            changes[name] = now
            if base != nil, values[keyPath: path] == before { values[keyPath: path] = now }
        }
        base = stored
        version = String(present)
    }
}
