import Accounts
import Hummingbird
import Kernel
import Recurrence
import Tracking
import WebCore

/// `/tracking/items/{id}/geofences`: the item's rules about safe places.
struct GeofencesController: Sendable {
    let geofences: GeofenceService
    let replays: ReplayService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        let rules = items.group("{id}/geofences")
        rules.get(use: index)
        rules.post(use: create)
        rules.get("new", use: new)
        rules.post("replay", use: replay)
        rules.get("{geofenceId}", use: show)
        rules.put("{geofenceId}", use: update)
        rules.delete("{geofenceId}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let listing = try await geofences.list(of: context.id("id", of: Item.self), for: context.actor)
        return try Responses.of(
            context, template: "tracking-geofences", fragment: "tracking-geofence-rows",
            page: { GeofenceListPage(context, listing, t: context.t) },
            json: { ListJSON(items: listing.geofences.map(GeofenceJSON.init), next: nil) }
        )
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let listing = try await geofences.list(of: context.id("id", of: Item.self), for: context.actor)
        var typed = GeofenceFormState(listing)
        if let place = context.query("place").flatMap({ ID<SafePlace>($0) }) { typed.placeId = place.description }
        return try Responses.page(
            context, template: "tracking-geofence",
            GeofencePage(context, listing, nil, typed: typed, error: nil, t: context.t))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let item = try context.id("id", of: Item.self)
        var typed: GeofenceFormState?
        return try await Responses.form(
            context, template: "tracking-geofence",
            page: { error in
                let listing = try await geofences.list(of: item, for: context.actor)
                return GeofencePage(
                    context, listing, nil, typed: typed ?? GeofenceFormState(listing), error: error, t: context.t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = GeofenceFormState(fields)
                let input = fields.geofenceInput()
                try fields.check { try input.check() }
                let geofence = try await geofences.create(input, of: item, by: context.change(fields))
                return try Responses.created(
                    context, location: TrackingPath.geofence(geofence.id, of: item), version: geofence.version,
                    json: { GeofenceJSON(geofence) }, seeOther: TrackingPath.geofences(of: item),
                    toast: ShellToast(context.t("Saved")))
            }
        )
    }

    /// Shows the form again with what would have come with the typed rule. Stores nothing.
    @Sendable func replay(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let item = try context.id("id", of: Item.self)
        var typed: GeofenceFormState?
        func page(_ replay: Replay?, _ error: AppError?) async throws -> GeofencePage {
            let listing = try await geofences.list(of: item, for: context.actor)
            let known = context.query("rule").flatMap { ID<Geofence>($0) }
            let part = replay.map {
                ReplayPart($0, itemName: listing.item.name, t: context.t, formatter: context.formatter(context.t))
            }
            return GeofencePage(
                context, listing, listing.geofences.first { $0.id == known },
                typed: typed ?? GeofenceFormState(listing), error: error, replay: part, t: context.t)
        }
        return try await Responses.form(
            context, template: "tracking-geofence", page: { error in try await page(nil, error) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = GeofenceFormState(fields)
                let input = fields.geofenceInput()
                try fields.check { try input.check() }
                let replay = try await replays.replay(input, of: item, for: context.actor)
                if context.face == .json { return try Responses.json(context, ReplayJSON(replay)) }
                return try Responses.page(context, template: "tracking-geofence", await page(replay, nil))
            })
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let item = try context.id("id", of: Item.self)
        let geofence = try await geofences.geofence(
            context.id("geofenceId", of: Geofence.self), of: item, for: context.actor)
        if context.face == .json {
            return try Responses.json(context, GeofenceJSON(geofence), version: geofence.version)
        }
        let listing = try await geofences.list(of: item, for: context.actor)
        return try Responses.page(
            context, template: "tracking-geofence",
            GeofencePage(context, listing, geofence, typed: GeofenceFormState(geofence), error: nil, t: context.t))
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let item = try context.id("id", of: Item.self)
        let id = try context.id("geofenceId", of: Geofence.self)
        var typed: GeofenceFormState?
        return try await Responses.form(
            context, template: "tracking-geofence",
            page: { error in
                let geofence = try await geofences.geofence(id, of: item, for: context.actor)
                let listing = try await geofences.list(of: item, for: context.actor)
                var shown = typed ?? GeofenceFormState(geofence)
                if error.isStaleVersion { shown.version = String(geofence.version) }
                return GeofencePage(context, listing, geofence, typed: shown, error: error, t: context.t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = GeofenceFormState(fields)
                let input = fields.geofenceInput()
                try fields.check { try input.check() }
                let geofence = try await geofences.update(id, of: item, input, by: context.change(fields))
                return try Responses.changed(
                    context, version: geofence.version, json: { GeofenceJSON(geofence) },
                    seeOther: TrackingPath.geofences(of: item), toast: ShellToast(context.t("Saved")))
            }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let item = try context.id("id", of: Item.self)
        let id = try context.id("geofenceId", of: Geofence.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await geofences.delete(id, of: item, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.geofences(of: item), toast: ShellToast(context.t("Rule deleted")))
    }
}

extension Fields {
    /// Reads the data of a rule.
    mutating func geofenceInput() -> GeofenceInput {
        let place = id("placeId", of: SafePlace.self).value
        let kind = choice("kind", of: GeofenceKind.self).value
        // A form without a chosen day doesn't contain the field.
        let days = strings("days", atMost: Weekday.allCases.count)
        let chosen = isForm && days.isAbsent ? [] : days.value
        return GeofenceInput(
            place: place, kind: kind, dwellMinutes: integer("dwellMinutes").value.map { Int($0) }, days: chosen,
            from: string("from").value, until: string("until").value, by: string("by").value,
            // Without scripts, the person may not have chosen one. An empty one is refused.
            timeZone: string("timeZone").value ?? (isForm ? "" : nil))
    }
}
