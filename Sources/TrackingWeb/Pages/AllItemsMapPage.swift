import Kernel
import Tracking
import WebCore

/// The map of all items, and the same content as a list.
struct AllItemsMapPage: Sendable {
    let shell: Shell
    /// The attribution of addresses; `nil` without one.
    let addressCredit: String?
    let reloadURL: String
    let itemsURL: String
    let tiles: MapTilesView
    /// The people who share their position. They aren't in the page itself, which browsers keep for offline use.
    let peopleURL: String
    let entries: [MapEntry]
    let hasEntries: Bool
    /// The items without a position; `nil` for none.
    let unplacedText: String?
    /// Says from which phone the distances are measured; `nil` without a distance.
    let distanceNote: String?

    init(
        _ context: SignedInContext, _ items: [ItemOverview], t: Translator, formatter: TrackingFormatter
    ) {
        shell = Shell(
            context, title: t("Map"), menu: .tracking(t), tab: "map", isLargeTitle: false)
        reloadURL = TrackingPath.map
        itemsURL = TrackingPath.items + "?limit=\(Limits.pageSizeMaximum)"
        tiles = MapTilesView(context)
        peopleURL = TrackingPath.persons
        entries = items.compactMap { MapEntry($0, t: t, formatter: formatter) }
        addressCredit = AddressCredit.text(items, t)
        hasEntries = !entries.isEmpty
        distanceNote = items.lazy.compactMap(\.distanceFrom).first?.note(t)
        let unplaced = items.filter { $0.lastFix == nil }.map(\.item.name)
        unplacedText =
            unplaced.isEmpty
            ? nil : t("Without a position: {names}", ["names": unplaced.isolated(separator: ", ")])
    }
}

/// One item of the list beside the map.
struct MapEntry: Sendable {
    let entryID: String
    let entryName: String
    let entryURL: String
    /// Where it is.
    let entryPlace: String
    /// `340 m away · ±6 m`.
    let entryNote: String
    let entryMoment: FormattedTime
    let entryPresence: String?
    let entryPresenceClass: String

    /// Returns `nil` for an item without a position.
    init?(_ overview: ItemOverview, t: Translator, formatter: TrackingFormatter) {
        guard let fix = overview.lastFix else { return nil }
        entryID = overview.item.id.description
        entryName = overview.item.name
        entryURL = TrackingPath.item(overview.item.id)
        entryPlace = overview.place.map(formatter.place) ?? formatter.place(fix.coordinate)
        let away = overview.distanceMetres.map { t("{distance} away", ["distance": formatter.distance($0)]) }
        entryNote = [away, fix.accuracyMetres.map(formatter.accuracy)].compactMap(\.self).isolated(separator: " · ")
        entryMoment = FormattedTime(fix.at, formatter.times)
        entryPresence = overview.presenceWord(t)
        entryPresenceClass = overview.presenceClass
    }
}
