import Kernel
import Tracking
import WebCore

/// The page of the alert modes.
struct AlertsPage: Sendable {
    let shell: Shell
    let formAction: String
    let modes: [ModeChoice]
    /// Whether the person hasn't chosen a mode yet.
    let isUnanswered: Bool
    let placesURL: String
    let placesValue: String
    let replayAction: String
    /// What would have come with each mode; empty before the person asks.
    let modeReplays: [ReplayPart]

    /// - Parameters:
    ///   - mode: The chosen mode; `nil` before the first choice.
    ///   - replays: What would have come with each mode; empty when the person doesn't ask.
    init(
        _ context: SignedInContext, mode: AlertMode?, places: Int, replays: [AlertMode: Replay], t: Translator
    ) {
        replayAction = TrackingPath.alerts + "/replay"
        modeReplays = AlertMode.recommendedFirst.compactMap { mode in
            replays[mode].map {
                ReplayPart(
                    $0, heading: mode.label(t), saysWhatIsKept: mode == AlertMode.recommendedFirst.last, t: t,
                    formatter: context.formatter(t))
            }
        }
        shell = Shell(
            context, title: t("Alerts"), menu: .openedFrom(context), tab: "settings", isLargeTitle: false,
            isNarrow: true,
            back: ShellBack(url: TrackingPath.settings, label: t("Settings", context: "narrow button"))
        )
        formAction = TrackingPath.alerts + "?_method=patch"
        modes = AlertMode.recommendedFirst.map { ModeChoice($0, isCurrent: $0 == mode, t: t) }
        isUnanswered = mode == nil
        placesURL = TrackingPath.safePlaces
        placesValue = places == 0 ? t("None") : String(places)
    }
}

/// One alert mode of the page.
struct ModeChoice: Sendable {
    let value: String
    let label: String
    let hint: String
    let isCurrent: Bool
    /// The badge of the recommended mode.
    let recommendation: String?

    init(_ mode: AlertMode, isCurrent: Bool, t: Translator) {
        value = mode.rawValue
        label = mode.label(t)
        hint = mode.hint(t)
        recommendation = mode.isRecommended ? t("Recommended") : nil
        self.isCurrent = isCurrent
    }
}

struct SafePlaceListPage: Sendable {
    let shell: Shell
    let rows: [SafePlaceRow]
    let isEmpty: Bool
    let addURL: String
    let moreURL: String?

    init(
        _ context: SignedInContext, places: [SafePlace], next: String?, t: Translator, formatter: TrackingFormatter
    ) {
        shell = Shell(
            context, title: t("Safe places"), menu: .openedFrom(context), tab: "settings", isRefreshable: true,
            back: ShellBack(url: TrackingPath.alerts, label: t("Alerts")),
            action: ShellAction(label: t("Add a safe place"), icon: "plus", url: TrackingPath.newSafePlace)
        )
        rows = places.map { SafePlaceRow($0, t: t, formatter: formatter) }
        isEmpty = places.isEmpty
        addURL = TrackingPath.newSafePlace
        moreURL = next.map { TrackingPath.safePlaces + "?after=" + PercentEncoding.encoded($0) }
    }
}

/// One safe place of the list.
struct SafePlaceRow: Sendable {
    let placeName: String
    let placeNote: String
    let placeURL: String

    init(_ place: SafePlace, t: Translator, formatter: TrackingFormatter) {
        placeName = place.name
        placeNote =
            place.outline.isEmpty
            ? t(
                "{radius} around {place}",
                ["radius": formatter.distance(Double(place.radiusMetres)), "place": formatter.place(place.centre)])
            : t(
                "{n} corner around {place}", plural: "{n} corners around {place}", count: place.outline.count,
                ["place": formatter.place(place.centre)])
        placeURL = TrackingPath.safePlace(place.id)
    }
}

/// A link that copies a position into a new safe place.
struct SafePlaceOrigin: Sendable {
    let originName: String
    /// The form at this place, for browsers without scripts.
    let originURL: String
    let originLatitude: String
    let originLongitude: String

    init(_ name: String, at place: Coordinate, url: String) {
        originName = name
        originURL = url
        originLatitude = SafePlaceFormState.degrees(place.latitude)
        originLongitude = SafePlaceFormState.degrees(place.longitude)
    }

    /// Returns the links of the phone and of the items.
    static func all(in known: KnownPositions, _ t: Translator) -> [SafePlaceOrigin] {
        let phone = known.phone.map {
            SafePlaceOrigin(t("My phone"), at: $0, url: TrackingPath.newSafePlace + "?phone=1")
        }
        let items = known.items.map {
            SafePlaceOrigin($0.item.name, at: $0.coordinate, url: TrackingPath.newSafePlace(at: $0.item.id))
        }
        return [phone].compactMap(\.self) + items
    }
}

/// The page that adds or edits a safe place.
struct SafePlacePage: Sendable {
    /// Shown as an example of degrees.
    private static let examples = (latitude: "50.7753", longitude: "6.0839")
    private static let ownFields: Set<String> = ["name", "latitude", "longitude", "radiusMetres", "outline"]

    let shell: Shell
    let formAction: String
    let typedVersion: String
    let formError: String?
    let nameField: InputField
    let radiusField: InputField
    let degreeFields: [InputField]
    let outlineField: InputField
    /// Whether the place is a polygon, or its outline is invalid.
    let isOutlineOpen: Bool
    let origins: [SafePlaceOrigin]
    let hasOrigins: Bool
    /// The item whose new rule needs the place; `nil` for none.
    let ruleItem: String?
    /// The person about whom a new rule needs the place; `nil` for none.
    let rulePerson: String?
    let replayAction: String
    /// What would have come; `nil` before the person asks.
    let replay: ReplayPart?
    let tiles: MapTilesView
    /// `nil` for a new safe place.
    let deleteAction: String?

    init(
        _ context: SignedInContext, _ place: SafePlace?, typed: SafePlaceFormState, origins: [SafePlaceOrigin] = [],
        replay: Replay? = nil, error: AppError?, t: Translator
    ) {
        replayAction = TrackingPath.safePlaces + "/replay" + (place.map { "?place=\($0.id)" } ?? "")
        self.replay = replay.map { ReplayPart($0, t: t, formatter: context.formatter(t)) }
        shell = Shell(
            context, title: place == nil ? t("Add a safe place") : t("Safe place"), menu: .openedFrom(context),
            isLargeTitle: false,
            isNarrow: true, hasTabs: false,
            back: ShellBack(url: typed.returnURL, label: t("Cancel"), isCancel: true),
            action: ShellAction(label: t("Save"), formID: "place-form", isStrong: true)
        )
        let url = place.map { TrackingPath.safePlace($0.id) }
        formAction = url.map { $0 + "?_method=patch" } ?? TrackingPath.safePlaces
        deleteAction = url.map { $0 + "?_method=delete" }
        typedVersion = typed.version
        ruleItem = typed.ruleItem?.description
        rulePerson = typed.rulePerson?.description
        let faults = error?.translated(to: context.language).fields ?? [:]
        nameField = Self.field("name", t("Name"), typed.name, hint: .nameLength(t), faults["name"])
        radiusField = Self.field(
            "radiusMetres", t("Radius"), typed.radiusMetres,
            hint: t("{least} to {most} metres", Limits.safePlaceRadiusMetres.texts(t)), unit: t("m"),
            faults["radiusMetres"]
        )
        let hint = { t("Degrees, for example {example}", ["example": $0]) }
        degreeFields = [
            Self.field(
                "latitude", t("Latitude"), typed.latitude, hint: hint(Self.examples.latitude),
                faults["latitude"].map { _ in t("Choose a place on the map, or enter its degrees.") }
            ),
            Self.field(
                "longitude", t("Longitude"), typed.longitude, hint: hint(Self.examples.longitude),
                faults["longitude"].map { _ in t("Choose a place on the map, or enter its degrees.") }
            ),
        ]
        outlineField = Self.field(
            "outline", t("Corners"), typed.outline,
            hint: t(
                "{least} to {most} corners in order, one in each line: latitude, longitude. Empty for a circle.",
                Limits.outlineCorners.texts(t)), faults["outline"])
        isOutlineOpen = !typed.outline.isEmpty || faults["outline"] != nil
        self.origins = origins
        hasOrigins = !origins.isEmpty
        tiles = MapTilesView(context)
        formError = Self.message(error, t, context.language)
    }

    private static func message(_ error: AppError?, _ t: Translator, _ language: Language) -> String? {
        guard let error else { return nil }
        if error.isStaleVersion {
            return t("This was changed elsewhere. Your entries are still here. Save again to keep them.")
        }
        return error.fields.keys.contains(where: ownFields.contains) ? nil : error.translated(to: language).message
    }

    private static func field(
        _ name: String, _ label: String, _ value: String, hint: String, unit: String = "", _ message: String?
    ) -> InputField {
        InputField(
            id: name, inputName: name, label: label, value: value, hint: hint, unit: unit, isInvalid: message != nil,
            message: message ?? ""
        )
    }
}

/// The submitted form of a safe place.
struct SafePlaceFormState: Sendable {
    var name = ""
    var latitude = ""
    var longitude = ""
    var radiusMetres = String(SafePlace.standardRadiusMetres)
    /// The corners of a polygon, one in each line; empty for a circle.
    var outline = ""
    /// The version from which the form was rendered.
    var version = ""
    /// The item whose new rule needs the place; `nil` for none.
    var ruleItem: ID<Item>?
    /// The person about whom a new rule needs the place; `nil` for none.
    var rulePerson: PersonID?

    /// The page that the form was opened from.
    var returnURL: String {
        ruleItem.map { TrackingPath.geofences(of: $0) } ?? rulePerson.map(TrackingPath.person)
            ?? TrackingPath.safePlaces
    }

    /// Where the form leads after a place was added.
    func nextURL(with place: ID<SafePlace>) -> String {
        ruleItem.map { TrackingPath.newGeofence(of: $0, at: place) }
            ?? rulePerson.map { TrackingPath.newRule(about: $0, at: place) } ?? TrackingPath.safePlaces
    }

    init() {}

    /// Creates a new safe place at a position.
    init(at place: Coordinate, name: String = "") {
        self.name = name
        latitude = Self.degrees(place.latitude)
        longitude = Self.degrees(place.longitude)
    }

    init(_ place: SafePlace) {
        self.init(at: place.centre, name: place.name)
        radiusMetres = String(place.radiusMetres)
        outline = place.outline.map(PlaceOutline.text).joined(separator: "\n")
        version = String(place.version)
    }

    init(_ fields: Fields) {
        name = fields.typed("name")
        latitude = fields.typed("latitude")
        longitude = fields.typed("longitude")
        radiusMetres = fields.typed("radiusMetres")
        outline = fields.typed("outline")
        version = fields.typed("version")
        ruleItem = ID(fields.typed("ruleItemId"))
        rulePerson = PersonID(fields.typed("rulePersonId"))
    }

    static func degrees(_ value: Double) -> String { "\(value)" }
}
