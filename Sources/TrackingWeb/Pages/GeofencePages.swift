import Kernel
import Recurrence
import Tracking
import WebCore

/// The page with an item's rules about places.
struct GeofenceListPage: Sendable {
    let shell: Shell
    let listURL: String
    let itemURL: String
    let rows: [GeofenceRow]
    let isEmpty: Bool
    /// Whether the person has a safe place for a rule.
    let hasPlaces: Bool
    let addURL: String
    let addPlaceURL: String

    init(_ context: SignedInContext, _ listing: GeofenceListing, t: Translator) {
        let item = listing.item.id
        itemURL = TrackingPath.item(item)
        listURL = TrackingPath.geofences(of: item)
        hasPlaces = !listing.places.isEmpty
        addURL = listURL + "/new"
        addPlaceURL = TrackingPath.newSafePlace(forRuleOf: item)
        rows = listing.geofences.map { GeofenceRow($0, t: t) }
        isEmpty = listing.geofences.isEmpty
        shell = Shell(
            context, title: t("Arrive and leave"), menu: .tracking(t), tab: "items", isRefreshable: true,
            back: ShellBack(url: itemURL, label: listing.item.name),
            action: hasPlaces ? ShellAction(label: t("Add a rule"), icon: "plus", url: addURL) : nil)
    }
}

/// One rule of the list.
struct GeofenceRow: Sendable {
    let ruleTitle: String
    let ruleNote: String
    let ruleURL: String

    init(_ geofence: Geofence, t: Translator) {
        let settings = geofence.settings
        ruleTitle = settings.title(place: geofence.placeName, t)
        ruleNote = settings.note(t)
        ruleURL = TrackingPath.geofence(geofence.id, of: geofence.item)
    }
}

extension GeofenceSettings {
    /// Returns what the rule reports.
    func title(place: String, _ t: Translator) -> String {
        switch kind {
        case .arrive: t("Arrives at {place}", ["place": place])
        case .leave: t("Leaves {place}", ["place": place])
        case .absent: t("Isn’t at {place} by {clock}", ["place": place, "clock": by?.text ?? ""])
        }
    }

    /// Returns the days, the hours and the dwell.
    func note(_ t: Translator) -> String {
        var parts = [
            days.count == Weekday.allCases.count ? t("Every day") : days.map { $0.short(t) }.isolated(separator: ", ")
        ]
        if let from, let until { parts.append("\(from.text)–\(until.text)") }
        if dwellMinutes > 0 {
            parts.append(t("after {n}\u{a0}min", ["n": String(dwellMinutes)]))
        }
        return parts.isolated(separator: " · ")
    }
}

extension Weekday {
    /// Returns the short name.
    func short(_ t: Translator) -> String {
        switch self {
        case .monday: t("Mon")
        case .tuesday: t("Tue")
        case .wednesday: t("Wed")
        case .thursday: t("Thu")
        case .friday: t("Fri")
        case .saturday: t("Sat")
        case .sunday: t("Sun")
        }
    }
}

/// The submitted form of a rule.
struct GeofenceFormState: Sendable {
    var placeId = ""
    var kind = GeofenceKind.arrive.rawValue
    var dwellMinutes = "5"
    var days = Weekday.allCases.map(\.code)
    var from = ""
    var until = ""
    var by = ""
    /// Empty before the person chooses one.
    var timeZone = ""
    var version = ""

    /// Creates a new rule about the first place.
    init(_ listing: GeofenceListing) {
        placeId = listing.places.first?.id.description ?? ""
        timeZone = listing.geofences.first?.settings.timeZone.identifier ?? listing.timeZone ?? ""
    }

    /// Creates a new rule about the first place, in the time zone of another rule.
    init(_ places: [SafePlace], _ other: PersonRule?) {
        placeId = places.first?.id.description ?? ""
        timeZone = other?.settings.timeZone.identifier ?? ""
    }

    init(_ geofence: Geofence) { self.init(geofence.settings, geofence.place, version: geofence.version) }

    init(_ rule: PersonRule) { self.init(rule.settings, rule.place, version: rule.version) }

    private init(_ settings: GeofenceSettings, _ place: ID<SafePlace>, version: Int64) {
        placeId = place.description
        kind = settings.kind.rawValue
        dwellMinutes = String(settings.dwellMinutes)
        days = settings.days.map(\.code)
        from = settings.from?.text ?? ""
        until = settings.until?.text ?? ""
        by = settings.by?.text ?? ""
        timeZone = settings.timeZone.identifier
        self.version = String(version)
    }

    init(_ fields: Fields) {
        var fields = fields
        placeId = fields.typed("placeId")
        kind = fields.typed("kind")
        dwellMinutes = fields.typed("dwellMinutes")
        days = fields.strings("days", atMost: Weekday.allCases.count).value ?? []
        from = fields.typed("from")
        until = fields.typed("until")
        by = fields.typed("by")
        timeZone = fields.typed("timeZone")
        version = fields.typed("version")
    }
}

/// The page that adds or edits a rule.
struct GeofencePage: Sendable {
    private static let ownFields: Set<String> = [
        "placeId", "kind", "dwellMinutes", "days", "from", "until", "by", "timeZone",
    ]

    let shell: Shell
    let formAction: String
    let typedVersion: String
    let formError: String?
    /// What a person learns of a rule about them; `nil` for a rule of an item.
    let personNote: String?
    let kinds: [Choice]
    let kindMessage: String
    let places: [Choice]
    let placeMessage: String
    let days: [Choice]
    let daysMessage: String
    let byField: InputField
    let hourFields: [InputField]
    let dwellField: InputField
    /// The time zones to choose from, with an empty choice while none is known.
    let zones: [Choice]
    let isZoneInvalid: Bool
    let zoneMessage: String
    /// Whether the browser chooses its time zone.
    let isZoneUnknown: Bool
    /// `nil` for a new rule.
    let deleteAction: String?
    /// `nil` for a rule about a person, of whom there is no history.
    let replayAction: String?
    /// What would have come; `nil` before the person asks.
    let replay: ReplayPart?

    init(
        _ context: SignedInContext, _ listing: GeofenceListing, _ geofence: Geofence?, typed: GeofenceFormState,
        error: AppError?, replay: ReplayPart? = nil, t: Translator
    ) {
        let list = TrackingPath.geofences(of: listing.item.id)
        self.init(
            context,
            Addresses(
                back: list, list: list, rule: geofence.map { TrackingPath.geofence($0.id, of: $0.item) },
                replay: list + "/replay" + (geofence.map { "?rule=\($0.id)" } ?? "")),
            personName: nil, places: listing.places, typed: typed, error: error, replay: replay, t: t)
    }

    /// Creates the page of a rule about a person.
    init(
        _ context: SignedInContext, _ form: PersonRuleForm, places: [SafePlace], typed: GeofenceFormState,
        error: AppError?, t: Translator
    ) {
        self.init(
            context,
            Addresses(
                back: TrackingPath.person(form.person), list: TrackingPath.rules(about: form.person),
                rule: form.rule.map { TrackingPath.rule($0.id, about: form.person) }, replay: nil),
            personName: form.name, places: places, typed: typed, error: error, replay: nil, t: t)
    }

    /// The addresses of the form.
    private struct Addresses {
        let back: String
        let list: String
        /// `nil` for a new rule.
        let rule: String?
        let replay: String?
    }

    private init(
        _ context: SignedInContext, _ addresses: Addresses, personName: String?, places: [SafePlace],
        typed: GeofenceFormState, error: AppError?, replay: ReplayPart?, t: Translator
    ) {
        shell = Shell(
            context, title: addresses.rule == nil ? t("Add a rule") : t("Rule"), menu: .tracking(t),
            isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(url: addresses.back, label: t("Cancel"), isCancel: true),
            action: ShellAction(label: t("Save"), formID: "rule-form", isStrong: true))
        formAction = addresses.rule.map { $0 + "?_method=put" } ?? addresses.list
        deleteAction = addresses.rule.map { $0 + "?_method=delete" }
        replayAction = addresses.replay
        self.replay = replay
        personNote = personName.map {
            t("{name} is notified of this rule, sees it, and can end it.", ["name": $0])
        }
        typedVersion = typed.version
        let faults = error?.translated(to: context.language).fields ?? [:]
        kinds = GeofenceKind.allCases.map { kind in
            Choice(
                value: kind.rawValue, choiceLabel: personName.map { kind.label(of: $0, t) } ?? kind.label(t),
                choiceHint: kind.hint(t, isPerson: personName != nil),
                isChosen: kind.rawValue == typed.kind)
        }
        kindMessage = faults["kind"] ?? ""
        self.places = places.map {
            Choice(
                value: $0.id.description, choiceLabel: $0.name, choiceHint: "",
                isChosen: $0.id.description == typed.placeId)
        }
        placeMessage = faults["placeId"] ?? ""
        days = Weekday.allCases.map {
            Choice(value: $0.code, choiceLabel: $0.name(t), choiceHint: "", isChosen: typed.days.contains($0.code))
        }
        daysMessage = faults["days"] ?? ""
        func field(_ name: String, _ label: String, _ value: String, _ hint: String, unit: String = "") -> InputField {
            InputField(
                id: name, inputName: name, label: label, value: value, hint: hint, unit: unit,
                isInvalid: faults[name] != nil, message: faults[name] ?? "")
        }
        byField = field("by", t("By"), typed.by, t("For “hasn’t arrived”: the time of the day"))
        hourFields = [
            field("from", t("From"), typed.from, t("Empty for the whole day")),
            field("until", t("Until"), typed.until, t("May be after midnight")),
        ]
        dwellField = field(
            "dwellMinutes", t("Wait"), typed.dwellMinutes,
            t("{least} to {most} minutes on the other side of the border", Limits.dwellMinutes.texts(t)), unit: t("min")
        )
        zones = Self.zones(typed.timeZone, t)
        isZoneInvalid = faults["timeZone"] != nil
        zoneMessage = faults["timeZone"] ?? ""
        isZoneUnknown = typed.timeZone.isEmpty
        formError = Self.message(error, t, context.language)
    }

    /// A browser's name of a zone can be missing in the list, because zones have several names.
    private static func zones(_ chosen: String, _ t: Translator) -> [Choice] {
        let isListed = LocalTimeZone.identifiers.contains(chosen)
        let names = isListed ? LocalTimeZone.identifiers : [chosen] + LocalTimeZone.identifiers
        return names.map { name in
            Choice(
                value: name, choiceLabel: name.isEmpty ? t("Choose a time zone") : name, choiceHint: "",
                isChosen: name == chosen)
        }
    }

    private static func message(_ error: AppError?, _ t: Translator, _ language: Language) -> String? {
        guard let error else { return nil }
        if error.isStaleVersion {
            return t("This was changed elsewhere. Your entries are still here. Save again to keep them.")
        }
        return error.fields.keys.contains(where: ownFields.contains) ? nil : error.translated(to: language).message
    }
}

extension GeofenceKind {
    fileprivate func label(_ t: Translator) -> String {
        switch self {
        case .arrive: t("It arrives")
        case .leave: t("It leaves")
        case .absent: t("It hasn’t arrived")
        }
    }

    fileprivate func label(of name: String, _ t: Translator) -> String {
        switch self {
        case .arrive: t("{name} arrives", ["name": name])
        case .leave: t("{name} leaves", ["name": name])
        case .absent: t("{name} hasn’t arrived", ["name": name])
        }
    }

    fileprivate func hint(_ t: Translator, isPerson: Bool) -> String {
        switch self {
        case .arrive where isPerson: t("Once, when they are inside")
        case .leave where isPerson: t("Once, when they are outside")
        case .absent where isPerson: t("Once a day, when they aren’t there by a time")
        case .arrive: t("Once, when it is inside")
        case .leave: t("Once, when it is outside")
        case .absent: t("Once a day, when it isn’t there by a time")
        }
    }
}

extension Weekday {
    fileprivate func name(_ t: Translator) -> String {
        switch self {
        case .monday: t("Monday")
        case .tuesday: t("Tuesday")
        case .wednesday: t("Wednesday")
        case .thursday: t("Thursday")
        case .friday: t("Friday")
        case .saturday: t("Saturday")
        case .sunday: t("Sunday")
        }
    }
}
