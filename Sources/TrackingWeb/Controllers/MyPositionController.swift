import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/my-position`: the sharing of the reader's own position, for adults and children.
struct MyPositionController: Sendable {
    let shares: PositionShareService

    /// - Parameter everyone: Serves no access token: a position belongs to a device and its person.
    func addRoutes(to everyone: RouterGroup<SignedInContext>) {
        everyone.get(use: show)
        everyone.put(use: update)
        everyone.post("shares", use: create)
        everyone.delete("shares", use: destroyAll)
        everyone.delete("shares/{person}", use: destroy)
        everyone.delete("requests/{person}", use: decline)
        everyone.delete("rules/{ruleId}", use: destroyRule)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let overview = try await shares.overview(for: context.actor)
        return try Responses.of(
            context, template: "tracking-my-position", fragment: "tracking-my-position-rows",
            page: { MyPositionPage(context, overview, typed: MyPositionFormState(), error: nil) },
            json: { MyPositionJSON(overview) })
    }

    /// Stores the position of the device that sends the request.
    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let position = try fields.phonePosition()
        try await shares.report(position, by: context.change(fields))
        return Responses.noContent(context)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = MyPositionFormState()
        return try await Responses.form(
            context, template: "tracking-my-position",
            page: { error in
                let overview = try await shares.overview(for: context.actor)
                return MyPositionPage(context, overview, typed: typed, error: error)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = MyPositionFormState(fields)
                let chosen = fields.strings("personIds", atMost: Limits.positionViewers)
                let viewers = fields.isForm && chosen.isAbsent ? [] : chosen.value ?? []
                let duration = fields.requireChoice("duration", of: PositionShareDuration.self)
                let item = fields.id("itemId", of: Item.self).value
                try fields.check()
                guard let duration else { throw AppError.notFound }
                let input = PositionShareInput(
                    viewers: viewers, duration: duration,
                    timeZone: context.query("zone") ?? context.browserTimeZone, item: item)
                try await shares.share(input, by: context.change(fields))
                let overview = try await shares.overview(for: context.actor)
                return try Responses.created(
                    context, location: TrackingPath.myPosition, json: { MyPositionJSON(overview) },
                    seeOther: TrackingPath.myPosition,
                    toast: ShellToast(
                        context.isChild
                            ? context.t("Others can see where you are") : context.t("You share your position")))
            })
    }

    @Sendable func destroyAll(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await shares.endAll(by: context.change(fields))
        return ended(context)
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try context.id("person", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await shares.end(with: person, by: context.change(fields))
        return ended(context)
    }

    private func ended(_ context: SignedInContext) -> Response {
        let text = context.isChild ? context.t("No one sees where you are now") : context.t("No longer shared")
        return Responses.removed(context, seeOther: TrackingPath.myPosition, toast: ShellToast(text))
    }

    @Sendable func decline(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try context.id("person", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await shares.decline(person, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.myPosition, toast: ShellToast(context.t("Declined")))
    }

    @Sendable func destroyRule(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("ruleId", of: PersonRule.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await shares.endRule(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.myPosition, toast: ShellToast(context.t("Rule ended")))
    }
}
