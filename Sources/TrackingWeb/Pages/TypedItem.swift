import Kernel
import Tracking
import WebCore

/// What an item's form holds, as text.
struct ItemValues: Sendable, Equatable {
    var name = ""
    var pictureId = ""
    var locateMinutes = ""
    var lostMetres = ""
    var alertMetres = ""
    var walkMetres = ""
    var keepDays = ""

    /// Each value by its field.
    static var fields: [(name: String, path: WritableKeyPath<ItemValues, String>)] {
        [
            ("name", \.name), ("pictureId", \.pictureId), ("settings.locateMinutes", \.locateMinutes),
            ("settings.lostMetres", \.lostMetres), ("settings.alertMetres", \.alertMetres),
            ("settings.walkMetres", \.walkMetres), ("settings.keepDays", \.keepDays),
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
            walkMetres: String(settings.walkMetres), keepDays: settings.keepDays.map(String.init) ?? ""
        )
    }

    init(_ fields: Fields, below prefix: String = "") {
        self.init()
        for (name, path) in Self.fields { self[keyPath: path] = fields.typed(prefix + name) }
    }
}

/// What was typed about an item, to be shown again when it can't be taken.
struct TypedItem: Sendable {
    var values = ItemValues()
    /// What was stored when the form was made; `nil` where the form doesn't say.
    var base: ItemValues?
    /// The version that the form was made from.
    var version = ""
    /// A photo came with the form itself. It is kept with the change only.
    var hasUpload = false
    /// What somebody else changed since the form was made: the field, and what it holds now.
    private(set) var changes: [String: String] = [:]

    init() {}

    init(_ item: Item) {
        values = ItemValues(item)
        base = values
        version = String(item.version)
    }

    /// What new items start with.
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

    /// After somebody else was faster: notes what they changed. Where nothing was typed theirs is taken over, so that
    /// saving again changes no more than was meant; and that is checked against the present version again.
    mutating func rebase(on item: Item) { rebase(on: ItemValues(item), version: item.version) }

    /// The same for what new items start with.
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
