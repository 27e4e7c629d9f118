import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/parents/{id}/removal`: announcing the removal of a parent, and withdrawing or refusing it.
struct RemovalsController: Sendable {
    let removals: RemovalService
    let parents: ParentService
    let responder: ParentActionResponder

    func addRoutes(to group: RouterGroup<SignedInContext>) {
        group.put("parents/{id}/removal", use: update)
        group.delete("parents/{id}/removal", use: destroy)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let password = fields.string("password").value
        return try await responder.performWithProof(id, context) { [fields] in
            try fields.check()
            let parent = try await removals.announce(of: id, password: password, by: context.change(fields))
            let text = context.t("The removal of {name} was announced", ["name": parent.member.name])
            return try Responses.changed(
                context, version: parent.member.version, json: { ParentJSON(parent) },
                seeOther: FamilyPath.parent(id), toast: ShellToast(text))
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let name = context.face == .json ? "" : try await parents.parent(id, for: context.actor).member.name
        return try await ParentActionResponder.redirectingErrors(context) {
            try await removals.end(of: id, by: context.change(fields))
            let isMe = id == context.actor.person
            let text =
                isMe ? context.t("You stay in the family") : context.t("{name} stays in the family", ["name": name])
            return Responses.removed(context, seeOther: FamilyPath.parent(id), toast: ShellToast(text))
        }
    }
}
