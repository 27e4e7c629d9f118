import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

extension TrackingPages {
    /// The number of items whose position can be copied into a new safe place.
    private static let originsShown = 10

    func addAlertRoutes(to tracking: RouterGroup<SignedInContext>) {
        tracking.get("alerts", use: showAlerts)
        tracking.patch("alerts", use: changeAlerts)
        let places = tracking.group("safe-places")
        places.get(use: listSafePlaces)
        places.post(use: addSafePlace)
        places.get("new", use: newSafePlace)
        places.get("{id}", use: showSafePlace)
        places.patch("{id}", use: updateSafePlace)
        places.delete("{id}", use: deleteSafePlace)
    }

    // MARK: Alert mode

    @Sendable func showAlerts(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let mode = try await service.alertMode(for: context.actor)
        if context.face == .json { return try Responses.json(context, AlertsJSON(mode)) }
        let places = try await service.safePlaces(for: context.actor, after: nil, limit: Limits.safePlacesPerAccount)
        return try Responses.page(
            context, template: "tracking-alerts",
            AlertsPage(context, mode: mode, places: places.items.count, t: context.words)
        )
    }

    @Sendable func changeAlerts(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let mode = fields.choice("mode", of: AlertMode.self)
        let destination = LocalPath(fields.typed("return"))?.text ?? TrackingPath.alerts
        try fields.check()
        if mode.isNull { throw AppError.invalid("mode", "Choose one of these.") }
        if let mode = mode.value { try await service.setAlertMode(mode, by: context.change(fields)) }
        let present = try await service.alertMode(for: context.actor)
        return try Responses.changed(
            context, version: nil, json: { AlertsJSON(present) }, seeOther: destination,
            toast: ShellToast(AlertStrings.of(context.language).modeSaved)
        )
    }

    // MARK: Safe places

    @Sendable func listSafePlaces(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let page = try await service.safePlaces(for: context.actor, after: paging.after, limit: paging.limit)
        let t = context.words
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

    @Sendable func newSafePlace(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = SafePlaceFormState()
        if let id = context.query("item").flatMap({ ID<Item>($0) }) {
            let overview = try await service.item(id, for: context.actor)
            if let fix = overview.lastFix { typed = SafePlaceFormState(at: fix.coordinate) }
        } else if context.query("phone") != nil, let place = try await service.phonePosition(for: context.actor) {
            typed = SafePlaceFormState(at: place)
        }
        let page = try await safePlacePage(nil, typed: typed, error: nil, context)
        return try Responses.page(context, template: "tracking-safe-place", page)
    }

    private func safePlacePage(
        _ place: SafePlace?, typed: SafePlaceFormState, error: AppError?, _ context: SignedInContext
    ) async throws -> SafePlacePage {
        SafePlacePage(
            context, place, typed: typed, origins: place == nil ? try await origins(context) : [], error: error,
            t: context.words
        )
    }

    /// Returns the phone and the items with a known position.
    private func origins(_ context: SignedInContext) async throws -> [SafePlaceOrigin] {
        var origins: [SafePlaceOrigin] = []
        if try await service.phonePosition(for: context.actor) != nil {
            let name = AlertStrings.of(context.language).thisPhone
            origins.append(SafePlaceOrigin(originName: name, originURL: TrackingPath.newSafePlace + "?phone=1"))
        }
        let items = try await service.items(for: context.actor, after: nil, limit: Limits.pageSizeMaximum).items
        for overview in items.filter({ $0.lastFix != nil }).prefix(Self.originsShown) {
            origins.append(
                SafePlaceOrigin(
                    originName: overview.item.name, originURL: TrackingPath.newSafePlace(at: overview.item.id)
                )
            )
        }
        return origins
    }

    @Sendable func addSafePlace(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = SafePlaceFormState()
        return try await Responses.form(
            context, template: "tracking-safe-place",
            page: { error in try await safePlacePage(nil, typed: typed, error: error, context) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = SafePlaceFormState(fields)
                let name = fields.require("name")
                let latitude = fields.requireDouble("latitude", in: -90...90)
                let longitude = fields.requireDouble("longitude", in: -180...180)
                let radius = fields.integer("radiusMetres")
                fields.noteName(name, context.words.form)
                let metres = radius.map { Int($0) }.change
                try fields.check { try SafePlacePatch(radiusMetres: metres).check() }
                guard let latitude, let longitude else { throw AppError.notFound }
                let input = SafePlaceInput(
                    name: name, latitude: latitude, longitude: longitude, radiusMetres: radius.value.map { Int($0) }
                )
                let place = try await service.addSafePlace(input, by: context.change(fields))
                return try Responses.created(
                    context, location: TrackingPath.safePlace(place.id), version: place.version,
                    json: { SafePlaceJSON(place) }, seeOther: TrackingPath.safePlaces,
                    toast: ShellToast(AlertStrings.of(context.language).added)
                )
            }
        )
    }

    @Sendable func showSafePlace(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let place = try await service.safePlace(context.id("id", of: SafePlace.self), for: context.actor)
        if context.face == .json { return try Responses.json(context, SafePlaceJSON(place), version: place.version) }
        let page = try await safePlacePage(place, typed: SafePlaceFormState(place), error: nil, context)
        return try Responses.page(context, template: "tracking-safe-place", page)
    }

    @Sendable func updateSafePlace(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: SafePlace.self)
        var typed: SafePlaceFormState?
        return try await Responses.form(
            context, template: "tracking-safe-place",
            page: { error in
                let place = try await service.safePlace(id, for: context.actor)
                var shown = typed ?? SafePlaceFormState(place)
                if error.isStaleVersion { shown.version = String(place.version) }
                return try await safePlacePage(place, typed: shown, error: error, context)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = SafePlaceFormState(fields)
                let name = fields.string("name")
                if let name = name.value { fields.noteName(name, context.words.form) }
                let patch = SafePlacePatch(
                    name: name.change, latitude: fields.double("latitude", in: -90...90).change,
                    longitude: fields.double("longitude", in: -180...180).change,
                    radiusMetres: fields.integer("radiusMetres").map { Int($0) }.change
                )
                try fields.check { try patch.check() }
                let place = try await service.updateSafePlace(id, patch, by: context.change(fields))
                return try Responses.changed(
                    context, version: place.version, json: { SafePlaceJSON(place) },
                    seeOther: TrackingPath.safePlaces, toast: ShellToast(AlertStrings.of(context.language).saved)
                )
            }
        )
    }

    @Sendable func deleteSafePlace(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: SafePlace.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await service.deleteSafePlace(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.safePlaces,
            toast: ShellToast(AlertStrings.of(context.language).deleted)
        )
    }
}
