import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/picture-pin`: the pictures that a child taps on a shared tablet.
struct PicturePINController: Sendable {
    let pins: PicturePINService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        parents.group("children/{id}/picture-pin")
            .get(use: show)
            .put(use: update)
            .delete(use: destroy)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let found = try await pins.state(of: context.id("id", of: Person.self), for: context.actor)
        return try Responses.of(
            context, template: "family-picture-pin",
            page: { PicturePINPage(context, found.child, isSet: found.isSet, typed: [], error: nil) },
            json: { PicturePINJSON(isSet: found.isSet) })
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var typed: [String] = []
        return try await Responses.form(
            context, template: "family-picture-pin",
            page: { error in
                let found = try await pins.state(of: id, for: context.actor)
                return PicturePINPage(
                    context, found.child, isSet: found.isSet, typed: typed, error: context.translated(error))
            },
            perform: {
                var fields = try await Fields.read(request, context)
                let pin: String?
                if fields.isForm {
                    typed = PicturePINPage.positions.map { fields.typed("picture\($0)") }
                    pin = typed.joined(separator: "-")
                } else {
                    pin = fields.string("pin").value
                }
                try fields.check()
                try await pins.set(pin, of: id, by: context.change(fields))
                return try Responses.changed(
                    context, json: { PicturePINJSON(isSet: true) }, seeOther: FamilyPath.tablets,
                    toast: ShellToast(context.t("The picture PIN is set")))
            })
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await pins.remove(of: id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: FamilyPath.tablets, toast: ShellToast(context.t("The picture PIN was removed")))
    }
}
