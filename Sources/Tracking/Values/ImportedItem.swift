import Accounts
import Kernel
import Pictures
import Storage

/// An item of an archive, checked by the rules of the form.
struct ImportedItem: Sendable {
    static let kind = "item"

    let id: ID<Item>
    let name: String
    let pictureID: ID<Picture>?
    let settings: ItemSettings
    let createdAt: Instant?

    /// - Throws: ``ImportArchive/refused``.
    init(_ object: ImportObject) throws {
        var problems = FieldErrors<TrackingErrorMessage>()
        id = try object.requiredID("id")
        let name = problems.name(object.text("name") ?? "")
        func change(_ name: MemberName) throws -> FieldChange<Int> {
            try object.integer(name).map { .set($0) } ?? .unchanged
        }
        let patch = SettingsPatch(
            locateMinutes: try change("locateMinutes"), lostMetres: try change("lostMetres"),
            alertMetres: try change("alertMetres"), walkMetres: try change("walkMetres"),
            keepDays: try change("keepDays"), silentHours: try change("silentHours"))
        settings = SettingsRule.apply(patch, to: .standard, defaults: .standard, problems: &problems)
        guard problems.fields.isEmpty, let name else { throw ImportArchive.refused }
        self.name = name
        pictureID = try object.id("pictureId")
        createdAt = try object.instant("createdAt")
    }

    /// Returns the person's own item for one of an archive: its copy, or the same item.
    static func copy(of source: ID<Item>, by person: PersonID, in tx: Transaction) throws -> ID<Item>? {
        let copy = try ImportRecords.copy(of: source, kind: kind, by: person, in: tx)
        for id in [copy, source].compactMap(\.self) where try ItemStore.item(id, of: person, in: tx)?.owner == person {
            return id
        }
        return nil
    }
}

/// A safe place of an archive, checked by the rules of the form.
struct ImportedPlace: Sendable {
    static let kind = "safe-place"

    let id: ID<SafePlace>
    let draft: SafePlaceDraft

    /// - Throws: ``ImportArchive/refused``.
    init(_ object: ImportObject) throws {
        id = try object.requiredID("id")
        var draft = SafePlaceDraft(
            name: object.text("name") ?? "", latitude: 0, longitude: 0,
            radiusMetres: try object.integer("radiusMetres") ?? 0)
        draft.latitude = try object.double("latitude")
        draft.longitude = try object.double("longitude")
        draft.outline = try object.texts("outline", atMost: Limits.outlineCorners.upperBound)
        do {
            draft.name = try draft.checked().name
        } catch {
            throw ImportArchive.refused
        }
        self.draft = draft
    }

    /// Returns the person's own safe place for one of an archive.
    static func copy(of source: ID<SafePlace>, by person: PersonID, in tx: Transaction) throws -> ID<SafePlace>? {
        let copy = try ImportRecords.copy(of: source, kind: kind, by: person, in: tx)
        for id in [copy, source].compactMap(\.self) where try SafePlaceStore.one(id, of: person, in: tx) != nil {
            return id
        }
        return nil
    }
}

extension ImportArchive {
    /// The items, in the order of the export.
    func importedItems() async throws -> [ImportedItem] {
        try await list("tracking/items.json", atMost: Limits.itemsPerAccount).map(ImportedItem.init)
    }

    func importedPlaces() async throws -> [ImportedPlace] {
        let path = "tracking/alerts.json"
        guard let alerts = try await object(path) else { return [] }
        let places = try alerts.list("safePlaces", atMost: Limits.safePlacesPerAccount)
        try Self.requireUnique("id", of: places, in: path)
        return try places.map(ImportedPlace.init)
    }
}
