import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/parents` and `/family/parents/{id}` for parents: a parent's page, leaving and removing.
struct ParentsController: Sendable {
    let parents: ParentService
    let responder: ParentActionResponder

    func addRoutes(to group: RouterGroup<SignedInContext>) {
        group.get("parents/{id}", use: show)
        group.delete("parents/{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else { return Responses.seeOther(context, to: FamilyPath.account) }
        let paging = try context.paging()
        let page = try await parents.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.json(context, ListJSON(items: page.items.map { MemberJSON($0) }, next: page.next))
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        if context.face == .json {
            let parent = try await parents.parent(id, for: context.actor)
            return try Responses.json(context, ParentJSON(parent), version: parent.member.version)
        }
        return try Responses.page(
            context, template: "family-parent", fragment: "family-parent-status", try await responder.page(id, context))
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let password = fields.string("password").value
        return try await responder.performWithProof(id, context) { [fields] in
            try fields.check()
            let name = context.face == .json ? "" : try await parents.parent(id, for: context.actor).member.name
            try await parents.remove(id, password: password, by: context.change(fields))
            let isMe = id == context.actor.person
            let text = isMe ? context.t("You left the family") : context.t("{name} was removed", ["name": name])
            return Responses.removed(context, seeOther: isMe ? "/" : FamilyPath.account, toast: ShellToast(text))
        }
    }
}
