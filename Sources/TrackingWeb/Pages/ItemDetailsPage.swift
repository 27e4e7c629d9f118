import Accounts
import Kernel
import Pictures
import Tracking
import TrackerProtocol
import WebCore

/// The page of one item: its position, its history and its actions.
struct ItemDetailsPage: Sendable {
    /// The number of positions that the map and the list show at first.
    static let positionsAtFirst = 10

    let shell: Shell
    /// The attribution of addresses; `nil` without one.
    let addressCredit: String?
    let itemID: String
    let listURL: String
    let reloadURL: String
    let largePhotoURL: String?
    /// *Near*, *Apart*, *Lost*, *No news* or *Reported lost*; `nil` for no badge.
    let presenceWord: String?
    let presenceClass: String
    /// The offer to choose an alert mode.
    let alertOffer: AlertOfferView?
    /// Whether the offer comes before all other sections. After an alert, the item's position comes first.
    let asksFirst: Bool
    /// The offer of push notifications on this device.
    let pushOffer: PushOfferView?
    let distanceText: String
    /// Says from which phone the distance is measured; `nil` for an unknown distance.
    let distanceFrom: String?
    /// Replaces the distance when it is unknown but the tracker is connected over Bluetooth.
    let nearText: String?
    /// The explanation that no phone of the account has a known position; `nil` when one has.
    let phoneUnknownText: String?
    /// Whether the tracker is known to be off.
    let isOff: Bool
    /// Since when; `nil` when the time is unknown.
    let offMoment: FormattedTime?
    /// The result of the latest *ring*; `nil` when it is no longer current.
    let ringText: String?
    let ringMoment: FormattedTime?
    let lastMoment: FormattedTime?
    let lastAccuracy: String?
    /// Where the last position is in words; `nil` if only its degrees are known.
    let placeWords: String?
    /// The last coordinates, for browsers that can't show the map.
    let lastPlace: String?
    let tooFarMoment: FormattedTime?
    /// The URL that adds the last position as a safe place; `nil` without a position.
    let markSafeURL: String?
    let lowBattery: String?
    let silence: String?
    let map: ItemMap
    let way: NavigationButton
    /// `nil` for people who may not locate the item.
    let location: LocateButton?
    /// `nil` for people who don't manage the item.
    let parking: ParkingSwitch?
    let geofencesURL: String
    /// The newest alerts about the item.
    let alertRows: [ItemAlertRow]
    let trackerFacts: TrackerFacts?
    /// Whether pairing comes before all other sections, because there is no data yet.
    let pairsFirst: Bool
    let trackerURL: String
    /// Connects to a nearby Homeward tracker; `nil` without one.
    let bluetooth: BluetoothPanel?
    let positions: [PositionRow]
    let hasPositions: Bool
    let olderURL: String?
    let historyURL: String
    let daysURL: String
    let exports: [ExportLink]
    let peopleURL: String
    /// Whose item it is, or with whom it can be shared.
    let peopleNote: String
    /// Whether the reader is the owner, who pairs and removes trackers.
    let isOwner: Bool
    /// Lost mode, the label and finders' messages; `nil` for people who don't manage the item.
    let lost: ItemLostPart?
    /// Shares the position by a link; `nil` for people who don't manage the item.
    let liveLinkURL: String?
    /// The open links to its position, of everyone who manages it.
    let openLinks: [OpenLiveLinkRow]
    let hasOpenLinks: Bool

    init(
        _ context: SignedInContext, _ overview: ItemOverview, history: HistoryPart, ring: Command?,
        alertOffer: AlertOffer?, alerts: [ItemAlert], lost: ItemLostPart?, openLinks: [ItemLiveLink],
        pushKey: String?, t: Translator, formatter: TrackingFormatter
    ) {
        let item = overview.item
        let url = TrackingPath.item(item.id)
        shell = Shell(
            context, title: item.name, menu: .tracking(t), tab: "items", isRefreshable: true,
            back: ShellBack(url: TrackingPath.items, label: t("Items")),
            action: overview.access == .own
                ? ShellAction(label: t("Edit", context: "narrow button"), url: url + "/edit", keptAhead: .always)
                : ShellAction(label: t("People"), url: url + "/people", keptAhead: .always),
            pane: ShellPane(
                url: TrackingPath.items, label: t("Items"),
                action: PaneAction(url: TrackingPath.newItem, label: t("Add item"))
            )
        )
        addressCredit = AddressCredit.text([overview], t)
        itemID = item.id.description
        listURL = TrackingPath.items
        reloadURL = history.count == Self.positionsAtFirst ? url : "\(url)?shown=\(history.count)"
        largePhotoURL = item.pictureID.map { TrackingPath.picture($0, size: .medium) }
        let away = overview.distanceMetres.map(formatter.distance)
        presenceWord = overview.presenceWord(t)
        presenceClass = overview.presenceClass
        // Only the item that caused an alert asks whether the alert was false.
        let offer = alertOffer == .afterAlerts && overview.tooFarSince == nil ? nil : alertOffer
        asksFirst = offer == .firstChoice
        self.alertOffer = offer.map { AlertOfferView($0, destination: url, t: t) }
        self.pushOffer =
            alertOffer == .firstChoice
            ? nil : PushOfferView(overview, publicKey: pushKey, t: t)
        distanceText = Self.distance(overview, away: away, t)
        distanceFrom = overview.distanceFrom.map { $0.text(t) }
        nearText = away == nil ? t("Near, by Bluetooth") : nil
        phoneUnknownText =
            overview.unknownReason == .noPhonePosition
            ? t("Your position isn’t known, so the distance can’t be told.") : nil
        isOff = overview.tracker?.state == .off
        offMoment = isOff ? overview.tracker?.offSince.map { FormattedTime($0, formatter.times) } : nil
        ringText = ring.flatMap { $0.state.ringText(t) }
        ringMoment = ring.map { FormattedTime($0.createdAt, formatter.times) }
        lastMoment = overview.lastFix.map { FormattedTime($0.at, formatter.times) }
        lastAccuracy = overview.lastFix?.accuracyMetres.map(formatter.accuracy)
        placeWords = formatter.words(overview.place)
        lastPlace = overview.lastFix.map { formatter.place($0.coordinate) }
        tooFarMoment = overview.tooFarSince.map { FormattedTime($0, formatter.times) }
        markSafeURL = overview.lastFix.map { _ in TrackingPath.newSafePlace(at: item.id) }
        lowBattery = overview.batteryWarning(t, formatter)
        silence = overview.silentWarning(t, formatter)
        map = ItemMap(item, count: history.count, tiles: MapTilesView(context), t: t)
        way = NavigationButton(overview, mapsApp: context.account.mapsApp)
        location =
            overview.access < .locate
            ? nil
            : LocateButton(overview, key: shell.idempotencyKey, keyForRinging: context.newIdempotencyKey(), t: t)
        geofencesURL = TrackingPath.geofences(of: item.id)
        alertRows = alerts.map { ItemAlertRow($0, itemName: item.name, t: t, formatter: formatter) }
        parking =
            overview.access < .manage
            ? nil : ParkingSwitch(overview, key: context.newIdempotencyKey(), formatter: formatter)
        trackerFacts = overview.tracker.map { TrackerFacts($0, t: t, formatter: formatter) }
        pairsFirst = overview.access == .own && overview.tracker == nil && history.fixes.isEmpty
        trackerURL = url + "/tracker"
        bluetooth =
            overview.tracker == nil || overview.access < .own ? nil : BluetoothPanel(overview, t: t, page: url)
        positions = PositionRow.all(history.fixes, names: history.names, t: t, formatter: formatter)
        hasPositions = !history.fixes.isEmpty
        olderURL = history.hasMore ? history.longer.map { "\(url)?shown=\($0)" } : nil
        historyURL = url + "/fixes"
        daysURL = TrackingPath.days(item.id)
        exports = ExportLink.all(of: item)
        peopleURL = TrackingPath.people(of: item.id)
        peopleNote = Self.peopleNote(overview, t)
        isOwner = overview.access == .own
        liveLinkURL = overview.access < .manage ? nil : TrackingPath.newLiveLink(of: item.id)
        self.openLinks = openLinks.map {
            OpenLiveLinkRow($0, for: context.actor.person, isOwner: overview.access == .own, t: t, formatter: formatter)
        }
        hasOpenLinks = !openLinks.isEmpty
        self.lost = lost
    }

    private static func peopleNote(_ overview: ItemOverview, _ t: Translator) -> String {
        if let owner = overview.ownerName { return t("Shared by {name}", ["name": owner]) }
        return overview.isShared ? t("Shared with others") : t("Only you can see it.")
    }

    private static func distance(_ overview: ItemOverview, away: String?, _ t: Translator) -> String {
        if let away { return t("{distance} away", ["distance": away]) }
        return overview.lastFix == nil ? t("No position yet") : t("Distance unknown")
    }
}

/// The part of the history that the page shows.
struct HistoryPart: Sendable {
    let fixes: [Fix]
    /// Names the positions.
    let names: PlaceNames
    /// The requested number of positions.
    let count: Int
    let hasMore: Bool

    /// The next number to request; `nil` at the maximum.
    var longer: Int? {
        count < Limits.pageSizeMaximum ? min(count + 2 * ItemDetailsPage.positionsAtFirst, Limits.pageSizeMaximum) : nil
    }
}

/// The data of the map.
struct ItemMap: Sendable {
    let fixesURL: String
    let resource: String
    let tiles: MapTilesView
    let mapLabel: String

    init(_ item: Item, count: Int, tiles: MapTilesView, t: Translator) {
        resource = TrackingPath.item(item.id)
        fixesURL = resource + "/fixes?limit=\(count)"
        self.tiles = tiles
        mapLabel = t("Map of the latest positions of {name}", ["name": item.name])
    }
}

/// The *Navigate* button: opens the chosen app, or the choice of one.
struct NavigationButton: Sendable {
    let navigationURL: String
    let canNavigate: Bool
    /// Whether the app has not been chosen yet.
    let asksForApp: Bool

    init(_ overview: ItemOverview, mapsApp: MapsApp?) {
        navigationURL = TrackingPath.item(overview.item.id) + "/navigation"
        canNavigate = overview.lastFix != nil
        asksForApp = mapsApp == nil
    }
}

/// The *Locate now* button.
struct LocateButton: Sendable {
    let commandsURL: String
    let idempotencyKey: String
    let canLocate: Bool
    /// The reason why the button is disabled.
    let locateReason: String?
    /// `nil` for a tracker that can't ring.
    let ringKey: String?

    init(_ overview: ItemOverview, key: String, keyForRinging: String, t: Translator) {
        commandsURL = TrackingPath.item(overview.item.id) + "/commands"
        idempotencyKey = key
        canLocate = overview.tracker?.canLocate ?? false
        ringKey = overview.tracker?.kind == .homeward && canLocate ? keyForRinging : nil
        guard let tracker = overview.tracker else {
            locateReason = t("No tracker is paired.")
            return
        }
        let isOff = tracker.kind == .homeward && tracker.wanted == .off
        locateReason =
            tracker.canLocate
            ? nil
            : isOff
                ? t("The tracker is turned off. Turn it on first.")
                : t("This tracker reports automatically and can’t be asked.")
    }
}

/// The known data of the tracker.
struct TrackerFacts: Sendable {
    let state: String
    let modeLabel: String
    let mode: String
    let batteryText: String?
    let seenMoment: FormattedTime?
    let note: String?
    let turnedOffMoment: FormattedTime?

    init(_ tracker: TrackerStatus, t: Translator, formatter: TrackingFormatter) {
        state = Self.state(tracker.state, t)
        modeLabel = tracker.kind == .homeward ? t("Link") : t("App")
        mode = tracker.kind == .homeward ? Self.mode(tracker.mode, t) : Self.kind(tracker.kind, t)
        batteryText = tracker.batteryPercent.map(formatter.percent)
        seenMoment = tracker.lastSeenAt.map { FormattedTime($0, formatter.times) }
        turnedOffMoment = tracker.offSince.map { FormattedTime($0, formatter.times) }
        if let unconfirmed = tracker.unconfirmedText(t) {
            note = unconfirmed
        } else if tracker.pending {
            note = tracker.wanted == .on ? t("Turning on… (pending)") : t("Turning off… (pending)")
        } else {
            note = nil
        }
    }

    private static func state(_ state: TrackerState, _ t: Translator) -> String {
        switch state {
        case .registering: t("Pairing…")
        case .bound: t("Paired, waiting for the first report")
        case .active: t("On", context: "tracker")
        case .off: t("Off", context: "tracker")
        case .releasing: t("Letting go…")
        }
    }

    private static func mode(_ mode: TrackerMode, _ t: Translator) -> String {
        switch mode {
        case .bluetooth: t("Bluetooth")
        case .cellular: t("Mobile network")
        }
    }

    private static func kind(_ kind: TrackerKind, _ t: Translator) -> String {
        kind == .owntracks ? t("OwnTracks") : t("Traccar Client or OsmAnd")
    }
}

/// One past position of a list.
struct PositionRow: Sendable {
    let fixID: String
    let moment: FormattedTime
    /// The precision of the time that the browser shows: `short`, or `seconds` for positions of the same minute.
    let clockStyle: String
    let clockText: String
    let place: String
    let accuracyText: String?
    let chargeText: String?
    /// Accuracy and battery level in one line.
    let figures: String
    let origin: String

    /// Returns a row for each position; rows of the same minute show seconds.
    static func all(
        _ fixes: [Fix], names: PlaceNames, t: Translator, formatter: TrackingFormatter
    ) -> [PositionRow] {
        let minutes = fixes.map { $0.at.millisecondsSince1970 / 60_000 }
        return fixes.indices.map { index in
            let isAsBefore = index > 0 && minutes[index - 1] == minutes[index]
            let isAsNext = index + 1 < fixes.count && minutes[index + 1] == minutes[index]
            let name = formatter.words(names.description(of: fixes[index].coordinate))
            return PositionRow(
                fixes[index], name: name, hasSeconds: isAsBefore || isAsNext, t: t, formatter: formatter)
        }
    }

    private init(_ fix: Fix, name: String?, hasSeconds: Bool, t: Translator, formatter: TrackingFormatter) {
        fixID = fix.id.description
        moment = FormattedTime(fix.at, formatter.times)
        clockStyle = hasSeconds ? "seconds" : "short"
        clockText = formatter.times.exact(fix.at, hasSeconds: hasSeconds)
        place = name ?? formatter.place(fix.coordinate)
        accuracyText = fix.accuracyMetres.map(formatter.accuracy)
        chargeText = fix.batteryPercent.map(formatter.percent)
        figures = [accuracyText, chargeText].compactMap(\.self).isolated(separator: " · ")
        switch fix.source {
        case .tracker: origin = t("Tracker")
        case .owntracks: origin = t("OwnTracks")
        case .osmand: origin = t("Traccar or OsmAnd")
        case .phone: origin = t("Phone")
        }
    }
}

/// A link that exports the history.
struct ExportLink: Sendable {
    let exportURL: String
    let exportLabel: String

    static func all(of item: Item) -> [ExportLink] {
        let names: [ExportFormat: String] = [.gpx: "GPX", .geojson: "GeoJSON", .csv: "CSV"]
        return ExportFormat.allCases.map { format in
            ExportLink(
                exportURL: TrackingPath.item(item.id) + "/fixes?format=\(format.rawValue)",
                exportLabel: names[format] ?? format.rawValue
            )
        }
    }
}
