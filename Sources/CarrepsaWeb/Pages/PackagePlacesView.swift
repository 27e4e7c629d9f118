import Carrepsa
import Kernel
import WebCore

/// The part of a package's form with the points of both ends, the opening times and the size.
struct PackagePlacesView: Sendable {
    /// One end of the way.
    struct End: Sendable {
        /// `from` or `to`, with which the names of its fields begin.
        let endName: String
        let endLabel: String
        let endFields: [PackageField]
    }

    struct Choice: Sendable {
        let sizeValue: String
        let sizeLabel: String
        let isChosen: Bool
    }

    let tiles: MapTilesView
    let ends: [End]
    let sizes: [Choice]
    let sizeMessage: String
    /// Whether a field has a value or an error.
    let arePlacesOpen: Bool
    let areaNote: String

    init(_ context: SignedInContext, _ typed: PackageFormState, _ faults: [String: String], _ t: Translator) {
        func field(_ name: String, _ label: String, placeholder: String = "") -> PackageField {
            PackageField(
                name, label, value: typed.places[name] ?? "", placeholder: placeholder, message: faults[name] ?? "")
        }
        tiles = MapTilesView(context)
        ends = [("from", t("From")), ("to", t("To"))].map { name, label in
            End(
                endName: name, endLabel: label,
                endFields: [
                    field(name + "Latitude", t("Latitude"), placeholder: "53.866"),
                    field(name + "Longitude", t("Longitude"), placeholder: "10.687"),
                    field(
                        name + "OpeningTimes", t("Opening times"), placeholder: t("For example: weekdays after 17:00")),
                ])
        }
        sizes =
            [Choice(sizeValue: "", sizeLabel: t("Not given"), isChosen: typed.size.isEmpty)]
            + PackageSize.allCases.map {
                Choice(sizeValue: $0.rawValue, sizeLabel: $0.label(t), isChosen: $0.rawValue == typed.size)
            }
        sizeMessage = faults["size"] ?? ""
        arePlacesOpen =
            typed.places.values.contains { !$0.isEmpty } || !typed.size.isEmpty || !sizeMessage.isEmpty
            || PackageFormState.placeFields.contains { faults[$0] != nil }
        areaNote = t(
            "Others see a circle of about {n} km around each point. The carrier sees the exact points after accepting.",
            ["n": "1"])
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

/// The map of a package's way: circles, or exact points for its parties.
struct RouteMapView: Sendable {
    private struct Mark: Encodable {
        let latitude: Double
        let longitude: Double
        /// Metres; 0 for an exact point.
        let radius: Int
        let label: String
    }

    let tiles: MapTilesView
    /// The marks as JSON, for the script.
    let routeJSON: String
    let routeNote: String?

    /// `nil` for a package without points.
    init?(_ context: some WebContext, _ route: PackageRoute, _ t: Translator) {
        let marks = [(route.origin, t("From")), (route.destination, t("To"))].compactMap { end, label -> Mark? in
            guard let place = end.point ?? end.area else { return nil }
            return Mark(
                latitude: place.latitude, longitude: place.longitude,
                radius: end.point == nil ? Limits.placeAreaMetres : 0, label: label)
        }
        guard !marks.isEmpty, let json = try? String(decoding: marks.json(), as: UTF8.self) else { return nil }
        tiles = MapTilesView(context)
        routeJSON = json
        routeNote =
            marks.contains { $0.radius > 0 }
            ? t("The circles show roughly where it is. The carrier sees the exact points after accepting.") : nil
    }
}
