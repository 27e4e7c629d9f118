import Carrepsa
import Kernel
import WebCore

/// The part of a form that sets both ends of a way, on a map or as degrees.
struct RouteEndsView: Sendable {
    /// One end of the way.
    struct End: Sendable {
        /// `from` or `to`, with which the names of its fields begin.
        let endName: String
        let endLabel: String
        let endFields: [PackageField]
    }

    let tiles: MapTilesView
    let routeFormID: String
    let ends: [End]
    let areaNote: String
    /// Where the map opens while no end is set, as `latitude,longitude`; `nil` if unknown.
    let mapStart: String?
    /// Where places are searched; `nil` without a geocoder.
    let searchURL: String?

    /// - Parameters:
    ///   - values: the texts of the fields, by their names.
    ///   - faults: the error messages, by the names of the fields.
    ///   - hasTimes: whether each end has opening times.
    init(
        _ context: SignedInContext, formID: String, values: [String: String], faults: [String: String],
        hasTimes: Bool, note: String, _ map: RouteFormMap, _ t: Translator
    ) {
        func field(_ name: String, _ label: String, placeholder: String = "") -> PackageField {
            PackageField(
                name, label, value: values[name] ?? "", placeholder: placeholder, message: faults[name] ?? "")
        }
        tiles = MapTilesView(context)
        routeFormID = formID
        ends = [("from", t("From")), ("to", t("To"))].map { name, label in
            var fields = [
                field(name + "Latitude", t("Latitude")),
                field(name + "Longitude", t("Longitude")),
            ]
            if hasTimes {
                fields.append(
                    field(
                        name + "OpeningTimes", t("Opening times"), placeholder: t("For example: weekdays after 17:00")))
            }
            return End(endName: name, endLabel: label, endFields: fields)
        }
        areaNote = note
        mapStart = map.start.map { "\($0.latitude),\($0.longitude)" }
        searchURL = map.findsPlaces ? CarrepsaPath.placeSearches : nil
    }
}

/// The choice of a size.
struct SizeChoice: Sendable {
    let sizeValue: String
    let sizeLabel: String
    let isChosen: Bool

    /// - Parameter none: the label of no size.
    static func all(_ typed: String, none: String, _ t: Translator) -> [SizeChoice] {
        [SizeChoice(sizeValue: "", sizeLabel: none, isChosen: typed.isEmpty)]
            + PackageSize.allCases.map {
                SizeChoice(sizeValue: $0.rawValue, sizeLabel: $0.label(t), isChosen: $0.rawValue == typed)
            }
    }
}

/// The part of a package's form with the points of both ends, the opening times and the size.
struct PackagePlacesView: Sendable {
    let routeEnds: RouteEndsView
    let sizes: [SizeChoice]
    let sizeMessage: String
    /// Whether a field has a value or an error.
    let arePlacesOpen: Bool

    private static let areaKilometres = String(
        Int((Double(Limits.placeAreaMetres) / Double(Trip.metresPerKilometre)).rounded()))

    init(
        _ context: SignedInContext, _ typed: PackageFormState, _ faults: [String: String], _ map: RouteFormMap,
        _ t: Translator
    ) {
        routeEnds = RouteEndsView(
            context, formID: "package-form", values: typed.places, faults: faults, hasTimes: true,
            note: t(
                """
                Others see a circle of about {n} km around each point. The carrier sees the exact points after \
                accepting.
                """, ["n": Self.areaKilometres]), map, t)
        sizes = SizeChoice.all(typed.size, none: t("Not given"), t)
        sizeMessage = faults["size"] ?? ""
        arePlacesOpen =
            typed.places.values.contains { !$0.isEmpty } || !typed.size.isEmpty || !sizeMessage.isEmpty
            || PackageFormState.placeFields.contains { faults[$0] != nil }
    }
}

extension PackageSize {
    func label(_ t: Translator) -> String {
        switch self {
        case .bag: t("Bag")
        case .backpack: t("Backpack")
        case .boot: t("Car boot")
        }
    }
}

/// A point or a circle on the map of a way.
struct RouteMark: Encodable {
    let latitude: Double
    let longitude: Double
    /// Metres; 0 for an exact point.
    let radius: Int
    let label: String
    /// The marks of a line have the same number.
    let line: Int

    /// - Parameter radius: metres; 0 for an exact point.
    init(_ point: Coordinate, radius: Int, _ label: String, line: Int = 0) {
        latitude = point.latitude
        longitude = point.longitude
        self.radius = radius
        self.label = label
        self.line = line
    }
}

/// The map of ways: circles, or exact points for their parties.
struct RouteMapView: Sendable {
    let tiles: MapTilesView
    /// The marks as JSON, for the script.
    let routeJSON: String
    let routeNote: String?

    /// Creates the map of a package; `nil` for a package without points.
    /// - Parameter isCase: whether the reader is an administrator, who never sees the exact points.
    init?(_ context: some WebContext, _ route: PackageRoute, isCase: Bool = false, _ t: Translator) {
        let marks = [(route.origin, t("From")), (route.destination, t("To"))].compactMap { end, label -> RouteMark? in
            guard let place = end.point ?? end.area else { return nil }
            return RouteMark(place, radius: end.point == nil ? Limits.placeAreaMetres : 0, label)
        }
        let note =
            isCase
            ? t("The circles show roughly where it is.")
            : t("The circles show roughly where it is. The carrier sees the exact points after accepting.")
        self.init(context, marks, note: marks.contains { $0.radius > 0 } ? note : nil)
    }

    /// - Returns: `nil` without marks.
    init?(_ context: some WebContext, _ marks: [RouteMark], note: String?) {
        guard !marks.isEmpty, let json = try? String(decoding: marks.json(), as: UTF8.self) else { return nil }
        tiles = MapTilesView(context)
        routeJSON = json
        routeNote = note
    }
}
