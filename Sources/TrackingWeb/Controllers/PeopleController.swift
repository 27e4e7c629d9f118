import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/people`: the people who share their position with the reader.
struct PeopleController: Sendable {
    let people: PeopleService
    let shares: PositionShareService

    /// - Parameter tracking: Serves no access token: people see who viewed their position.
    func addRoutes(to tracking: RouterGroup<SignedInContext>) {
        tracking.get("people", use: index)
        tracking.get("people/{person}", use: show)
        tracking.delete("people/{person}", use: leave)
        tracking.put("people/{person}/request", use: ask)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let people = try await people.list(for: context.actor)
        return try Responses.of(
            context, template: "tracking-persons", fragment: "tracking-person-rows",
            page: { SharedPeoplePage(context, people) },
            json: { ListJSON(items: people.people.map(SharedPersonJSON.init), next: nil) })
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let found = try await people.person(context.id("person", of: Person.self), for: context.actor)
        return try Responses.of(
            context, template: "tracking-person", fragment: "tracking-person-status",
            page: { SharedPersonPage(context, found.person, rules: found.rules, hasPlaces: !found.places.isEmpty) },
            json: {
                PersonWithRulesJSON(
                    person: SharedPersonJSON(found.person), rules: found.rules.map(PersonRuleJSON.init))
            })
    }

    /// Ends what the person shares with the reader.
    @Sendable func leave(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try context.id("person", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await shares.leave(person, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.persons, toast: ShellToast(context.t("You no longer see the position")))
    }

    @Sendable func ask(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try context.id("person", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await people.ask(person, by: context.change(fields))
        return Responses.removed(context, seeOther: TrackingPath.persons, toast: ShellToast(context.t("Asked")))
    }
}

/// `/tracking/people/{person}/rules`: the reader's rules about a person.
struct PersonRulesController: Sendable {
    let rules: PersonRuleService
    let people: PeopleService

    func addRoutes(to tracking: RouterGroup<SignedInContext>) {
        let rules = tracking.group("people/{person}/rules")
        rules.post(use: create)
        rules.get("new", use: new)
        rules.get("{ruleId}", use: show)
        rules.put("{ruleId}", use: update)
        rules.delete("{ruleId}", use: destroy)
    }

    private func page(
        _ person: PersonID, _ rule: PersonRule?, typed: GeofenceFormState?, error: AppError?,
        _ context: SignedInContext
    ) async throws -> GeofencePage {
        // The form shows no position.
        let found = try await people.person(person, for: context.actor, showsPosition: false)
        var shown = typed ?? rule.map(GeofenceFormState.init) ?? GeofenceFormState(found.places, found.rules.first)
        if let rule, let error, error.isStaleVersion { shown.version = String(rule.version) }
        return GeofencePage(
            context, PersonRuleForm(found.person, rule), places: found.places, typed: shown, error: error,
            t: context.t)
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try context.id("person", of: Person.self)
        var typed: GeofenceFormState?
        if let place = context.query("place").flatMap({ ID<SafePlace>($0) }) {
            let found = try await people.person(person, for: context.actor, showsPosition: false)
            typed = GeofenceFormState(found.places, found.rules.first)
            typed?.placeId = place.description
        }
        return try Responses.page(
            context, template: "tracking-geofence", await page(person, nil, typed: typed, error: nil, context))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try context.id("person", of: Person.self)
        var typed: GeofenceFormState?
        return try await Responses.form(
            context, template: "tracking-geofence",
            page: { error in try await page(person, nil, typed: typed, error: error, context) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = GeofenceFormState(fields)
                let input = fields.geofenceInput()
                try fields.check { try input.check() }
                let rule = try await rules.create(input, about: person, by: context.change(fields))
                return try Responses.created(
                    context, location: TrackingPath.rule(rule.id, about: person), version: rule.version,
                    json: { PersonRuleJSON(rule) }, seeOther: TrackingPath.person(person),
                    toast: ShellToast(context.t("Saved")))
            })
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try context.id("person", of: Person.self)
        let rule = try await rules.rule(
            context.id("ruleId", of: PersonRule.self), about: person, for: context.actor)
        if context.face == .json { return try Responses.json(context, PersonRuleJSON(rule), version: rule.version) }
        return try Responses.page(
            context, template: "tracking-geofence", await page(person, rule, typed: nil, error: nil, context))
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try context.id("person", of: Person.self)
        let id = try context.id("ruleId", of: PersonRule.self)
        var typed: GeofenceFormState?
        return try await Responses.form(
            context, template: "tracking-geofence",
            page: { error in
                let rule = try await rules.rule(id, about: person, for: context.actor)
                return try await page(person, rule, typed: typed, error: error, context)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = GeofenceFormState(fields)
                let input = fields.geofenceInput()
                try fields.check { try input.check() }
                let rule = try await rules.update(id, about: person, input, by: context.change(fields))
                return try Responses.changed(
                    context, version: rule.version, json: { PersonRuleJSON(rule) },
                    seeOther: TrackingPath.person(person), toast: ShellToast(context.t("Saved")))
            })
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try context.id("person", of: Person.self)
        let id = try context.id("ruleId", of: PersonRule.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await rules.delete(id, about: person, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.person(person), toast: ShellToast(context.t("Rule deleted")))
    }
}
