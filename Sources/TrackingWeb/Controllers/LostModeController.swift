import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/lost`: lost mode of an item.
struct LostModeController: Sendable {
    let lostModes: LostModeService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.get("{id}/lost", use: show)
        items.put("{id}/lost", use: update)
        items.delete("{id}/lost", use: destroy)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (item, mode) = try await lostModes.lostMode(
            of: context.id("id", of: Item.self), for: context.actor)
        return try Responses.of(
            context, template: "tracking-lost", version: mode?.version,
            page: { LostModePage(context, item, mode, typed: LostModeFormState(mode), error: nil, t: context.t) },
            json: { LostModeJSON(mode) }
        )
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var typed: LostModeFormState?
        return try await Responses.form(
            context, template: "tracking-lost",
            page: { error in
                let (item, mode) = try await lostModes.lostMode(of: id, for: context.actor)
                var shown = typed ?? LostModeFormState(mode)
                if error.isStaleVersion { shown.version = mode.map { String($0.version) } ?? "" }
                return LostModePage(context, item, mode, typed: shown, error: error, t: context.t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = LostModeFormState(fields)
                let message = fields.string("message").value ?? ""
                let contact = fields.string("contact").value ?? ""
                let showsPhoto = fields.boolean("showsPhoto").value ?? false
                let input = LostModeInput(message: message, contact: contact, showsPhoto: showsPhoto)
                try fields.check { try input.check() }
                let mode = try await lostModes.turnOn(id, input, by: context.change(fields))
                return try Responses.changed(
                    context, version: mode.version, json: { LostModeJSON(mode) },
                    seeOther: TrackingPath.item(id), toast: ShellToast(context.t("Lost mode is on"))
                )
            }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await lostModes.turnOff(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.item(id), toast: ShellToast(context.t("Lost mode is off")))
    }
}
