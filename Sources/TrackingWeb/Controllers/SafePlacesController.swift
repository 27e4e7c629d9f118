import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/safe-places`: the areas inside which no separation causes an alert.
struct SafePlacesController: Sendable {
    let safePlaces: SafePlaceService
    let replays: SeparationReplayService

    func addRoutes(to tracking: RouterGroup<SignedInContext>) {
        let places = tracking.group("safe-places")
        places.get(use: index)
        places.post(use: create)
        places.get("new", use: new)
        places.post("replay", use: replay)
        places.get("{id}", use: show)
        places.patch("{id}", use: update)
        places.delete("{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let page = try await safePlaces.list(for: context.actor, after: paging.after, limit: paging.limit)
        let t = context.t
        return try Responses.of(
            context, template: "tracking-safe-places", fragment: "tracking-safe-place-rows",
            page: {
                SafePlaceListPage(
                    context, places: page.items, next: page.next, t: t, formatter: context.formatter(t)
                )
            },
            json: { ListJSON(items: page.items.map(SafePlaceJSON.init), next: page.next) }
        )
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let item = context.query("item").flatMap { ID<Item>($0) }
        let known = try await safePlaces.knownPositions(for: context.actor, of: item)
        let copied = item == nil && context.query("phone") != nil ? known.phone : known.chosen
        var typed = copied.map { SafePlaceFormState(at: $0) } ?? SafePlaceFormState()
        typed.ruleItem = context.query("rule").flatMap { ID<Item>($0) }
        typed.rulePerson = context.query("person").flatMap { PersonID($0) }
        return try Responses.page(
            context, template: "tracking-safe-place", newPage(known, typed: typed, error: nil, context))
    }

    private func newPage(
        _ known: KnownPositions, typed: SafePlaceFormState, error: AppError?, _ context: SignedInContext
    ) -> SafePlacePage {
        let t = context.t
        return SafePlacePage(
            context, nil, typed: typed, origins: SafePlaceOrigin.all(in: known, t), error: error, t: t)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = SafePlaceFormState()
        return try await Responses.form(
            context, template: "tracking-safe-place",
            page: { error in
                let known = try await safePlaces.knownPositions(for: context.actor)
                return newPage(known, typed: typed, error: error, context)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = SafePlaceFormState(fields)
                let input = try fields.safePlaceInput(context.t)
                let place = try await safePlaces.create(input, by: context.change(fields))
                return try Responses.created(
                    context, location: TrackingPath.safePlace(place.id), version: place.version,
                    json: { SafePlaceJSON(place) },
                    seeOther: typed.nextURL(with: place.id),
                    toast: ShellToast(context.t("Safe place added"))
                )
            }
        )
    }

    /// Shows the form again with the alerts that would have come with the typed place. Stores nothing.
    @Sendable func replay(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = context.query("place").flatMap { ID<SafePlace>($0) }
        var typed = SafePlaceFormState()
        func page(_ replay: Replay?, _ error: AppError?) async throws -> SafePlacePage {
            var place: SafePlace?
            if let id { place = try await safePlaces.safePlace(id, for: context.actor) }
            return SafePlacePage(context, place, typed: typed, replay: replay, error: error, t: context.t)
        }
        return try await Responses.form(
            context, template: "tracking-safe-place", page: { error in try await page(nil, error) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = SafePlaceFormState(fields)
                let input = try fields.safePlaceInput(context.t)
                let replay = try await replays.replay(input, replacing: id, for: context.actor)
                if context.face == .json { return try Responses.json(context, ReplayJSON(replay)) }
                return try Responses.page(context, template: "tracking-safe-place", await page(replay, nil))
            })
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let place = try await safePlaces.safePlace(context.id("id", of: SafePlace.self), for: context.actor)
        if context.face == .json { return try Responses.json(context, SafePlaceJSON(place), version: place.version) }
        let page = SafePlacePage(context, place, typed: SafePlaceFormState(place), error: nil, t: context.t)
        return try Responses.page(context, template: "tracking-safe-place", page)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: SafePlace.self)
        var typed: SafePlaceFormState?
        return try await Responses.form(
            context, template: "tracking-safe-place",
            page: { error in
                let place = try await safePlaces.safePlace(id, for: context.actor)
                var shown = typed ?? SafePlaceFormState(place)
                if error.isStaleVersion { shown.version = String(place.version) }
                return SafePlacePage(context, place, typed: shown, error: error, t: context.t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = SafePlaceFormState(fields)
                let name = fields.string("name")
                if let name = name.value { fields.noteName(name, context.t) }
                let corners = fields.outline()
                let isPolygon = corners.value != nil
                let patch = SafePlacePatch(
                    name: name.change,
                    latitude: isPolygon ? .unchanged : fields.double("latitude", in: -90...90).change,
                    longitude: isPolygon ? .unchanged : fields.double("longitude", in: -180...180).change,
                    radiusMetres: isPolygon ? .unchanged : fields.integer("radiusMetres").map { Int($0) }.change,
                    outline: corners.change
                )
                try fields.check { try patch.check() }
                let place = try await safePlaces.update(id, patch, by: context.change(fields))
                return try Responses.changed(
                    context, version: place.version, json: { SafePlaceJSON(place) },
                    seeOther: TrackingPath.safePlaces, toast: ShellToast(context.t("Saved"))
                )
            }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: SafePlace.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await safePlaces.delete(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.safePlaces,
            toast: ShellToast(context.t("Safe place deleted"))
        )
    }
}

extension Fields {
    /// Reads a new safe place.
    /// - Throws: `AppError.invalid` at each invalid field.
    fileprivate mutating func safePlaceInput(_ t: Translator) throws -> SafePlaceInput {
        let name = require("name")
        let corners = outline()
        let circle = corners.value == nil ? circle() : nil
        noteName(name, t)
        let patch = SafePlacePatch(
            radiusMetres: circle?.radiusMetres.map { .set($0) } ?? .unchanged, outline: corners.change)
        try check { try patch.check() }
        return SafePlaceInput(
            name: name, latitude: circle?.latitude ?? 0, longitude: circle?.longitude ?? 0,
            radiusMetres: circle?.radiusMetres, outline: corners.value ?? [])
    }

    /// Reads the corners of a polygon; null for an empty field of a form.
    fileprivate mutating func outline() -> Field<[String]> {
        let texts = strings(
            "outline", atMost: Limits.outlineCorners.upperBound, excess: TrackingErrorMessage.outlineSize.text)
        guard let corners = texts.value else { return texts }
        return corners.allSatisfy { $0.allSatisfy(\.isWhitespace) } ? .null : .value(corners)
    }

    /// Reads the required centre and the radius of a circle.
    fileprivate mutating func circle() -> (latitude: Double, longitude: Double, radiusMetres: Int?)? {
        let latitude = requireDouble("latitude", in: -90...90)
        let longitude = requireDouble("longitude", in: -180...180)
        let radius = integer("radiusMetres").value.map { Int($0) }
        guard let latitude, let longitude else { return radius.map { (0, 0, $0) } }
        return (latitude, longitude, radius)
    }
}
