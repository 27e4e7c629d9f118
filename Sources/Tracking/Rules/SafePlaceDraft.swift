import Kernel

/// The values of a new or changed safe place before validation.
struct SafePlaceDraft {
    /// `nil` when the patch removed it.
    var name: String?
    var latitude: Double?
    var longitude: Double?
    var radiusMetres: Int
    /// The corners of a polygon as text; without any, the place is a circle.
    var outline: [String]

    init(name: String, latitude: Double, longitude: Double, radiusMetres: Int, outline: [String] = []) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMetres = radiusMetres
        self.outline = outline
    }

    init(_ place: SafePlace) {
        self.init(
            name: place.name, latitude: place.centre.latitude, longitude: place.centre.longitude,
            radiusMetres: place.radiusMetres, outline: place.outline.map(PlaceOutline.text)
        )
    }

    func with(_ patch: SafePlacePatch) -> SafePlaceDraft {
        var draft = self
        Self.apply(patch.name, into: &draft.name)
        Self.apply(patch.latitude, into: &draft.latitude)
        Self.apply(patch.longitude, into: &draft.longitude)
        switch patch.radiusMetres {
        case .unchanged: break
        case .clear: draft.radiusMetres = SafePlace.standardRadiusMetres
        case .set(let metres): draft.radiusMetres = metres
        }
        switch patch.outline {
        case .unchanged: break
        case .clear: draft.outline = []
        case .set(let corners): draft.outline = corners
        }
        return draft
    }

    private static func apply<Value>(_ change: FieldChange<Value>, into value: inout Value?) {
        switch change {
        case .unchanged: break
        case .clear: value = nil
        case .set(let new): value = new
        }
    }

    /// The checked values.
    struct Checked: Equatable {
        let name: String
        let centre: Coordinate
        let radiusMetres: Int
        let outline: [Coordinate]
    }

    /// Checks the values. The circle of a polygon is the one that encloses it.
    /// - Throws: `AppError(.invalid)` with every invalid field: `name`, `latitude`, `longitude`, `radiusMetres`,
    ///   `outline`.
    func checked() throws -> Checked {
        var problems = FieldErrors<TrackingErrorMessage>()
        let name = problems.placeName(name ?? "")
        var polygon: (corners: [Coordinate], centre: Coordinate, radiusMetres: Int)?
        do throws(TrackingErrorMessage) {
            let corners = try PlaceOutline.read(outline)
            if !corners.isEmpty {
                let (centre, radius) = try PlaceOutline.circle(around: corners)
                polygon = (corners, centre, radius)
            }
        } catch {
            problems.refuse("outline", error)
        }
        if let polygon {
            try problems.finish()
            return Checked(
                name: name ?? "", centre: polygon.centre, radiusMetres: polygon.radiusMetres, outline: polygon.corners)
        }
        if !(latitude.map((-90.0...90.0).contains) ?? false) { problems.refuse("latitude", .latitudeOutOfRange) }
        if !(longitude.map((-180.0...180.0).contains) ?? false) { problems.refuse("longitude", .longitudeOutOfRange) }
        if !Limits.safePlaceRadiusMetres.contains(radiusMetres) {
            problems.refuse("radiusMetres", .safeRadiusOutOfRange)
        }
        try problems.finish()
        guard let name, let latitude, let longitude, let centre = Coordinate(latitude: latitude, longitude: longitude)
        else { throw AppError(.invalid, .latitudeOutOfRange, field: "latitude") }
        return Checked(name: name, centre: centre, radiusMetres: radiusMetres, outline: [])
    }
}

extension SafePlace {
    /// - Throws: The errors of ``SafePlaceDraft/checked()``.
    init(id: ID<SafePlace>, createdAt: Instant, _ draft: SafePlaceDraft) throws {
        let checked = try draft.checked()
        self.init(
            id: id, name: checked.name, centre: checked.centre, radiusMetres: checked.radiusMetres,
            outline: checked.outline, version: 1, createdAt: createdAt)
    }

    /// The same place with the values of a draft; the version grows by one when a value differs.
    /// - Throws: The errors of ``SafePlaceDraft/checked()``.
    func with(_ draft: SafePlaceDraft) throws -> SafePlace {
        let checked = try draft.checked()
        let same = SafePlaceDraft.Checked(name: name, centre: centre, radiusMetres: radiusMetres, outline: outline)
        guard checked != same else { return self }
        return SafePlace(
            id: id, name: checked.name, centre: checked.centre, radiusMetres: checked.radiusMetres,
            outline: checked.outline, version: version + 1, createdAt: createdAt
        )
    }
}

extension SafePlace {
    /// The area as the rules use it.
    var area: SafeArea { SafeArea(centre: centre, radiusMetres: radiusMetres, outline: outline) }
}
