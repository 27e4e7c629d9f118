import Carrepsa
import Kernel
import WebCore

/// The view model of the list of the reader's trips.
struct TripListPage: Sendable {
    let shell: Shell
    let trips: [TripRow]
    let isEmpty: Bool
    let newURL: String

    init(_ context: SignedInContext, _ all: [Trip], t: Translator) {
        shell = Shell(
            context, title: t("On my way"), menu: .carrepsa(t), tab: CarrepsaTab.search.rawValue, isRefreshable: true,
            back: ShellBack(url: CarrepsaPath.packages, label: t("Search")),
            action: ShellAction(label: t("New trip"), icon: "plus", url: CarrepsaPath.newTrip))
        trips = all.map { TripRow($0, t) }
        isEmpty = all.isEmpty
        newURL = CarrepsaPath.newTrip
    }
}

/// A trip in the list.
struct TripRow: Sendable {
    let tripURL: String
    let tripTitle: String
    let tripNote: String

    init(_ trip: Trip, _ t: Translator) {
        tripURL = CarrepsaPath.trip(trip.id)
        tripTitle = trip.title
        tripNote = trip.note(t)
    }
}

extension Trip {
    var title: String { [from, to].isolated(separator: " → ") }

    /// Returns the days, the detour and the size in words.
    func note(_ t: Translator) -> String {
        let days =
            days.isEmpty ? t("Every day") : days.codes.map { Self.label(ofDay: $0, t) }.isolated(separator: ", ")
        let detour = t(
            "{n} km detour", plural: "{n} km detour", count: Int(detourMetres / Self.metresPerKilometre))
        return [days, detour, size?.label(t)].compactMap(\.self).isolated(separator: " · ")
    }

    /// Returns the short name of a day by its code of RFC 5545.
    static func label(ofDay code: String, _ t: Translator) -> String {
        switch code {
        case "MO": t("Mon")
        case "TU": t("Tue")
        case "WE": t("Wed")
        case "TH": t("Thu")
        case "FR": t("Fri")
        case "SA": t("Sat")
        default: t("Sun")
        }
    }
}

/// The submitted form of a trip.
struct TripFormState: Sendable {
    var from = ""
    var to = ""
    var points: [String: String] = [:]
    var days: [String] = []
    var detour = "10"
    var size = ""
    /// The version from which the form was rendered; empty for a new trip.
    var version = ""

    init() {}

    /// The values of a saved trip.
    init(_ trip: Trip) {
        from = trip.from
        to = trip.to
        for (name, point) in [("from", trip.start), ("to", trip.end)] {
            points[name + "Latitude"] = "\(point.latitude)"
            points[name + "Longitude"] = "\(point.longitude)"
        }
        days = trip.days.codes
        detour = String(trip.detourMetres / Trip.metresPerKilometre)
        size = trip.size?.rawValue ?? ""
        version = String(trip.version)
    }

    init(_ fields: Fields) {
        var fields = fields
        from = fields.typed("from")
        to = fields.typed("to")
        for name in ["fromLatitude", "fromLongitude", "toLatitude", "toLongitude"] { points[name] = fields.typed(name) }
        days = fields.strings("days", atMost: TripDays.codes.count).value ?? []
        detour = fields.typed("detour")
        size = fields.typed("size")
        version = fields.typed("version")
    }
}

/// The view model of *New trip* and *Edit trip*.
struct TripFormPage: Sendable {
    struct Day: Sendable {
        let dayCode: String
        let dayLabel: String
        let isChosen: Bool
    }

    let shell: Shell
    let formAction: String
    /// The version from which the form was rendered; `nil` for a new trip.
    let version: String?
    let submitLabel: String
    let problem: String?
    let textFields: [PackageField]
    let routeEnds: RouteEndsView
    let days: [Day]
    let daysMessage: String
    let detourField: PackageField
    let sizes: [SizeChoice]
    let sizeMessage: String

    /// - Parameter trip: the trip to change; `nil` for a new one.
    init(
        _ context: SignedInContext, _ trip: Trip?, _ typed: TripFormState, _ error: AppError?, map: RouteFormMap,
        t: Translator
    ) {
        let cancelURL = trip.map { CarrepsaPath.trip($0.id) } ?? CarrepsaPath.trips
        shell = Shell(
            context, title: trip == nil ? t("New trip") : t("Edit trip"), menu: .carrepsa(t),
            tab: CarrepsaTab.search.rawValue, isNarrow: true,
            back: ShellBack(url: cancelURL, label: t("Cancel"), isCancel: true))
        formAction = trip.map { CarrepsaPath.trip($0.id) + "?_method=put" } ?? CarrepsaPath.trips
        version = trip == nil ? nil : typed.version
        submitLabel = trip == nil ? t("Save trip") : t("Save")
        let shown = error?.translated(to: context.language)
        let faults = shown?.fields ?? [:]
        problem = shown.flatMap { $0.fields.isEmpty ? $0.message : nil }
        textFields = [
            PackageField(
                "from", t("From"), value: typed.from, placeholder: t("Town or street"), message: faults["from"] ?? ""),
            PackageField(
                "to", t("To"), value: typed.to, placeholder: t("Town or street"), message: faults["to"] ?? ""),
        ]
        routeEnds = RouteEndsView(
            context, formID: "trip-form", values: typed.points,
            faults: Self.pointFaults(faults, typed, findsPlaces: map.findsPlaces, t), hasTimes: false,
            note: t("Only you see your trips."), map, t)
        days = TripDays.codes.map {
            Day(dayCode: $0, dayLabel: Trip.label(ofDay: $0, t), isChosen: typed.days.contains($0))
        }
        daysMessage = faults["days"] ?? ""
        detourField = PackageField(
            "detour", t("Detour at most"), value: typed.detour,
            hint: t("Extra kilometres that you accept, in a straight line."), unit: t("km"),
            message: faults["detour"] ?? "")
        sizes = SizeChoice.all(typed.size, none: t("Any size"), t)
        sizeMessage = faults["size"] ?? ""
    }

    /// Returns the errors of the points. A missing point of an entered place is found by its name.
    private static func pointFaults(
        _ faults: [String: String], _ typed: TripFormState, findsPlaces: Bool, _ t: Translator
    ) -> [String: String] {
        guard findsPlaces else { return faults }
        var shown = faults
        for (end, place) in [("from", typed.from), ("to", typed.to)] {
            let degrees = [end + "Latitude", end + "Longitude"]
            let isMissing = degrees.allSatisfy { (typed.points[$0] ?? "").allSatisfy(\.isWhitespace) }
            guard isMissing, !place.allSatisfy(\.isWhitespace), faults[end + "Latitude"] != nil else { continue }
            shown[end + "Latitude"] = t("Tap “Find on the map”, or set the point on the map.")
        }
        return shown
    }
}

/// The view model of a trip with the offers on its way.
struct TripPage: Sendable {
    let shell: Shell
    let tripURL: String
    let tripNote: String
    let routeMap: RouteMapView?
    let matches: [TripMatchRow]
    let hasMatches: Bool
    let matchesNote: String
    let deleteURL: String

    init(
        _ context: SignedInContext, _ trip: Trip, _ found: [TripMatch], t: Translator, formatter: CarrepsaFormatter
    ) {
        shell = Shell(
            context, title: trip.title, menu: .carrepsa(t), tab: CarrepsaTab.search.rawValue, isRefreshable: true,
            back: ShellBack(url: CarrepsaPath.trips, label: t("On my way")),
            action: ShellAction(label: t("Edit trip"), icon: "pencil", url: CarrepsaPath.editTrip(trip.id)))
        tripURL = CarrepsaPath.trip(trip.id)
        tripNote = trip.note(t)
        matches = found.map { TripMatchRow($0, t, formatter) }
        hasMatches = !matches.isEmpty
        let measured = found.count { $0.isByRoad }
        matchesNote =
            switch measured {
            case 0: t("Sorted by reward per extra kilometre. Distances are in a straight line and approximate.")
            case found.count: t("Sorted by reward per extra kilometre. Distances are by road and approximate.")
            default:
                t(
                    """
                    Sorted by reward per extra kilometre, those with a distance by road first. Distances are approximate.
                    """)
            }
        deleteURL = tripURL + "?_method=delete"
        let ends = [RouteMark(trip.start, radius: 0, t("From")), RouteMark(trip.end, radius: 0, t("To"))]
        let circles = found.enumerated().flatMap { index, match in
            [match.package.route.origin.area, match.package.route.destination.area].compactMap { area in
                area.map { RouteMark($0, radius: Limits.placeAreaMetres, "", line: index + 1) }
            }
        }
        routeMap = RouteMapView(context, ends + circles, note: nil)
    }
}

/// An offer on the way of a trip.
struct TripMatchRow: Sendable {
    let matchURL: String
    let matchTitle: String
    let matchRoute: String
    let matchReward: String
    let matchDetour: String

    init(_ match: TripMatch, _ t: Translator, _ formatter: CarrepsaFormatter) {
        let package = match.package
        matchURL = CarrepsaPath.package(package.id)
        matchTitle = package.title
        matchRoute = [package.from, package.to].isolated(separator: " → ")
        matchReward = formatter.money(package.reward)
        let detour = Self.detour(match, t, formatter)
        guard match.extraMetres >= Double(Trip.metresPerKilometre) else {
            matchDetour = detour
            return
        }
        let rate = t("{amount} per km", ["amount": formatter.money(Int64(match.rewardPerKilometre.rounded()))])
        matchDetour = [detour, rate].isolated(separator: " · ")
    }

    /// Returns the detour with the same digits of which the reward per kilometre is computed.
    private static func detour(_ match: TripMatch, _ t: Translator, _ formatter: CarrepsaFormatter) -> String {
        guard match.extraMetres >= Double(Trip.metresPerKilometre) else {
            return match.isByRoad
                ? t("Less than {n} km extra by road", ["n": "1"]) : t("Less than {n} km extra", ["n": "1"])
        }
        let number = formatter.kilometres(match.extraMetres)
        return match.isByRoad ? t("{n} km extra by road", ["n": number]) : t("{n} km extra", ["n": number])
    }
}
