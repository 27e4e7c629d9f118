import Accounts
import Kernel
import Tracking
import WebCore

/// The page that says why an alert was sent.
struct ItemAlertPage: Sendable {
    let shell: Shell
    let alertTitle: String
    let moment: FormattedTime
    /// The decision in sentences.
    let reasons: [String]
    let positions: [AlertPositionRow]
    let hasPositions: Bool
    /// The JSON for the map; `nil` without positions.
    let alertURL: String?
    let tiles: MapTilesView
    let itemURL: String
    let settingsURL: String
    let settingsLabel: String
    /// The attribution of addresses; `nil` without one.
    let addressCredit: String?

    init(
        _ context: SignedInContext, _ alert: ItemAlert, of item: Item, names: PlaceNames, t: Translator
    ) {
        let formatter = context.formatter(t)
        let places = alert.evidence.positions.map { $0.coordinate.map(names.description) }
        addressCredit = AddressCredit.text(places.compactMap(\.self), t)
        let text = AlertExplanation(alert, itemName: item.name, t: t, formatter: formatter)
        itemURL = TrackingPath.item(item.id)
        alertTitle = text.title
        moment = FormattedTime(alert.at, formatter.times)
        reasons = text.reasons
        positions = zip(alert.evidence.positions, places).map { position, place in
            AlertPositionRow(position, at: place, t: t, formatter: formatter)
        }
        hasPositions = !positions.isEmpty
        alertURL = hasPositions ? TrackingPath.alert(alert.id) : nil
        tiles = MapTilesView(context)
        switch alert.kind {
        case .arrived, .left, .notArrived:
            settingsURL = TrackingPath.geofences(of: item.id)
            settingsLabel = t("Arrive and leave")
        default:
            // Only the owner edits the item; others have their own distance on the page of its people.
            let isOwner = item.owner == context.actor.person
            settingsURL = isOwner ? itemURL + "/edit" : TrackingPath.people(of: item.id)
            settingsLabel = t("Settings of {name}", ["name": item.name])
        }
        shell = Shell(
            context, title: t("Why this alert?"), menu: .tracking(t), tab: "items", isLargeTitle: false, isNarrow: true,
            back: ShellBack(url: itemURL, label: item.name))
    }
}

/// One position that a rule compared.
struct AlertPositionRow: Sendable {
    /// `item`, `phone` or `parked`: the row has the same mark as the map.
    let positionRole: String
    let positionLabel: String
    let positionText: String
    let positionMoment: FormattedTime

    init(
        _ position: AlertEvidence.Position, at place: PlaceDescription?, t: Translator, formatter: TrackingFormatter
    ) {
        positionRole = position.role.rawValue
        switch position.role {
        case .item: positionLabel = t("The item")
        case .phone:
            positionLabel =
                position.device.map { t("Your device ({device})", ["device": DeviceName.text($0, t)]) }
                ?? t("Your phone")
        case .parked: positionLabel = t("Parked at")
        }
        let place = place.map(formatter.place)
        let accuracy = position.accuracyMetres.map(formatter.accuracy) ?? t("accuracy unknown")
        positionText = [place, accuracy].compactMap(\.self).isolated(separator: " · ")
        positionMoment = FormattedTime(position.at, formatter.times)
    }
}

/// A row of the alerts on an item's page.
struct ItemAlertRow: Sendable {
    let alertLabel: String
    let alertMoment: FormattedTime
    let alertRowURL: String

    init(_ alert: ItemAlert, itemName: String, t: Translator, formatter: TrackingFormatter) {
        alertLabel = AlertExplanation(alert, itemName: itemName, t: t, formatter: formatter).title
        alertMoment = FormattedTime(alert.at, formatter.times)
        alertRowURL = TrackingPath.alert(alert.id)
    }
}
