import Accounts
import Carrepsa
import Hummingbird
import Kernel
import Recurrence
import WebCore

/// `/carrepsa/trips`: the reader's trips, and the offers on their way.
struct TripsController: Sendable {
    let trips: TripService
    let maps: RouteFormMaps
    let currency: Currency

    func addRoutes(to root: RouterGroup<SignedInContext>) {
        root.get("trips", use: index)
        root.get("trips/new", use: new)
        root.post("trips", use: create)
        root.get("trips/{id}", use: show)
        root.get("trips/{id}/edit", use: edit)
        root.put("trips/{id}", use: update)
        root.delete("trips/{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let all = try await trips.list(for: context.actor)
        return try Responses.of(
            context, template: "carrepsa-trips", page: { TripListPage(context, all, t: context.t) },
            json: { ListJSON(items: all, next: nil) })
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try Responses.page(
            context, template: "carrepsa-trip-new", try await form(context, nil, TripFormState(), nil))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = TripFormState()
        return try await Responses.form(
            context, template: "carrepsa-trip-new", page: { error in try await form(context, nil, typed, error) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = TripFormState(fields)
                let input = fields.tripInput(browserTimeZone: context.browserTimeZone)
                try fields.check { try input.check() }
                let trip = try await trips.create(input, by: context.change(fields))
                return Responses.created(
                    context, location: CarrepsaPath.trip(trip.id), version: trip.version, json: { trip },
                    seeOther: CarrepsaPath.trip(trip.id), toast: ShellToast(context.t("Trip saved")))
            })
    }

    @Sendable func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let trip = try await trips.trip(context.id("id", of: Trip.self), of: context.actor)
        return try Responses.page(
            context, template: "carrepsa-trip-new", version: trip.version,
            try await form(context, trip, TripFormState(trip), nil))
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Trip.self)
        var typed: TripFormState?
        return try await Responses.form(
            context, template: "carrepsa-trip-new",
            page: { error in
                let trip = try await trips.trip(id, of: context.actor)
                var shown = typed ?? TripFormState(trip)
                if error.isStaleVersion { shown.version = String(trip.version) }
                return try await form(context, trip, shown, error)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = TripFormState(fields)
                let input = fields.tripInput(browserTimeZone: context.browserTimeZone)
                try fields.check { try input.check() }
                let trip = try await trips.edit(id, input, by: context.change(fields))
                return Responses.changed(
                    context, version: trip.version, json: { trip }, seeOther: CarrepsaPath.trip(id),
                    toast: ShellToast(context.t("Trip changed")))
            })
    }

    private func form(
        _ context: SignedInContext, _ trip: Trip?, _ typed: TripFormState, _ error: AppError?
    ) async throws -> TripFormPage {
        TripFormPage(context, trip, typed, error, map: try await maps.map(for: context.actor), t: context.t)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Trip.self)
        let (trip, matches) = try await trips.matches(of: id, for: context.actor)
        return try Responses.of(
            context, template: "carrepsa-trip", fragment: "carrepsa-trip-rows",
            page: {
                TripPage(context, trip, matches, t: context.t, formatter: context.carrepsaFormatter(currency))
            },
            json: { TripMatchesJSON(trip: trip, matches: matches) })
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Trip.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await trips.delete(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: CarrepsaPath.trips, toast: ShellToast(context.t("Trip deleted")))
    }
}

extension Fields {
    /// - Parameter browserTimeZone: the time zone of a form.
    fileprivate mutating func tripInput(browserTimeZone: String?) -> TripInput {
        let days = strings("days", atMost: TripDays.codes.count).value ?? []
        let timeZone =
            isForm ? browserTimeZone.flatMap { try? LocalTimeZone($0) }?.identifier : string("timeZone").value
        return TripInput(
            from: string("from").value, to: string("to").value, start: routeEnd("from", hasTimes: false),
            end: routeEnd("to", hasTimes: false), days: days, timeZone: timeZone,
            detourKilometres: integer("detour").value, size: choice("size", of: PackageSize.self).value)
    }
}
