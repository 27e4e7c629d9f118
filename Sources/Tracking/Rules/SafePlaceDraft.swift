import Kernel

/// The values of a new or changed safe place before validation.
struct SafePlaceDraft {
    /// `nil` when the patch removed it.
    var name: String?
    var latitude: Double?
    var longitude: Double?
    var radiusMetres: Int

    init(name: String, latitude: Double, longitude: Double, radiusMetres: Int) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMetres = radiusMetres
    }

    init(_ place: SafePlace) {
        self.init(
            name: place.name, latitude: place.centre.latitude, longitude: place.centre.longitude,
            radiusMetres: place.radiusMetres
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
        return draft
    }

    private static func apply<Value>(_ change: FieldChange<Value>, into value: inout Value?) {
        switch change {
        case .unchanged: break
        case .clear: value = nil
        case .set(let new): value = new
        }
    }

    /// - Throws: `AppError(.invalid)` with every invalid field: `name`, `latitude`, `longitude`, `radiusMetres`.
    func checked() throws -> (name: String, centre: Coordinate, radiusMetres: Int) {
        var problems = FieldErrors<TrackingErrorMessage>()
        let name = problems.placeName(name ?? "")
        if !(latitude.map((-90.0...90.0).contains) ?? false) { problems.refuse("latitude", .latitudeOutOfRange) }
        if !(longitude.map((-180.0...180.0).contains) ?? false) { problems.refuse("longitude", .longitudeOutOfRange) }
        if !Limits.safePlaceRadiusMetres.contains(radiusMetres) {
            problems.refuse("radiusMetres", .safeRadiusOutOfRange)
        }
        try problems.finish()
        guard let name, let latitude, let longitude, let centre = Coordinate(latitude: latitude, longitude: longitude)
        else { throw AppError(.invalid, .latitudeOutOfRange, field: "latitude") }
        return (name, centre, radiusMetres)
    }
}

extension SafePlace {
    /// - Throws: The errors of ``SafePlaceDraft/checked()``.
    init(id: ID<SafePlace>, createdAt: Instant, _ draft: SafePlaceDraft) throws {
        let (name, centre, radiusMetres) = try draft.checked()
        self.init(id: id, name: name, centre: centre, radiusMetres: radiusMetres, version: 1, createdAt: createdAt)
    }

    /// The same place with the values of a draft; the version grows by one when a value differs.
    /// - Throws: The errors of ``SafePlaceDraft/checked()``.
    func with(_ draft: SafePlaceDraft) throws -> SafePlace {
        let (name, centre, radiusMetres) = try draft.checked()
        guard name != self.name || centre != self.centre || radiusMetres != self.radiusMetres else { return self }
        return SafePlace(
            id: id, name: name, centre: centre, radiusMetres: radiusMetres, version: version + 1, createdAt: createdAt
        )
    }
}
